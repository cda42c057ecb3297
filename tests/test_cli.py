"""The `toolstub` command, as a shell sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from toolstub_ext import Ref, open_store
from toolstub_ext.cli import main

ORDERS = json.dumps([{"id": number, "status": "paid" if number % 7 else "open"} for number in range(2_000)])
ODD = "\ufeffnull \0, lone \ud83d, line ends \r\n \x0b \u2028 and no newline at the end"


@pytest.fixture
def stored() -> Callable[..., Ref]:
    """Puts a text into the store that the command will open."""

    def put(text: str, tool: str | None = None, session: str | None = None) -> Ref:
        with open_store() as store:
            return store.put(text, tool=tool, session=session, kind="text").ref

    return put


def shell(*argv: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run([sys.executable, "-m", "toolstub_ext", *argv], input=stdin, capture_output=True, check=False)


@pytest.mark.parametrize("text", [ORDERS, ODD, "", "\n", "é" * 3_000_000],
                         ids=["json", "odd", "empty", "newline", "6 MB"])
def test_read_prints_the_original_byte_for_byte(stored: Callable[..., Ref], text: str) -> None:
    """What comes out is what went in, so it can be piped into any program."""
    done = shell("read", stored(text))
    assert done.stdout == text.encode("utf-8", "surrogatepass")
    assert (done.returncode, done.stderr) == (0, b"")


def test_read_into_a_closed_pipe_is_quiet(stored: Callable[..., Ref]) -> None:
    """`toolstub read REF | head -1` is no failure and prints no traceback."""
    command = [sys.executable, "-m", "toolstub_ext", "read", stored("line\n" * 1_000_000)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"line\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--offset", "3", "--limit", "3"], "\ntw"),
        (["--limit", "3"], "one"),
        (["--offset", "11"], "ee\nfour"),
        (["--offset", "99"], ""),
        (["--lines", "2:3"], "two\nthree\n"),
        (["--lines", "4:9"], "four\n"),
    ],
)
def test_read_prints_a_part(stored: Callable[..., Ref], capfdbinary: pytest.CaptureFixture[bytes],
                            options: list[str], shown: str) -> None:
    """Characters from an offset, or whole lines."""
    ref = stored("one\ntwo\nthree\nfour")
    assert main(["read", ref, *options]) == 0
    assert capfdbinary.readouterr().out.decode() == shown


def test_a_part_says_how_to_go_on(stored: Callable[..., Ref], capfd: pytest.CaptureFixture[str]) -> None:
    """On stderr, so that the part itself stays clean."""
    assert main(["read", stored("0123456789"), "--limit", "4"]) == 0
    out, err = capfd.readouterr()
    assert out == "0123"
    assert err == "toolstub: characters 0 to 4 of 10; next: --offset 4\n"


def test_read_follows_a_json_pointer(stored: Callable[..., Ref], capfd: pytest.CaptureFixture[str]) -> None:
    """The value as it stands in the original, not encoded again."""
    assert main(["read", stored('{"a": [1.0, {"b": 1e5}]}'), "--pointer", "/a/1"]) == 0
    assert capfd.readouterr().out == '{"b": 1e5}'


def test_list_shows_the_newest_first(stored: Callable[..., Ref], capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each original, and filters by tool and session."""
    first = stored("a" * 1234, tool="Read", session="s1")
    second = stored("b", tool="Bash", session="s2")
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [second, first]
    assert "1,234  chars" in lines[1]
    assert main(["list", "--tool", "Read"]) == 0
    assert capsys.readouterr().out.split()[0] == first
    assert main(["list", "--session", "s2", "--json"]) == 0
    assert [item["ref"] for item in json.loads(capsys.readouterr().out)["items"]] == [second]


