"""Kinds of results: by what they are, by how they were asked for, and by what the user said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolstub_ext.policy.kinds import in_words, kind_of
from toolstub_ext.presets import KINDS
from toolstub_ext.synopsis import synopsize
from toolstub_ext.transcript import Said, ToolResult

from .conversations import code, numbered, result

CODE = "\n".join(code(40))
PROSE = "We met on Monday and spoke about the plan for the year. Nobody objected to it.\n" * 30
MARKDOWN = "# Plan\n\n" + "".join(f"## Part {n}\n\n- one `thing`\n- another\n\n" for n in range(30))
GREP = "".join(f"src/part_{n % 7}.py:{n}:    value = compute({n})\n" for n in range(1, 120))
LOG = "".join(f"2026-01-01 10:00:{n % 60:02} INFO job {n} done\n" for n in range(150))
DIFF = "".join(f"diff --git a/f{n} b/f{n}\n--- a/f{n}\n+++ b/f{n}\n@@ -1 +1 @@\n-a\n+b\n" for n in range(40))


def judged(text: str, *said: str, **call: Any) -> str:
    """The kind of a result."""
    made: ToolResult = result(text, **call)
    return kind_of(made, synopsize(text, tool=made.tool), [Said(one, 0) for one in said])


@pytest.mark.parametrize(("text", "kind"), [
    (CODE, "code"), (numbered(code(40)), "code"), (numbered(PROSE.split("\n")), "code"), (PROSE, "text"),
    (MARKDOWN, "markdown"), (GREP, "grep"), (LOG, "log"), (DIFF, "diff"),
    (json.dumps([{"id": n, "name": f"n{n}"} for n in range(90)]), "json"),
    ("id,name\n" + "".join(f"{n},n{n}\n" for n in range(200)), "csv"),
    ("<r>" + "<i k='1'/>" * 300 + "</r>", "html"), ("\x00\x01" * 500, "text"), ("", "text"),
])
def test_a_text_is_of_a_kind(text: str, kind: str) -> None:
    """By what it is alone."""
    assert judged(text) == kind


@pytest.mark.parametrize(("text", "call", "kind"), [
    (numbered(code(40)), {"offset": 100}, "code_part"),
    (CODE, {"command": "sed -n '1,90p' src/app.py"}, "code_part"),
    (GREP, {"command": "grep -rn compute src"}, "grep"),
    (PROSE, {"path": "src/notes.py"}, "code"),
    (PROSE, {"tool": "Task"}, "report"), (CODE, {"tool": "Agent"}, "report"),
    (MARKDOWN, {"file_path": "/home/u/CLAUDE.md"}, "instructions"),
    (numbered(MARKDOWN.split("\n")), {"file_path": "x/SKILL.md", "offset": 3}, "instructions"),
    (GREP, {"command": "grep -rn x CLAUDE.md"}, "grep"),
])
def test_how_it_was_asked_for_counts(text: str, call: dict[str, Any], kind: str) -> None:
    """A part is not the whole, and a report or instructions are no ordinary text."""
    assert judged(text, **call) == kind


def test_a_file_that_the_user_has_named_is_looked_at_longer() -> None:
    """By its name; a part of it is a part."""
    assert judged(CODE, "please mend app_main.py", file_path="/src/app_main.py") == "code_named"
    assert judged(CODE, "please mend other.py", file_path="/src/app_main.py") == "code"
    assert judged(CODE, "please mend app_main.py", file_path="/src/app_main.py", limit=9) == "code_part"
    assert judged(PROSE, "please mend notes.txt", file_path="notes.txt") == "text"


def test_every_kind_has_words() -> None:
    """For explanations."""
    assert {in_words(kind) for kind in KINDS} >= {"code", "code named by the user", "part of code", "log"}
