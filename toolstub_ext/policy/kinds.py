"""Of which kind a result is: what it is, how it was asked for, and whether the user spoke of it.

    code            a file of code, or one with line numbers, read whole
    code_named      the same, and the user has named it
    code_part       some lines of code: a range, a head, what matches
    instructions    what somebody wrote for agents: SKILL.md, CLAUDE.md, AGENTS.md, CONTRIBUTING.md
    report          the report of a sub-agent
    grep listing log json text markdown diff repr csv html
"""

from __future__ import annotations

from collections.abc import Sequence

from ..synopsis import Synopsis
from ..transcript import Said, ToolResult
from .calls import Call

REPORTERS = ("Task", "Agent", "task", "agent", "dispatch_agent")

_BY_KIND = {"json": "json", "csv": "csv", "tsv": "csv", "xml": "html"}
_BY_VARIANT = {
    "grep": "grep", "listing": "listing", "log": "log", "traceback": "log", "test-report": "log", "progress": "log",
    "markdown": "markdown", "diff": "diff", "repr": "repr", "table": "csv",
}
_MAY_BE_CODE = ("text", "markdown", "log")
_WORDS = {
    "code_named": "code named by the user", "code_part": "part of code", "report": "report of an agent",
}


def kind_of(result: ToolResult, synopsis: Synopsis, said: Sequence[Said]) -> str:
    """The kind of a result that stands behind what the user `said`."""
    call = Call.of(result)
    if result.tool in REPORTERS:
        return "report"
    kind = _shape(synopsis)
    numbered = "numbered " in synopsis.title
    if call.reads_instructions and (numbered or kind in ("text", "markdown")):
        return "instructions"
    if synopsis.kind != "code" and not numbered and not (kind in _MAY_BE_CODE and call.reads_code):
        return kind
    if call.wants_part:
        return "code_part"
    name = call.file_name
    return "code_named" if name and any(name in one.text for one in said) else "code"


def in_words(kind: str) -> str:
    """The kind as an explanation calls it."""
    return _WORDS.get(kind, kind)


def _shape(synopsis: Synopsis) -> str:
    """The kind by what the text is alone; what has no rule of its own is text."""
    if synopsis.kind == "text":
        return _BY_VARIANT.get(synopsis.variant or "", "text")
    return _BY_KIND.get(synopsis.kind, "text")
