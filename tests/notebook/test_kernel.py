"""Real kernels: whatever prints, from wherever, is shown small and stored whole."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from toolstub_ext.synopsis import is_stub


def ends_in_a_stub(outcome: Any) -> bool:
    """Whether the newest output is the final stub of something."""
    refs = outcome.refs()
    return bool(refs) and refs[-1].startswith("ts_")


@pytest.mark.parametrize(("code", "original"), [
    pytest.param("print('x' * 5000)", "x" * 5000 + "\n", id="print"),
    pytest.param("for i in range(30_000): print(i)", "".join(f"{i}\n" for i in range(30_000)), id="loop"),
    pytest.param("for i in range(500): print('flushed', i, 'f' * 20, flush=True)",
                 "".join(f"flushed {i} {'f' * 20}\n" for i in range(500)), id="flush"),
    pytest.param("import sys\nsys.stderr.write('e' * 5000)\nNone", "e" * 5000, id="stderr"),
    pytest.param("import os\nos.write(1, b'fd ' * 2000)\nimport time; time.sleep(.5)", "fd " * 2000, id="os.write"),
    pytest.param("import subprocess, sys\n_ = subprocess.run([sys.executable, '-c', 'print(\"sub\" * 2000)'])\n"
                 "import time; time.sleep(.5)", "sub" * 2000 + "\n", id="subprocess"),
    pytest.param("import logging\nlogging.basicConfig(level=20, force=True)\n"
                 "for i in range(300): logging.info('line %d', i)",
                 "".join(f"INFO:root:line {i}\n" for i in range(300)), id="logging"),
    pytest.param("import threading\ndef work():\n    for i in range(300): print('thread', i, 'z' * 20)\n"
                 "t = threading.Thread(target=work); t.start(); t.join()",
                 "".join(f"thread {i} {'z' * 20}\n" for i in range(300)), id="thread"),
    pytest.param("import asyncio\nfor i in range(300):\n    await asyncio.sleep(0)\n    print('async', i, 'a' * 20)",
                 "".join(f"async {i} {'a' * 20}\n" for i in range(300)), id="async"),
    pytest.param("from IPython.display import display\ndisplay({'text/plain': 'D' * 5000}, raw=True)", "D" * 5000,
                 id="display"),
    pytest.param("import threading\nfrom IPython.display import display\n"
                 "t = threading.Thread(target=display, args=({'text/plain': 'T' * 5000},), kwargs={'raw': True})\n"
                 "t.start(); t.join()", "T" * 5000, id="display from a thread"),
    pytest.param("'v' * 5000", repr("v" * 5000), id="result"),
    pytest.param("h = display({'text/plain': 'small'}, raw=True, display_id='one')\n"
                 "h.update({'text/plain': 'B' * 5000}, raw=True)", "B" * 5000, id="update"),
    pytest.param("from IPython.display import clear_output\nfor i in range(3):\n    clear_output(wait=True)\n"
                 "    print(str(i) * 5000)", "2" * 5000 + "\n", id="clear_output(wait)"),
])
def test_a_large_output_is_one_stub_and_its_original_is_exact(kernel: Any, code: str, original: str) -> None:
    """However it was printed, the last stub leads to all of it, character by character."""
    outcome = kernel.run(code)
    assert ends_in_a_stub(outcome)
    assert len(outcome.text) < 6000
    get = f"get_ipython().run_line_magic('toolstub', 'get {outcome.refs()[-1]}')"
    assert kernel.value(f"{get} == {original!r}") is True


@pytest.mark.parametrize(("code", "shown"), [
    ("print('small')", ["small\n"]),
    ("import sys\nprint('out'); sys.stdout.flush(); print('err', file=sys.stderr)", ["out\n", "err\n"]),
    ("import time\nfor i in range(200):\n    print(f'\\r{i:3}/200 ' + '#' * 60, end='', flush=True)", None),
    ("import io, contextlib\nb = io.StringIO()\nwith contextlib.redirect_stdout(b): print('red' * 3000)\n"
     "len(b.getvalue())", ["9001"]),
    ("from IPython.utils.capture import capture_output\nwith capture_output() as c:\n    print('cap' * 3000)\n"
     "    display({'text/plain': 'C' * 5000}, raw=True)\nlen(c.stdout), len(c.outputs[0].data['text/plain'])",
     ["(9001, 5000)"]),
    ("display({'text/plain': '<Figure>', 'image/png': 'iVBORw0KGgo='}, raw=True)", ["<Figure>"]),
    ("from IPython.display import clear_output\nprint('q' * 5000)\nclear_output(wait=True)\nprint('after')",
     ["after\n"]),
    ("%%toolstub off\nprint('x' * 5000)", ["x" * 5000 + "\n"]),
    ("%%toolstub off\nimport asyncio\nawait asyncio.sleep(0)\nprint('x' * 5000)", ["x" * 5000 + "\n"]),
    ("%%toolstub off\n%%capture captured\nprint('x' * 5000)", []),
])
def test_what_is_small_captured_or_a_picture_is_untouched(kernel: Any, code: str, shown: list[str] | None) -> None:
    """Nothing of ours is seen where there is nothing to do."""
    outcome = kernel.run(code)
    assert outcome.stubs() == []
    if shown is not None:
        assert outcome.texts() == shown


def test_the_order_of_outputs_is_kept(kernel: Any) -> None:
    """Two large prints around a display are two stubs around it."""
    texts = kernel.run("print('a' * 5000)\ndisplay({'text/plain': 'between'}, raw=True)\nprint('b' * 5000)").texts()
    assert [text if text == "between" else is_stub(text) for text in texts] == [True, "between", True]


def test_a_cell_that_prints_and_displays_for_ever_stays_small(kernel: Any) -> None:
    """Many small outputs end in one stub that has them all."""
    outcome = kernel.run("for i in range(300):\n    print('line', i, 'y' * 40)\n"
                         "    display({'text/plain': f'value {i} ' + 'v' * 60}, raw=True)")
    assert len(outcome.text) < 9500
    assert len(outcome.stubs()) == 1
    original = f"get_ipython().run_line_magic('toolstub', 'get {outcome.refs()[0]}')"
    assert kernel.value(f"'line 299 ' in {original}") is True
    assert kernel.value(f"'value 299 ' in {original}") is True


def test_a_long_error_is_short_in_both_places_and_still_an_error(kernel: Any) -> None:
    """Forty frames become a few lines that begin with the message; a run that stops at errors stops."""
    outcome = kernel.run(
        "space = {}\nfor i in range(40):\n"
        "    body = f'return f{i - 1}(x)' if i else 'raise KeyError(\"m\" * 900)'\n"
        "    code = f'def f{i}(x):\\n    {body}\\n'\n"
        "    exec(compile(code, f'step{i}.py', 'exec'), space)\nspace['f39'](1)", allow=True)
    (error,) = [content for kind, content in outcome.messages if kind == "error"]
    assert error["ename"] == outcome.reply["ename"] == "KeyError"
    assert outcome.reply["status"] == "error"
    assert error["traceback"] == outcome.reply["traceback"]
    assert error["traceback"][0].startswith("KeyError: 'mmm")
    assert len("\n".join(error["traceback"])) + len(error["evalue"]) < 4000
    ref = re.findall(r"ts_[0-9a-f]{16}", error["traceback"][-1])[0]
    assert kernel.value(f"get_ipython().run_line_magic('toolstub', 'get {ref}').count('in f')") == 40


@pytest.mark.parametrize("code", ["1/0", "def (", "raise ValueError('short')"])
def test_a_short_error_is_untouched(kernel: Any, code: str) -> None:
    """The traceback is IPython's own."""
    outcome = kernel.run(code, allow=True)
    assert "toolstub" not in str(outcome.reply["traceback"])


