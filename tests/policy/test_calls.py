"""Calls: what they asked for, whatever their tools are like."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolstub_ext.policy.calls import Call


def call(tool: str = "Read", **arguments: Any) -> Call:
    """A call with these arguments."""
    return Call(tool, json.dumps(arguments))


@pytest.mark.parametrize(("made", "written"), [
    (call(file_path="src/app.py", limit=5), "Read(src/app.py)"),
    (call("Bash", command="ls -la\n\n  src"), "Bash(ls -la src)"),
    (call("x", query="q"), 'x({"query": "q"})'),
    (Call("", "not json"), "tool(not json)"),
    (call(path="a" * 200), f"Read({'a' * 79}…)"),
    (Call("apply", "[1, 2]"), "apply([1, 2])"),
])
def test_a_call_is_called_as_one_would_write_it(made: Call, written: str) -> None:
    """By its file or command, on one line, and short."""
    assert str(made) == written


@pytest.mark.parametrize(("made", "part"), [
    (call(file_path="a.py"), False), (call(file_path="a.py", offset=0, limit=None), False),
    (call(file_path="a.py", offset=10), True), (call(path="a.py", view_range=[1, 5]), True),
    (call("Bash", command="sed -n '1,20p' a.py"), True), (call("Bash", command="cat a.py | head -50"), True),
    (call("Bash", cmd="rg -n foo a.py"), True), (call("Bash", command="cat a.py"), False), (Call("x", ""), False),
])
def test_some_ask_for_a_part(made: Call, part: bool) -> None:
    """By a range among the arguments, or a command that prints some lines."""
    assert made.wants_part is part


@pytest.mark.parametrize(("made", "reads"), [
    (call(path="src/a.go"), True), (call(path="a.md"), False), (call("Bash", command="cat -n src/a.rs"), True),
    (call("Bash", command="python a.py"), False), (call("Bash", command="pytest x | tail a.py"), False),
    (call("Bash", command=["cat", "a.py"]), False),
])
def test_some_read_code(made: Call, reads: bool) -> None:
    """By the ending of the file, unless it is run."""
    assert made.reads_code is reads


@pytest.mark.parametrize(("path", "reads"), [
    ("CLAUDE.md", True), ("/x/skills/pdf/notes.txt", True), ("docs/agents.md", True), ("README.md", False),
])
def test_some_read_instructions(path: str, reads: bool) -> None:
    """By the names that agents give them."""
    assert call(path=path).reads_instructions is reads


@pytest.mark.parametrize(("path", "name"), [
    ("src/app.py", "app.py"), ("C:\\src\\app.py", "app.py"), ("a.py", ""), ("", ""),
])
def test_a_file_goes_by_its_name(path: str, name: str) -> None:
    """Without folders of either system; one that is too short could be any."""
    assert call(path=path).file_name == name


def test_what_a_call_writes_are_its_long_texts() -> None:
    """Numbers, short texts and what is nested are not."""
    made = call("Write", path="a", content="x" * 50, old="y" * 49, edits=["z" * 90], n=10**60)
    assert [*made.written(50)] == ["x" * 50]
