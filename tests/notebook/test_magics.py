"""`%toolstub` in a real kernel."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolstub_ext.notebook.commands import COMMANDS, line_parser
from toolstub_ext.notebook.magics import skip_transform


@pytest.fixture(scope="module")
def ref(kernel: Any) -> str:
    """The ref of a table that a cell printed."""
    (found,) = kernel.run("print('id,name\\n' + '\\n'.join(f'{i},name{i}' for i in range(1000)))").refs()
    return str(found)


@pytest.mark.parametrize(("line", "expected"), [
    ("%toolstub", "toolstub is on: an output above 4,000 characters becomes a stub of at most 800"),
    ("%toolstub status", "store: "),
    ("%toolstub list", "{ref}  stdout  csv "),
    ("%toolstub search name77 {ref}", "{ref}:79: 77,name77"),
    ("%toolstub search 'name77' {ref}", "{ref}:79: 77,name77"),
    ("%toolstub search -e '^5,' {ref}", "{ref}:7: 5,name5"),
    ("%toolstub search -i NAME999", "{ref}:1001: 999,name999"),
    ("%toolstub search nowhere", "'nowhere' is not there"),
    ("%toolstub query {ref} name where id == 77", "78: name77"),
    ("%toolstub query {ref} name where name contains 'e5' and id < 10", "row: name\n6: name5"),
    ("%toolstub query {ref} [?id > `997`].name", '"name998"\n"name999"'),
    ("%toolstub query {ref} '[?id > `998`].name'", '"name999"'),
    ('%toolstub query {ref} "name where id == 77"', "78: name77"),
    ('%toolstub query {ref} "name"', "row: name\n1: name0"),
    ("%toolstub show {ref} --lines 2:3", "0,name0\n1,name1"),
    ("%toolstub stats", " since loading: "),
    ("%toolstub -h", "%toolstub get REF"),
])
def test_each_command_answers_in_plain_text(kernel: Any, ref: str, line: str, expected: str) -> None:
    """The answers are short and to the point, and never stubbed."""
    outcome = kernel.run(line.format(ref=ref))
    assert expected.format(ref=ref) in outcome.text
    assert outcome.refs() == []


@pytest.mark.parametrize(("line", "said"), [
    ("%toolstub sttus", "no command 'sttus'; did you mean `%toolstub status`?"),
    ("%toolstub xyzzy", "no command 'xyzzy'; `%toolstub -h` shows them"),
    ("%toolstub get", "write %toolstub get REF; `%toolstub list` shows the refs"),
    ("%toolstub get ts_0000000000000000", "no such ref: ts_0000000000000000 (`%toolstub list`"),
    ("%toolstub get live_000000000000", "no such ref: live_000000000000"),
    ("%toolstub show nonsense", "nonsense"),
    ("%toolstub search", "write %toolstub search PATTERN [REF]"),
    ("%toolstub query {ref}", "write %toolstub query REF EXPR"),
    ("%toolstub query {ref} nme", 'no column "nme"; did you mean name?'),
    ("%toolstub search -e (", "missing ) at character 0"),
    ("%toolstub search 'half", "No closing quotation"),
    ("%toolstub get {ref} --linse 1:2", "--linse"),
    ("%toolstub get {ref} --lines x", "lines"),
    ("%toolstub off {ref}", "%toolstub off takes nothing more"),
    ("%toolstub on --cell", "--cell goes with %toolstub off only"),
    ("%toolstub get {ref} -e", "--regex goes with %toolstub search only"),
    ("%toolstub list --lines 1:2", "--lines goes with %toolstub get and show only"),
    ("%%toolstub on\n1", "'on' cannot stand above a cell"),
])
def test_a_mistake_is_one_line_that_says_what_to_do(kernel: Any, ref: str, line: str, said: str) -> None:
    """No traceback; the cell fails, so that a run stops."""
    outcome = kernel.run(line.format(ref=ref), allow=True)
    assert outcome.reply["status"] == "error"
    assert said in outcome.text
    assert outcome.text.count("\n") == 1


def test_a_hint_names_what_a_notebook_has(kernel: Any) -> None:
    """Not the names that a model calls."""
    (log,) = kernel.run("for n in range(1000): print('step', n, 'loss', 1 / (n + 1))").refs()
    said = kernel.run(f"%toolstub query {log} *", allow=True).text
    assert "%toolstub search" in said
    assert "toolstub_" not in said
    (code,) = kernel.run("for n in range(900): print(f'def toolstub_{n}():\\n    return {n}')").refs()
    assert "%toolstub show REF --lines A:B" in kernel.run(f"%toolstub query {code} *").text
    assert "def toolstub_7()" in kernel.run(f"%toolstub query {code} toolstub_7").text


@pytest.mark.parametrize("first", ["%%toolstub off", "%%toolstub  off ", "%%toolstub\toff", "\n\n%%toolstub off"])
def test_blanks_in_the_line_above_a_cell_do_not_matter(kernel: Any, first: str) -> None:
    """As IPython's own magics take them."""
    assert kernel.run(f"{first}\nprint('w' * 5000)").text == "w" * 5000 + "\n"