def test_an_interrupted_cell_loses_nothing(kernel: Any) -> None:
    """The stub of what was printed stands before the KeyboardInterrupt."""
    outcome = kernel.run("import time\nfor i in range(100_000):\n    print('spam', i, 's' * 90)\n    time.sleep(.001)",
                         interrupt_at="still growing")
    assert outcome.reply["ename"] == "KeyboardInterrupt"
    assert [kind for kind, _ in outcome.messages][-1] == "error"
    assert ends_in_a_stub(outcome)
    lines = f"get_ipython().run_line_magic('toolstub', 'get {outcome.refs()[-1]}').split('\\n')[:-1]"
    assert kernel.value(f"all(line.startswith(f'spam {{i}} ') for i, line in enumerate({lines}))") is True


@pytest.mark.parametrize("code", [
    "import threading, time\ndef later():\n    time.sleep(.3); print('late ' * 1000)\n"
    "threading.Thread(target=later).start()",
    "import asyncio\nasync def later():\n    await asyncio.sleep(.3); print('late ' * 1000)\n"
    "task = asyncio.create_task(later())",
])
def test_what_comes_after_the_end_of_the_cell_is_finished_too(kernel: Any, code: str) -> None:
    """A thread or a task that prints when the kernel is idle has its stub in its own cell."""
    outcome = kernel.run(code, wait_for=ends_in_a_stub)
    assert outcome.stubs()[-1]["metadata"]["toolstub"]["chars"] == 5001