def test_an_empty_store_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    """It is said on stderr, so that a pipe gets nothing."""
    assert main(["list"]) == 0
    assert capsys.readouterr() == ("", "toolstub: nothing is stored here yet\n")


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (["needle"], [2, 40]),
        (["NEEDLE"], []),
        (["NEEDLE", "-i"], [2, 40]),
        (["n[e]+dle$", "--regex"], []),
        (["n[e]+dle", "--regex"], [2, 40]),
        (["needle", "--limit", "1"], [2]),
    ],
)
def test_search_is_like_grep(stored: Callable[..., Ref], capsys: pytest.CaptureFixture[str],
                             options: list[str], lines: list[int]) -> None:
    """`ref:line:offset: text` for each match; exit status 1 if there is none."""
    hay = [f"straw {number}" for number in range(1, 60)]
    hay[1] = hay[39] = "a needle in it"
    ref = stored("\n".join(hay))
    assert main(["search", *options]) == (0 if lines else 1)
    shown = capsys.readouterr().out.splitlines()
    assert [int(line.split(":")[1]) for line in shown] == lines
    assert all(line.startswith(ref) for line in shown)


def test_search_looks_into_one_original_and_speaks_json(stored: Callable[..., Ref],
                                                        capsys: pytest.CaptureFixture[str]) -> None:
    """The offset can be given to `read --offset`."""
    stored("needle elsewhere")
    ref = stored("pin\nneedle")
    assert main(["search", "needle", "--ref", ref, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(hit["ref"], hit["line"], hit["offset"]) for hit in found["items"]] == [(ref, 2, 4)]


def test_export_writes_the_original(stored: Callable[..., Ref], tmp_path: Path,
                                    capsys: pytest.CaptureFixture[str]) -> None:
    """Byte for byte, into a new file whose path is printed."""
    assert main(["export", stored(ODD), str(tmp_path)]) == 0
    assert Path(capsys.readouterr().out.strip()).read_bytes() == ODD.encode("utf-8", "surrogatepass")


def test_upkeep(stored: Callable[..., Ref], capsys: pytest.CaptureFixture[str]) -> None:
    """`stats` counts, `verify` checks, `gc` drops what is asked for and nothing else."""
    stored("kept" * 1000)
    assert main(["stats", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["originals"] == 1
    assert main(["verify"]) == 0
    assert capsys.readouterr().out == "1 originals, all intact\n"
    assert main(["gc", "--older-than", "1"]) == 0
    assert capsys.readouterr().out == "0 originals dropped\n"
    assert main(["gc", "--max-bytes", "0"]) == 0
    assert capsys.readouterr().out == "1 originals dropped\n"


def test_the_store_can_be_named_before_or_behind_the_command(tmp_path: Path,
                                                             capsys: pytest.CaptureFixture[str]) -> None:
    """`--store` wins over the environment."""
    url = str(tmp_path / "other.db")
    with open_store(url) as store:
        ref = store.put("there").ref
    for argv in (["--store", url, "list"], ["list", "--store", url]):
        assert main(argv) == 0
        assert capsys.readouterr().out.startswith(ref)


def test_synopsize_shows_the_stub_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As it would stand in a conversation, but for a ref, since nothing is stored."""
    path = tmp_path / "orders.json"
    path.write_text(ORDERS)
    assert main(["synopsize", str(path), "--tool", "list_orders"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("[toolstub] tool result externalized\ntool_name: list_orders\nkind: json")
    assert "ref:" not in shown
    assert main(["synopsize", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["chars"] == len(ORDERS)


@pytest.mark.parametrize(
    ("data", "kind", "chars"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\xff\xfe" * 20, "unknown (binary)", 400),
        ("Grüße\r\n".encode("utf-16"), "text", 7),
        ("naïve café\n".encode("latin-1") * 30, "text", 330),
        (b"", "unknown (empty)", 0),
    ],
    ids=["png", "utf-16", "latin-1", "empty"],
)
def test_bytes_that_are_not_utf_8_are_described_all_the_same(data: bytes, kind: str, chars: int) -> None:
    """Binary data says so; text in another encoding is read."""
    shown = shell("synopsize", "-", stdin=data).stdout.decode()
    assert f"\nkind: {kind}" in shown
    assert f"\noriginal_chars: {chars}\n" in shown


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["raed", "ts_0"], "toolstub: unknown command raed, did you mean read?; `toolstub --help` lists them all"),
        (["list", "--tol", "x"], "toolstub list: unknown argument --tol, did you mean --tool?;"
                                 " `toolstub list --help` lists them all"),
        (["list", "extra"], "toolstub list: unknown argument extra; `toolstub list --help` lists them all"),
        (["--stroe", "x", "list"], "toolstub: unknown argument --stroe, did you mean --store?;"
                                   " `toolstub --help` lists them all"),
        (["read"], "toolstub read: the following arguments are required: REF; `toolstub read --help` shows the usage"),
        (["read", "r", "--lines", "3:1"], "toolstub read: argument --lines: 3:1 is not lines A:B, from 1 and inclusive;"
                                          " `toolstub read --help` shows the usage"),
        (["read", "r", "--offset", "-1"], None),
        (["list", "--limit", "many"], "toolstub list: argument --limit: many is not a whole number from 1;"
                                      " `toolstub list --help` shows the usage"),
        (["search", "x", "--limit", "0"], "toolstub search: argument --limit: 0 is not a whole number from 1;"
                                          " `toolstub search --help` shows the usage"),
        (["gc"], "toolstub gc: say what may go: --older-than DAYS, --max-bytes SIZE or both"),
        (["gc", "--max-bytes", "3Q"], "toolstub gc: argument --max-bytes: 3Q is not a size such as 500M or 2G;"
                                      " `toolstub gc --help` shows the usage"),
        (["gc", "--older-than", "nan"], "toolstub gc: argument --older-than: nan is not a number of days;"
                                        " `toolstub gc --help` shows the usage"),
        (["search", "(", "--regex"], None),
    ],
)
def test_wrong_usage_is_one_line_that_says_what_is_right(capsys: pytest.CaptureFixture[str], argv: list[str],
                                                         said: str | None) -> None:
    """Exit status 2, nothing on stdout, and the nearest right name where there is one."""
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("toolstub")
    if said is not None:
        assert err == said + "\n"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["read", "ts_0123456789abcdef"], "`toolstub list`"),
        (["read", "nonsense"], "`toolstub list`"),
        (["search", "x", "--ref", "ts_0123456789abcdef"], "`toolstub list`"),
        (["export", "ts_0123456789abcdef", "."], "`toolstub list`"),
        (["synopsize", "no/such/file"], "no/such/file: "),
        (["list", "--store", "mysql://host/db"], "sqlite:///"),
        (["list", "--store", "/dev/null/store.db"], "check the path"),
    ],
)
def test_a_failure_is_one_line_that_says_what_to_do(capsys: pytest.CaptureFixture[str], argv: list[str],
                                                    said: str) -> None:
    """Exit status 1, nothing on stdout, no traceback."""
    assert main(argv) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said in err


def test_a_wrong_setting_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path,
                                  monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit status 2, and the key that was probably meant."""
    (tmp_path / "toolstub.yaml").write_text("externalize: {treshold_chars: 1}\n")
    monkeypatch.chdir(tmp_path)
    assert main(["list"]) == 2
    assert "threshold_chars" in capsys.readouterr().err


def test_no_command_shows_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    """As wrong usage, on stderr."""
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    for command in ("synopsize", "list", "read", "search", "export", "gc", "verify", "stats", "proxy", "run", "demo"):
        assert f"\n    {command} " in err


def test_nothing_that_is_stored_acts_on_the_terminal(stored: Callable[..., Ref],
                                                     capsys: pytest.CaptureFixture[str]) -> None:
    """A tool's name or a line with control characters is shown in one line, with escapes; `read` alone is raw."""
    stored("harmless\n\x1b]0;title\x07 needle \u202e\ud83d\n", tool="ba\x1b[31msh\nx")
    assert main(["list"]) == 0
    listed = capsys.readouterr().out
    assert main(["search", "needle"]) == 0
    found = capsys.readouterr().out
    assert (listed.count("\n"), found.count("\n")) == (1, 1)
    assert r"ba\x1b[31msh x" in listed
    assert r"harmless \x1b]0;title\x07 needle \u202e\ud83d" in found
    assert main(["nope\x1b[2J"]) == 2
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("", "toolstub: '': No such file or directory\n"),
        (".", "toolstub: .: Is a directory\n"),
        ("/proc/self/mem", "toolstub: /proc/self/mem: Input/output error\n"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="the words are Linux's")
def test_a_file_that_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str], file: str, said: str) -> None:
    """Whether it cannot be opened, or fails half-way."""
    assert main(["synopsize", file]) == 1
    assert capsys.readouterr() == ("", said)


@pytest.mark.parametrize("closed", ["stdin", "stdout"])
def test_a_closed_stream_costs_one_line(closed: str) -> None:
    """As a shell closes it with `<&-` or `>&-`."""
    number = {"stdin": 0, "stdout": 1}[closed]
    done = subprocess.run([sys.executable, "-m", "toolstub_ext", "synopsize", "-"], stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, preexec_fn=lambda: os.close(number), check=False)
    assert done.returncode == 1
    assert (done.stderr.startswith(b"toolstub: standard "), done.stderr.count(b"\n")) == (True, 1)


def test_a_closed_stderr_does_not_spill_into_stdout() -> None:
    """What is said aside is lost then, and no part of the output."""
    done = subprocess.run([sys.executable, "-m", "toolstub_ext", "list"], stdout=subprocess.PIPE,
                          preexec_fn=lambda: os.close(2), check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_too_little_memory_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What does not fit is no bug of the program."""

    def huge(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("toolstub_ext.synopsis.synopsize", huge)
    assert main(["synopsize", __file__]) == 1
    assert capsys.readouterr().err == "toolstub: there is not enough memory for it\n"


def test_version_and_help_succeed(capsys: pytest.CaptureFixture[str]) -> None:
    """Both print on stdout."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("toolstub ")
    assert main(["read", "--help"]) == 0
    assert "--lines A:B" in capsys.readouterr().out


def test_ctrl_c_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 130 and no traceback."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("toolstub_ext.store.open_store", interrupted)
    assert main(["list"]) == 130
    assert capsys.readouterr() == ("", "")


def test_ctrl_c_is_quiet_while_modules_are_imported() -> None:
    """An impatient user is no reason for a traceback through the import system."""
    code = ("import builtins, sys\nplain = builtins.__import__\n"
            "def slow(name, *rest):\n    if name == 'argparse': raise KeyboardInterrupt\n"
            "    return plain(name, *rest)\n"
            "builtins.__import__ = slow\nfrom toolstub_ext.cli import main\nsys.exit(main(['list']))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize(
    ("installed_from", "command"),
    [
        (None, 'pip install "toolstub[gateway]"'),
        ({"url": "https://host/toolstub.whl"}, 'pip install "toolstub[gateway]"'),
        ({"url": "file:///a%20b/toolstub", "dir_info": {}}, 'pip install "/a b/toolstub[gateway]"'),
        ({"url": "file:///src/ts", "dir_info": {"editable": True}}, 'pip install -e "/src/ts[gateway]"'),
    ],
)
def test_a_missing_extra_is_named_with_the_command_that_installs_it(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
        installed_from: dict[str, object] | None, command: str) -> None:
    """One line, no traceback; from a clone the command names the clone."""

    class Installed:
        def read_text(self, _name: str) -> str | None:
            return None if installed_from is None else json.dumps(installed_from)

    def missing(*_: object) -> None:
        raise ModuleNotFoundError("No module named 'aiohttp'", name="aiohttp")

    monkeypatch.setattr("toolstub_ext.cli.installing.distribution", lambda _name: Installed())
    monkeypatch.setattr("toolstub_ext.store.open_store", missing)
    assert main(["list"]) == 1
    assert capsys.readouterr().err == f"toolstub: this needs aiohttp: {command}\n"


def test_a_plug_in_that_does_not_load_costs_one_line(monkeypatch: pytest.MonkeyPatch,
                                                     capsys: pytest.CaptureFixture[str]) -> None:
    """The other commands stay."""
    from importlib.metadata import EntryPoint

    broken = EntryPoint("broken", "no_such_module:register", "toolstub.commands")
    monkeypatch.setattr("toolstub_ext.cli.plugins.entry_points", lambda group: (broken,))
    assert main(["list"]) == 0
    assert "the commands of no_such_module:register are missing" in capsys.readouterr().err
