"""`toolstub list`, `read`, `search` and `export`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from toolstub_ext import Ref
from toolstub_ext.cli import main
from toolstub_ext.store.location import locate

Shell = Callable[..., subprocess.CompletedProcess[bytes]]
ORDERS = json.dumps([{"id": number, "status": "paid" if number % 7 else "open"} for number in range(2_000)])
ODD = "\ufeffnull \0, lone \ud83d, line ends \r\n \x0b \u2028 and no newline at the end"


@pytest.mark.parametrize("text", [ORDERS, ODD, "", "\n", "é" * 3_000_000],
                         ids=["json", "odd", "empty", "newline", "6 MB"])
def test_read_prints_the_original_byte_for_byte(stored: Callable[..., Ref], shell: Shell, text: str) -> None:
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
        (["--lines", "3:"], "three\nfour\n"),
        (["--lines", ":2"], "one\ntwo\n"),
        (["--lines", "2"], "two\n"),
        (["--limit", "-1"], "one\ntwo\nthree\nfour"),
        (["--offset", "11", "--limit", "-1"], "ee\nfour"),
        (["--lines", "2:3", "--limit", "-1"], "two\nthree\n"),
    ],
)
def test_read_prints_a_part(stored: Callable[..., Ref], capfdbinary: pytest.CaptureFixture[bytes],
                            options: list[str], shown: str) -> None:
    """Characters from an offset, or whole lines."""
    ref = stored("one\ntwo\nthree\nfour")
    assert main(["read", ref, *options]) == 0
    assert capfdbinary.readouterr().out.decode() == shown


@pytest.mark.parametrize(("options", "shown", "said"), [
    (["--limit", "4"], "01\n2", "toolstub: characters 0 to 4 of 10; next: --offset 4\n"),
    (["--lines", "2:3", "--limit", "4"], "23\n4", "toolstub: characters 3 to 7 of 10; next: --offset 7\n"),
    (["--lines", "1:2", "--limit", "5"], "01\n23\n", ""),
])
def test_a_part_says_how_to_go_on(stored: Callable[..., Ref], capfd: pytest.CaptureFixture[str], options: list[str],
                                  shown: str, said: str) -> None:
    """On stderr, so that the part itself stays clean; nothing of lines that are there to their end."""
    assert main(["read", stored("01\n23\n4567"), *options]) == 0
    assert capfd.readouterr() == (shown, said)


def test_read_follows_a_json_pointer(stored: Callable[..., Ref], capfd: pytest.CaptureFixture[str]) -> None:
    """The value as it stands in the original, not encoded again."""
    assert main(["read", stored('{"a": [1.0, {"b": 1e5}]}'), "--pointer", "/a/1"]) == 0
    assert capfd.readouterr() == ('{"b": 1e5}', "toolstub: characters 12 to 22 of 24\n")


@pytest.mark.parametrize("options", [["--offset", "99"], ["--offset", "99", "--limit", "2"], ["--lines", "7:9"]])
def test_a_part_behind_the_end_says_where_the_end_is(stored: Callable[..., Ref], capfd: pytest.CaptureFixture[str],
                                                     options: list[str]) -> None:
    """Nothing on stdout, not even the end of a line."""
    assert main(["read", stored("one\ntwo\n"), *options]) == 0
    assert capfd.readouterr() == ("", "toolstub: it ends before that: 8 characters, 2 lines\n")


@pytest.mark.parametrize("place", [("--lines", "1:2"), ("--pointer", "/0")])
def test_a_part_begins_in_one_place(stored: Callable[..., Ref], capfd: pytest.CaptureFixture[str],
                                    place: tuple[str, str]) -> None:
    """Neither of two options is passed over silently."""
    assert main(["read", stored("[1]\n"), *place, "--offset", "0"]) == 2
    assert capfd.readouterr() == (
        "", f"toolstub read: {place[0]} and --offset both say where to begin; give one of them\n")


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
    assert capsys.readouterr() == ("", f"toolstub: nothing is stored in {locate(None).path} yet\n")


@pytest.mark.parametrize("argv", [
    ["list"], ["read", "ts_0123456789abcdef"], ["search", "x"], ["query", "ts_0123456789abcdef", "*"], ["stats"],
    ["verify"], ["export", "ts_0123456789abcdef", "."], ["gc", "--max-bytes", "0"], ["pin", "ts_0123456789abcdef"],
])
@pytest.mark.parametrize("made", [False, True])
def test_no_command_that_reads_makes_a_store(argv: list[str], made: bool, tmp_path: Path,
                                             capsys: pytest.CaptureFixture[str]) -> None:
    """A mistyped path is one line, and neither a file nor a folder; an empty file stays empty."""
    path = tmp_path / "elsewhere" / "stroe.db"
    if made:
        path.parent.mkdir()
        path.touch()
    assert main([*argv, "--store", str(path)]) == 1
    assert capsys.readouterr() == (
        "", f"toolstub: there is no store at {path}; check the path, if something was stored there\n")
    assert path.parent.exists() is made
    assert not made or [file.stat().st_size for file in path.parent.iterdir()] == [0]


def test_a_filter_that_lets_nothing_through_is_told_from_an_empty_store(
        stored: Callable[..., Ref], capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt tool is no reason to think that all is lost."""
    stored("a", tool="Read")
    assert main(["list", "--tool", "Raed"]) == 0
    assert capsys.readouterr().err.startswith("toolstub: nothing that is stored is of that session or tool")


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


@pytest.mark.parametrize("directory", ["taken", "taken/below"])
def test_export_needs_a_folder(stored: Callable[..., Ref], tmp_path: Path, capsys: pytest.CaptureFixture[str],
                               directory: str) -> None:
    """A file where it would be stays as it is."""
    (tmp_path / "taken").write_text("mine")
    assert main(["export", stored("text"), str(tmp_path / directory)]) == 2
    assert capsys.readouterr().err == (
        f"toolstub export: {tmp_path / directory} is a file, or lies in one; name a folder\n")
    assert (tmp_path / "taken").read_text() == "mine"


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
