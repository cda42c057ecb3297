"""The model of the demo's conversation: a few rules in place of a mind. It sees what a model would see, and no more.

It is asked after two limits in a source file. It answers only from lines that it has read, and says which.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .upstream_model import Reply

_STUB = "[toolstub] tool result externalized\n"
_REF = re.compile(r"^ref: (ts_[0-9a-f]{16})$", re.MULTILINE)
_LIMIT = re.compile(r"^ *(\d+)\t +(max_repeats|max_redirections) = (\d+)$", re.MULTILINE)
_HIT_LINE = re.compile(r"\bline (\d+)")
_LINES_AROUND = 12


def question_about(path: str) -> str:
    """What the agent is asked."""
    return f"How many redirects does the code in {path} follow, to one URL and in all? Name the lines."


def answer_from(text: str) -> str | None:
    """The answer, if these numbered lines hold it."""
    found = {name: (value, line) for line, name, value in _LIMIT.findall(text)}
    if not found.keys() >= {"max_repeats", "max_redirections"}:
        return None
    (repeats, first), (redirections, second) = found["max_repeats"], found["max_redirections"]
    return f"At most {repeats} to one URL (line {first}) and {redirections} in all (line {second})."


def reply_to(body: dict[str, Any]) -> Reply:
    """The model's turn."""
    messages = body["messages"]
    calls = {call["id"]: call["function"] for message in messages for call in message.get("tool_calls") or ()}
    results = [(calls[m["tool_call_id"]]["name"], m["content"]) for m in messages if m["role"] == "tool"]
    if not results:
        path = re.search(r"code in (.+) follow", messages[0]["content"])
        return _call("read_file", path=path[1] if path else "")
    tool, text = results[-1]
    if text.startswith(_STUB) and (ref := _REF.search(text)):
        return _call("toolstub_search", query="max_redirections =", ref=ref[1], regex=False, ignore_case=False)
    if tool == "toolstub_search" and (line := _HIT_LINE.search(text)):
        ref_read = json.loads(calls[messages[-1]["tool_call_id"]]["arguments"])["ref"]
        around = f"{max(1, int(line[1]) - _LINES_AROUND)}:{int(line[1]) + _LINES_AROUND}"
        return _call("toolstub_read", ref=ref_read, lines=around, offset=None, limit=None)
    return Reply(answer_from(text) or f"I cannot tell from this: {text[:200]!r}")


def _call(name: str, **arguments: Any) -> Reply:
    return Reply(calls=((name, json.dumps(arguments)),))