def test_get_returns_what_was_printed(kernel: Any, ref: str) -> None:
    """A str, whole or some lines of it."""
    assert kernel.run(f"text = %toolstub get {ref}\ntype(text) is str, len(text.split('\\n'))").text == "(True, 1002)"
    assert kernel.run(f"part = %toolstub get {ref} --lines 1:2\npart").text == repr("id,name\n0,name0")


def test_off_and_on(kernel: Any) -> None:
    """Off shows all, on stubs again, and what was held before `off` in a cell is still a stub."""
    assert len(kernel.run("print('a' * 5000)\n%toolstub off\nprint('b' * 5000)").stubs()) == 1
    assert kernel.run("print('c' * 5000)").stubs() == []
    kernel.run("%toolstub on")
    assert len(kernel.run("print('d' * 5000)").stubs()) == 1


def test_config_changes_a_limit_at_once(kernel: Any) -> None:
    """`%config` is the usual way to change a trait, and it lists them."""
    kernel.run("%config ToolStub.threshold_chars = 100")
    assert len(kernel.run("print('a' * 900)").stubs()) == 1
    assert "ToolStub.cell_budget_chars" in kernel.run("%config ToolStub").text
    kernel.run("%config ToolStub.threshold_chars = 4000")


def test_another_store_can_be_chosen(kernel: Any, tmp_path: Path) -> None:
    """What is printed after the change is kept in the new place."""
    kernel.run(f"%config ToolStub.store = {str(tmp_path / 'other.db')!r}")
    kernel.run("print('elsewhere ' * 1000)")
    assert (tmp_path / "other.db").exists()
    assert str(tmp_path / "other.db") in kernel.run("%toolstub status").text
    kernel.run("%config ToolStub.store = ''")


def test_the_file_and_the_environment_set_the_limits(new_kernel: Callable[..., Any], tmp_path: Path) -> None:
    """A kernel obeys the same settings as the proxy; the profile's config wins."""
    (tmp_path / "toolstub.yaml").write_text("notebook: {threshold_chars: 300}\n")
    assert len(new_kernel().run("print('a' * 900)").stubs()) == 1
    kernel = new_kernel(TOOLSTUB_NOTEBOOK__THRESHOLD_CHARS="950")
    assert kernel.run("print('a' * 900)").stubs() == []
    load = "get_ipython().config.ToolStub.threshold_chars = 200\n%load_ext toolstub_ext"
    assert len(new_kernel(load).run("print('a' * 900)").stubs()) == 1


def test_commands_and_refs_complete(kernel: Any, ref: str) -> None:
    """Tab offers the commands, and after `get` the refs."""
    found = kernel.value("get_ipython().complete('s', '%toolstub s', 11)[1]")
    assert {"status", "search", "show", "stats"} <= set(found)
    assert ref in kernel.value("get_ipython().complete('ts_', '%toolstub get ts_', 17)[1]")


def test_stats_explains_each_output(kernel: Any) -> None:
    """Which it was, under which ref, why it was put away, and what it takes now."""
    (ref,) = kernel.run("print('explained line\\n' * 3000)").refs()
    (row,) = (line for line in kernel.run("%toolstub stats").text.splitlines() if line.startswith(ref))
    assert "stdout" in row
    assert "45,001 ->" in row
    assert row.endswith("45,001 > 4,000 chars")


def test_show_opens_the_explorer(kernel: Any, ref: str) -> None:
    """A widget in an output of its own."""
    pytest.importorskip("ipywidgets")
    data = kernel.run(f"%toolstub show {ref}").messages[-1][1]["data"]
    assert "application/vnd.jupyter.widget-view+json" in data


def test_show_without_ipywidgets_says_how_to_get_it(new_kernel: Callable[..., Any]) -> None:
    """One line with the command, and what works until then; stubs and magics work all the same."""
    kernel = new_kernel("import sys\nsys.modules.update(ipywidgets=None, anywidget=None)\n"
                        "get_ipython().run_line_magic('load_ext', 'toolstub_ext')")
    (ref,) = kernel.run("print('a' * 5000)").refs()
    said = kernel.run(f"%toolstub show {ref}").text
    assert re.search(rf'needs ipywidgets: pip install .*\[notebook\]"; until then: %toolstub show {ref} --lines', said)
    kernel.run("import asyncio\nawait asyncio.sleep(1.5)")
    assert kernel.run("%toolstub status").text.count("fault") == 0


@pytest.mark.parametrize(("lines", "becomes"), [
    (["%%toolstub off\n", "x = 1\n"], ["%toolstub off --cell\n", "x = 1\n"]),
    (["%%toolstub off  \n"], ["%toolstub off --cell\n"]),
    (["%%toolstub on\n", "x = 1\n"], ["%%toolstub on\n", "x = 1\n"]),
    (["x = 1\n", "%%toolstub off\n"], ["x = 1\n", "%%toolstub off\n"]),
    ([], []),
])
def test_only_the_first_line_can_switch_a_cell_off(lines: list[str], becomes: list[str]) -> None:
    """Line numbers stay, so errors point at the right line."""
    assert skip_transform(lines) == becomes


def test_every_command_is_documented(kernel: Any) -> None:
    """The help names them all, and every option."""
    text = kernel.run("%toolstub -h").text
    assert all(command in text for command in COMMANDS)
    options = {option for action in line_parser()._actions for option in action.option_strings}
    assert options == set(re.findall(r"(?<!\S)--?[a-z-]+", text))
