"""The command line as a whole: what is wrong costs one line that says what is right, and the exit status tells."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from toolstub_ext import open_store
from toolstub_ext.cli import main
from toolstub_ext.cli.arguments import UsageError
from toolstub_ext.cli.commandline import build_parser


def test_the_store_can_be_named_before_or_behind_the_command(tmp_path: Path,
                                                             capsys: pytest.CaptureFixture[str]) -> None:
    """`--store` wins over the environment."""
    url = str(tmp_path / "other.db")
    with open_store(url) as store:
        ref = store.put("there").ref
    for argv in (["--store", url, "list"], ["list", "--store", url]):
        assert main(argv) == 0
        assert capsys.readouterr().out.startswith(ref)


@pytest.mark.usefixtures("empty_store")
@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["raed", "ts_0"], "toolstub: unknown command raed, did you mean read?; `toolstub --help` lists them all"),
        (["list", "--tol", "x"], "toolstub list: unknown argument --tol, did you mean --tool?;"
                                 " `toolstub list --help` lists them all"),
        (["list", "--listen", "x"], "toolstub list: unknown argument --listen; `toolstub list --help` lists them all"),
        (["list", "extra"], "toolstub list: unknown argument extra; `toolstub list --help` lists them all"),
        (["replay", "x", "--store", "y"], "toolstub replay: unknown argument --store;"
                                          " `toolstub replay --help` lists them all"),
        (["--stroe", "x", "list"], "toolstub: unknown argument --stroe, did you mean --store?;"
                                   " `toolstub --help` lists them all"),
        (["read"], "toolstub read: the following arguments are required: REF; `toolstub read --help` shows the usage"),
        (["read", "r", "--lines", "3:1"], "toolstub read: argument --lines: lines is '3:1', which ends before it"
                                          " begins; `toolstub read --help` shows the usage"),
        (["read", "r", "--lines", "all"], "toolstub read: argument --lines: lines is 'all'; write it as 'A:B', 'A:',"
                                          " ':B' or 'A', counting from 1; `toolstub read --help` shows the usage"),
        (["proxy", "--drain", "x"], "toolstub proxy: argument --drain: x is not a number of seconds;"
                                    " `toolstub proxy --help` shows the usage"),
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


@pytest.mark.usefixtures("empty_store")
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


@pytest.mark.usefixtures("empty_store")
@pytest.mark.parametrize("argv", [
    ["synopsize", "FILE"], ["synopsize", "FOLDER"], ["synopsize", "INSIDE"], ["replay", "FILE"], ["replay", "INSIDE"],
    ["replay", "x", "--config", "FILE"], ["replay", "x", "--config", "FOLDER"], ["replay", "x", "--output", "FOLDER"],
    ["replay", "x", "--output", "INSIDE"], ["proxy", "--config", "FILE"], ["proxy", "--token-file", "FILE"],
    ["proxy", "--token-file", "FOLDER"], ["proxy", "--ca", "FILE"], ["proxy", "--ca", "FOLDER"],
    ["proxy", "--access-log", "INSIDE"], ["proxy", "--access-log", "FOLDER"],
    ["run", "--config", "FILE", "--", "true"], ["run", "--", "FILE"], ["run", "--", "FOLDER"], ["run", "--", "TAKEN"],
    ["list", "--store", "FILE"], ["list", "--store", "FOLDER"], ["list", "--store", "INSIDE"],
    ["list", "--store", "TAKEN"], ["export", "ts_0123456789abcdef", "TAKEN"],
])
def test_no_failure_of_the_system_reaches_a_person_as_it_is(argv: list[str], tmp_path: Path,
                                                            capsys: pytest.CaptureFixture[str]) -> None:
    """A path that is not there, a folder, a path below a file, a file of something else: one line, and what to do."""
    (tmp_path / "taken").write_text("no store, no settings, no program")
    places = {"FILE": tmp_path / "none" / "file", "FOLDER": tmp_path, "INSIDE": tmp_path / "taken" / "file",
              "TAKEN": tmp_path / "taken"}
    assert main([str(places.get(word, word)) for word in argv]) in (1, 2, 125)
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "Errno" not in err
    assert any(advice in err for advice in ("check ", "name a", "give another path", "toolstub list", "(PEM)"))


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parser of every command."""
    (action,) = (action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction))
    return dict(action.choices)


def test_every_typed_option_says_what_it_takes() -> None:
    """And never how the function is called that reads it."""
    typed = [(name, action) for name, parser in parsers().items() for action in parser._actions
             if action.type is not None and action.type is not Path]
    assert len(typed) >= 8
    for name, action in typed:
        with pytest.raises(UsageError) as raised:
            parsers()[name].parse_args([action.option_strings[0], "?"])
        assert "invalid" not in str(raised.value)
        assert "_" not in str(raised.value)


@pytest.mark.parametrize("name", sorted(parsers()))
def test_the_help_of_a_command_names_its_store_and_all_it_takes(name: str) -> None:
    """Wherever one can be chosen."""
    text = parsers()[name].format_help()
    assert ("--store URL" in text) == (name not in ("synopsize", "replay", "demo"))
    assert " ...\n" not in text.replace("COMMAND ...", "")


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


def test_version_and_help_succeed(capsys: pytest.CaptureFixture[str]) -> None:
    """Both print on stdout."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("toolstub ")
    assert main(["read", "--help"]) == 0
    assert "--lines A:B" in capsys.readouterr().out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("argv", [["--help"], ["--version"], ["read", "--help"], ["synopsize", __file__]])
def test_a_full_disk_costs_one_line_and_the_exit_status(argv: list[str]) -> None:
    """Also for what argparse prints itself."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-m", "toolstub_ext", *argv], stdout=full, stderr=subprocess.PIPE,
                              env=os.environ | {"PYTHONUNBUFFERED": ""}, check=False)
    assert (done.returncode, done.stderr) == (1, b"toolstub: no space left on device; make room there\n")


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


@pytest.mark.usefixtures("empty_store")
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
