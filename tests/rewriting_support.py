"""Requests with large results in them, for the tests of the rewriting."""

from __future__ import annotations

import json
from typing import Any

from toolstub_ext import retrieval
from toolstub_ext.rewriting import Rewritten

LARGE = "".join(f"request {number} was served and there is nothing to see here\n" for number in range(1_000))
SMALL = "all is well"
TOOL = {"type": "function", "function": {"name": "Bash", "parameters": {"type": "object"}}}
OURS = json.loads("[" + retrieval.definitions("chat") + "]")
USER = {"role": "user", "content": "look"}


def turn(*outputs: Any, tool: str = "Bash", start: int = 0) -> list[dict[str, Any]]:
    """An assistant message with a call for each output, and the outputs."""
    ids = [f"c{start + place}" for place in range(len(outputs))]
    calls = [{"id": i, "type": "function", "function": {"name": tool, "arguments": "{}"}} for i in ids]
    answers = [{"role": "tool", "tool_call_id": i, "content": out} for i, out in zip(ids, outputs, strict=True)]
    return [{"role": "assistant", "content": None, "tool_calls": calls}, *answers]


def request(*messages: dict[str, Any], **more: Any) -> bytes:
    """A request's body, with one tool unless `more` says otherwise."""
    return json.dumps({"model": "m", "tools": [TOOL], "messages": [USER, *messages], **more}).encode()


def sent(rewritten: Rewritten) -> Any:
    """What the provider gets."""
    return json.loads(rewritten.body)
