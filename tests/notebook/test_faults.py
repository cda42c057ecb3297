"""When the store, the disk or the kernel fails: no output is lost, and the user is told once."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from toolstub_ext import open_store

BIG = "print('x' * 5000)"
WHOLE = "x" * 5000 + "\n"


def notices(outcome: Any) -> list[str]:
    """What the user was told on stderr."""
    return [content["text"] for kind, content in outcome.messages
            if kind == "stream" and content["name"] == "stderr" and content["text"].startswith("toolstub: ")]


def printed(outcome: Any) -> str:
    """What stands on stdout."""
    return "".join(content["text"] for kind, content in outcome.messages
                   if kind == "stream" and content["name"] == "stdout")


def test_a_store_that_cannot_be_made_shows_all_and_says_so_once(
    new_kernel: Callable[..., Any], tmp_path: Path
) -> None:
    """The directory of the store is a file: the outputs come as they are, the reason once."""
    (tmp_path / "file").write_text("in the way")
    kernel = new_kernel(TOOLSTUB_STORE=str(tmp_path / "file" / "store.db"))
    first = kernel.run(BIG)
    assert printed(first) == WHOLE
    assert len(notices(first)) == 1
    second = kernel.run(BIG + "\n'v' * 5000")
    assert printed(second) == WHOLE
    assert repr("v" * 5000) in second.texts()
    assert len(notices(second)) <= 1
    assert "fault" in kernel.run("%toolstub status").text


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid"), reason="file modes are a matter of POSIX")
def test_a_directory_that_must_not_be_written(new_kernel: Callable[..., Any], tmp_path: Path) -> None:
    """Without the right to write, all is shown. The superuser may write anywhere: then it is stored."""
    (tmp_path / "locked").mkdir(mode=0o500)
    outcome = new_kernel(TOOLSTUB_STORE=str(tmp_path / "locked" / "store.db")).run(BIG)
    assert printed(outcome) == WHOLE or (os.geteuid() == 0 and len(outcome.stubs()) == 1)


@pytest.mark.skipif(sys.platform == "win32", reason="a limit on file sizes is a matter of POSIX")
def test_a_full_disk_shows_all(new_kernel: Callable[..., Any]) -> None:
    """The spool takes no more: what it had comes out, and the rest passes, in order."""
    kernel = new_kernel()
    kernel.run("import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
               "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))")
    outcome = kernel.run("for i in range(50): print(f'{i:03}' + 'd' * 9997, flush=True)")
    assert printed(outcome) == "".join(f"{i:03}" + "d" * 9997 + "\n" for i in range(50))
    assert len(notices(outcome)) == 1
    kernel.run("resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))")
    assert len(kernel.run(BIG).stubs()) == 1


def test_a_store_locked_by_another_process_loses_nothing(new_kernel: Callable[..., Any], tmp_path: Path) -> None:
    """While somebody else holds the write lock a cell waits, and then has its stub, or its output in full."""
    kernel = new_kernel()
    kernel.run(BIG)
    with closing(sqlite3.connect(tmp_path / "store.db", isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        release = Timer(5, other.execute, ["ROLLBACK"])
        release.start()
        outcome = kernel.run("print('held ' * 2000)")
        release.join()
    if outcome.stubs():
        whole = kernel.run(f"text = %toolstub get {outcome.refs()[0]}\ntext == 'held ' * 2000 + '\\n'").text
        assert whole == "True"
    else:
        assert printed(outcome) == "held " * 2000 + "\n"
        assert len(notices(outcome)) == 1


def test_an_injected_fault_shows_everything(new_kernel: Callable[..., Any]) -> None:
    """Whatever breaks inside, prints, displays, results and errors reach the user."""
    kernel = new_kernel()
    kernel.run("import toolstub_ext.notebook.desk as desk\n"
               "def broken(*_, **__): raise RuntimeError('injected')\n"
               "whole = desk.Desk.stub\ndesk.Desk.stub = desk.Desk.stub_of = desk.Desk.error = broken")
    outcome = kernel.run("print('a' * 5000)\ndisplay({'text/plain': 'b' * 5000}, raw=True)\n"
                         "print('c' * 5000)\n'd' * 5000")
    assert outcome.stubs() == []
    assert "".join(outcome.texts()).replace(notices(outcome)[0], "") == (
        "a" * 5000 + "\n" + "b" * 5000 + "c" * 5000 + "\n" + repr("d" * 5000))
    error = kernel.run("raise ValueError('e' * 5000)", allow=True)
    assert error.reply["evalue"] == "e" * 5000


def test_a_fault_while_an_output_grows_replaces_what_was_shown(new_kernel: Callable[..., Any]) -> None:
    """The display of the growing text says that it was not stored, and the text follows in full."""
    kernel = new_kernel()
    kernel.run("import toolstub_ext.notebook.desk as desk, time\n"
               "def broken(*_, **__): raise RuntimeError('injected')\ndesk.Desk.stub = broken")
    outcome = kernel.run("for i in range(40):\n    print(f'{i:02}' + 'g' * 998, flush=True)\n    time.sleep(.05)")
    assert printed(outcome) == "".join(f"{i:02}" + "g" * 998 + "\n" for i in range(40))
    assert any("follows in full" in text for text in outcome.texts())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_killed_kernel_loses_nothing_that_was_held_back(new_kernel: Callable[..., Any]) -> None:
    """The next kernel finds the text, and the stub that was left in the notebook leads to it."""
    first = new_kernel()
    messages = first.start("import time\nfor i in range(2000): print('line', i, 'k' * 40)\ntime.sleep(600)",
                           until="still growing")
    ref = messages[-1][1]["metadata"]["toolstub"]["ref"]
    first.kill()
    second = new_kernel()
    expected = "''.join(f'line {i} ' + 'k' * 40 + '\\n' for i in range(2000))"
    assert second.run(f"text = %toolstub get {ref}\ntext == {expected}").text == "True"
    assert f"was {ref}" in second.run("%toolstub list").text
    assert second.run(f"text = %toolstub get {ref}\ntext == {expected}").text == "True"


def test_settings_that_cannot_be_read_are_told_once(new_kernel: Callable[..., Any], tmp_path: Path) -> None:
    """A mistake in toolstub.yaml is named; outputs are shown as without us."""
    (tmp_path / "toolstub.yaml").write_text("notebook: {treshold_chars: 5}\n")
    outcome = new_kernel().run(BIG)
    assert printed(outcome) == WHOLE
    assert "threshold_chars" in "".join(notices(outcome))


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted there")
@pytest.mark.parametrize("hand", [
    "os.unlink(store)",
    "os.rename(store, store + '.away')",
    "os.unlink(store); open(store, 'w').close()",
])
def test_a_store_that_is_deleted_while_it_is_open_is_made_anew(new_kernel: Callable[..., Any], tmp_path: Path,
                                                               hand: str) -> None:
    """What is stored after that is in a file that others can open, not in one that ends with the kernel."""
    kernel = new_kernel()
    kernel.run(BIG)
    kernel.run(f"import os\nstore = {str(tmp_path / 'store.db')!r}\n{hand}\n"
               "for end in ('-wal', '-shm'):\n    if os.path.exists(store + end): os.unlink(store + end)")
    (ref,) = kernel.run(BIG).refs()
    kernel.kill()
    with open_store(str(tmp_path / "store.db")) as store:
        assert store.read(ref).text == WHOLE


def test_lone_surrogates_survive_a_full_disk(new_kernel: Callable[..., Any], tmp_path: Path) -> None:
    """A message cannot carry them, so what is brought out has a mark in their place, and the rest of it whole."""
    kernel = new_kernel()
    kernel.run("from toolstub_ext.notebook.desk import Desk\n"
               "def full(*rest, **named): raise OSError('no space left')\nDesk.stub = full")
    outcome = kernel.run("print('a' * 5000 + '\\ud800' + 'b' * 5000)")
    assert printed(outcome) == "a" * 5000 + "\ufffd" + "b" * 5000 + "\n"
    outcome = kernel.run("raise ValueError('\\ud800' + 'c' * 9000)", allow=True)
    assert outcome.texts()[-1].count("c") > 100


@pytest.mark.parametrize("presses", [1, 2])
def test_an_interrupt_while_a_stub_is_made_loses_neither_output_nor_reply(new_kernel: Callable[..., Any],
                                                                         presses: int) -> None:
    """The first waits until the stub is out; with a second one the output comes whole. The reply always comes."""
    kernel = new_kernel()
    kernel.run("import signal, threading\nfrom toolstub_ext.notebook.desk import Desk\nplain = Desk.stub\n"
               "def interrupted(*rest, **named):\n"
               "    if threading.current_thread() is threading.main_thread():\n"
               f"        for _ in range({presses}): signal.raise_signal(signal.SIGINT)\n"
               "    return plain(*rest, **named)\nDesk.stub = interrupted")
    outcome = kernel.run(BIG, allow=True)
    assert outcome.reply["status"] == "ok"
    assert (len(outcome.stubs()), printed(outcome)) == ((1, "") if presses == 1 else (0, WHOLE))
    assert kernel.run("1 + 1").text == "2"


def test_an_interrupt_while_another_thread_stores_loses_no_reply(new_kernel: Callable[..., Any]) -> None:
    """The cell's end waits for the thread, and is not broken off by it."""
    kernel = new_kernel()
    kernel.run("import signal, threading, time\nlock = get_ipython()._toolstub_extension.tap._lock\n"
               "def hold():\n    with lock:\n        time.sleep(.5)\n        signal.raise_signal(signal.SIGINT)\n"
               "        time.sleep(.5)\n")
    outcome = kernel.run("threading.Thread(target=hold).start()\n1", allow=True)
    assert "1" in outcome.texts()
    assert kernel.run("1 + 1").text == "2"


def test_the_extension_is_not_doubled_by_a_fresh_import(new_kernel: Callable[..., Any]) -> None:
    """Whoever throws modules out of `sys.modules` still has one extension, and can take it away."""
    kernel = new_kernel()
    kernel.run("import sys\nfor name in [name for name in sys.modules if name.startswith('toolstub')]: "
               "del sys.modules[name]")
    kernel.run("%reload_ext toolstub_ext")
    assert len(kernel.run(BIG).stubs()) == 1
    kernel.run("%unload_ext toolstub_ext")
    assert printed(kernel.run(BIG)) == WHOLE
