"""The same conversations told in every wire format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from toolstub_ext.wire import Beginning, Reading

PATHS = {"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses"}
pieces = st.text(st.characters(codec=None, categories=None), min_size=1, max_size=20) | st.sampled_from([
    "INFO 12:00:01 request served\n", '{"id": 1},', "a,b,c\n1,2,3\n", "def f(x):\n    return x\n"])
results = st.builds(lambda piece, times: piece * times, pieces, st.sampled_from([0, 1, 40, 400]))
EDITS = "Edit"
"""A tool whose calls hand over what their results say."""
tools = st.sampled_from(["Read", "Bash", EDITS, "\ud83d"])
turns = st.lists(st.tuples(st.lists(st.tuples(tools, results, st.booleans()), max_size=3),
                           st.sampled_from(["", "so", "why?"])), min_size=1, max_size=4)
Turns = list[tuple[list[tuple[str, str, bool]], str]]


def _given(tool: str, result: str) -> dict[str, Any]:
    return {"n": 1.0, "edits": [{"old_string": result}]} if tool == EDITS else {"n": 1.0}


def _chat(said: Turns) -> Iterator[list[dict[str, Any]]]:
    """What each turn adds."""
    for number, (calls, text) in enumerate(said):
        made = [{"id": f"{number}_{n}", "type": "function", "function": {"name": tool, "arguments": json.dumps(
            _given(tool, out))}} for n, (tool, out, _) in enumerate(calls)]
        yield [{"role": "assistant", "content": text, "reasoning": 1.0, **({"tool_calls": made} if made else {})},
               *({"role": "tool", "tool_call_id": f"{number}_{n}", "content": [{"type": "text", "text": out}] if part
                  else out} for n, (_, out, part) in enumerate(calls)), {"role": "user", "content": "go on"}]


def _messages(said: Turns) -> Iterator[list[dict[str, Any]]]:
    for number, (calls, text) in enumerate(said):
        thought = {"type": "thinking", "thinking": text * 300, "signature": "s" * 900}
        made = [{"type": "tool_use", "id": f"{number}_{n}", "name": tool, "input": _given(tool, out)}
                for n, (tool, out, _) in enumerate(calls)]
        answers = [{"type": "tool_result", "tool_use_id": f"{number}_{n}", "is_error": part, "content": [
            {"type": "image", "source": {"data": "x" * 999}}, {"type": "text", "text": out, "cache_control": {}},
        ] if part else out} for n, (_, out, part) in enumerate(calls)]
        yield [{"role": "assistant", "content": [thought, {"type": "text", "text": text}, *made]},
               {"role": "user", "content": [*answers, {"type": "text", "text": "go on"}]}]


def _responses(said: Turns) -> Iterator[list[dict[str, Any]]]:
    for number, (calls, text) in enumerate(said):
        yield [{"type": "reasoning", "summary": [], "encrypted_content": "e" * 900},
               {"role": "assistant", "content": [{"type": "output_text", "text": text}]},
               *({"type": "function_call", "call_id": f"{number}_{n}", "name": tool,
                  "arguments": json.dumps(_given(tool, out))} for n, (tool, out, _) in enumerate(calls)),
               *({"type": "function_call_output", "call_id": f"{number}_{n}", "output": [
                   {"type": "input_image", "image_url": "x" * 999}, {"type": "input_text", "text": out},
               ] if part else out} for n, (_, out, part) in enumerate(calls)), {"role": "user", "content": "go on"}]


FORMATS = {
    "chat": ("messages", _chat, {"type": "function", "function": {"name": "Read"}}),
    "messages": ("messages", _messages, {"name": "Read", "input_schema": {"type": "object"}}),
    "responses": ("input", _responses, {"type": "function", "name": "Read"}),
}


def known_of(reading: Reading) -> list[tuple[Beginning, str]]:
    """What a longer body need not be read for again, up to the last two turns and up to the last message, and how such
    a body begins."""
    known = reading.beginning
    if known is None:
        return []
    near = known.near, reading.body[:known.end.chars]
    return [near, (known, reading.body[:known.whole.end.chars])] if known.goes_on else [near]