def test_a_forked_child_prints_as_without_us(kernel: Any) -> None:
    """A child has no thread that could finish a stub, so all that it prints passes."""
    outcome = kernel.run(
        "import multiprocessing, warnings\nwarnings.simplefilter('ignore')\n"
        "def work(): print('child' * 2000)\n"
        "p = multiprocessing.get_context('fork').Process(target=work); p.start(); p.join()",
        wait_for=lambda outcome: outcome.text.count("child") == 2000)
    assert outcome.stubs() == []


def test_an_output_widget_has_the_stub_of_what_it_caught(kernel: Any) -> None:
    """The stub is sent while the widget still catches."""
    pytest.importorskip("ipywidgets")
    outcome = kernel.run("import ipywidgets\no = ipywidgets.Output()\nwith o:\n    print('in out ' * 1000)")
    caught = [content["data"]["state"]["msg_id"] != "" if kind == "comm_msg" else "stub"
              for kind, content in outcome.messages if kind in ("comm_msg", "display_data")]
    assert caught == [True, "stub", False]


def test_unloading_in_the_middle_of_a_cell_keeps_its_output(new_kernel: Callable[..., Any]) -> None:
    """What was printed before is stubbed, what comes after is shown; the shell is as it was."""
    kernel = new_kernel()
    outcome = kernel.run("print('a' * 5000)\n%unload_ext toolstub_ext\nprint('b' * 5000)")
    assert len(outcome.stubs()) == 1
    assert "b" * 5000 in outcome.text
    assert kernel.value("'send' in vars(get_ipython().kernel.session)") is False
    assert kernel.value("'skip_transform' in str(get_ipython().input_transformers_cleanup)") is False
    assert "not found" in kernel.run("%toolstub status", allow=True).text
    assert kernel.run("print('c' * 5000)").stubs() == []
    kernel.run("%load_ext toolstub_ext")
    assert len(kernel.run("print('d' * 5000)").stubs()) == 1


def test_loading_twice_wraps_once(new_kernel: Callable[..., Any]) -> None:
    """The second load changes nothing, and one unload undoes both."""
    kernel = new_kernel("import toolstub_ext\ntoolstub_ext.load_ipython_extension(get_ipython())\n"
                        "toolstub_ext.load_ipython_extension(get_ipython())")
    assert len(kernel.run("print('d' * 5000)").stubs()) == 1
    kernel.run("toolstub_ext.unload_ipython_extension(get_ipython())")
    assert kernel.run("print('c' * 5000)").stubs() == []


def test_another_wrapper_on_top_of_ours_survives_unloading(new_kernel: Callable[..., Any]) -> None:
    """Somebody else may wrap the same method; we step aside without taking theirs away."""
    kernel = new_kernel()
    kernel.run("session = get_ipython().kernel.session\nours = session.send\ncount = [0]\n"
               "def send(*args, **kwargs):\n    count[0] += 1\n    return ours(*args, **kwargs)\nsession.send = send")
    kernel.run("%unload_ext toolstub_ext")
    assert kernel.run("print('c' * 5000)").stubs() == []
    assert kernel.value("session.send is send and count[0] > 0") is True


def test_loading_is_silent_and_imports_nothing_foreign(new_kernel: Callable[..., Any]) -> None:
    """No message and no third-party module that the kernel had not before."""
    kernel = new_kernel("import sys\nbefore = set(sys.modules)")
    outcome = kernel.run("%load_ext toolstub_ext\nafter = set(sys.modules)")
    assert outcome.messages == []
    new = kernel.value("sorted({name.partition('.')[0] for name in after - before})")
    foreign = {"yaml", "msgspec", "zstandard", "platformdirs", "re2", "ipywidgets", "anywidget", "sqlite3", "nbformat"}
    assert foreign.isdisjoint(new)
    ours = kernel.value("sorted({name.partition('.')[0] for name in after - before} - sys.stdlib_module_names)")
    assert set(ours) <= {"toolstub_ext", "IPython"}


def test_two_megabytes_come_back_exactly(kernel: Any) -> None:
    """`%toolstub get` in a later cell returns the very text."""
    (ref,) = kernel.run("big = ''.join(f'{i:07}: thirty-two characters a line\\n' for i in range(53_000))\n"
                        "print(big, end='')").refs()
    assert kernel.run(f"text = %toolstub get {ref}\ntext == big, len(text) > 2_000_000").text == "(True, True)"
