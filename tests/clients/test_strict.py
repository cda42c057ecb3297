"""The stand-ins refuse what the APIs refuse, and the views what a format does not allow; so a row can fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from clients.strict import chat, messages, responses
from clients.tap import Exchange
from clients.views import GrammarError, view_of

from toolstub_proxy.demo.upstream_rules import RefusedError

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
USER = {"role": "user", "content": "hi"}
CALL = {"id": "c1", "type": "function", "function": {"name": "t", "arguments": "{}"}}
CALLS = {"role": "assistant", "content": None, "tool_calls": [CALL]}
GAVE = {"role": "tool", "tool_call_id": "c1", "content": "x"}
TOOL = {"type": "function", "function": {"name": "t", "parameters": SCHEMA}}
FLAT = {"type": "function", "name": "t", "parameters": SCHEMA, "strict": False}
CALLED = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "t", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "x"}
USE = {"type": "tool_use", "id": "c1", "name": "t", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "c1", "content": "x"}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s"}


@pytest.mark.parametrize("body", [
    {"messages": [USER, CALLS]}, {"messages": [USER, GAVE]}, {"messages": [USER, CALLS, USER, GAVE]},
    {"messages": [USER], "tools": []}, {"messages": [USER], "tools": [TOOL, TOOL]}, {"messages": [USER], "zzz": 1},
    {"messages": [USER], "tools": [FLAT]}, {"messages": [USER], "stream_options": {"include_usage": True}},
    {"messages": [USER], "tool_choice": "auto"}, {"messages": [{**USER, "zzz": 1}]}, {"messages": []},
    {"messages": [USER], "tools": [{**TOOL, "function": {**TOOL["function"], "strict": True}}]},  # type: ignore[dict-item]
])
def test_chat_refuses(body: dict[str, Any]) -> None:
    """Calls without results and the other way round, tools and parameters that are none."""
    chat.check({"model": "m", "messages": [USER, CALLS, GAVE], "tools": [TOOL]})
    with pytest.raises(RefusedError):
        chat.check({"model": "m", **body})


@pytest.mark.parametrize(("items", "more"), [
    ([CALLED], {}), ([OUTPUT], {}), ([USER], {"tools": [TOOL]}), ([USER], {"zzz": 1}), ([{"type": "zzz"}], {}),
    ([USER], {"tools": [{**FLAT, "strict": True}]}), ([USER, {"type": "reasoning", "id": "r", "summary": []}], {}),
    ([{"role": "user", "content": [{"type": "output_text", "text": "x"}]}], {}),
])
def test_responses_refuses(items: list[Any], more: dict[str, Any]) -> None:
    """The same, and thoughts that nobody knows or nothing follows."""
    responses.check({"model": "m", "tools": [FLAT]}, [USER, CALLED, OUTPUT], {})
    with pytest.raises(RefusedError):
        responses.check({"model": "m", **more}, items, {})


@pytest.mark.parametrize(("said", "more"), [
    ([USER, {"role": "assistant", "content": [USE]}], {}), ([{"role": "user", "content": [RESULT]}], {}),
    ([USER, {"role": "assistant", "content": [USE]},
      {"role": "user", "content": [{"type": "text", "text": "x"}, RESULT]}], {}),
    ([USER, {"role": "assistant", "content": [{**THOUGHT, "signature": "other"}]}, USER], {}), ([USER], {"zzz": 1}),
    ([USER], {"tools": [{"name": "t", "input_schema": {}}]}), ([{"role": "user", "content": ""}], {}),
    ([{"role": "user", "content": [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}] * 5}], {}),
    ([USER], {"thinking": {"type": "enabled", "budget_tokens": 2000}}),
])
def test_messages_refuses(said: list[Any], more: dict[str, Any]) -> None:
    """Results that do not come first or are missing, seals that do not fit, too many marks."""
    version = {"anthropic-version": "x"}
    thought, result = {"role": "assistant", "content": [THOUGHT, USE]}, {"role": "user", "content": [RESULT]}
    messages.check({"model": "m", "max_tokens": 9, "messages": [USER, thought, result]}, version, lambda _: "s")
    with pytest.raises(RefusedError):
        messages.check({"model": "m", "max_tokens": 9, "messages": said, **more}, version, lambda _: "s")


def _chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
    chunk = {"id": "i", "created": 1, "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    return b"data: " + json.dumps({**chunk, **more}).encode() + b"\n\n"


@pytest.mark.parametrize("chunks", [
    [_chunk({"role": "assistant"}), _chunk({}, "stop")],
    [_chunk({"role": "assistant"}), _chunk({"role": "assistant"}), _chunk({}, "stop"), b"data: [DONE]\n\n"],
    [_chunk({"role": "assistant"}), _chunk({}, "stop", id="other"), b"data: [DONE]\n\n"],
    [_chunk({"role": "assistant", "tool_calls": [{"index": 1, "id": "c", "function": {"name": "t"}}]}),
     _chunk({}, "tool_calls"), b"data: [DONE]\n\n"],
    [_chunk({"role": "assistant"}), _chunk({}, "tool_calls"), b"data: [DONE]\n\n"],
])
def test_a_stream_that_is_not_one_answer_is_seen(chunks: list[bytes]) -> None:
    """Without an end, with two beginnings or ids, with a call that is numbered wrong or not there."""
    good = [_chunk({"role": "assistant"}), _chunk({}, "stop"), b"data: [DONE]\n\n"]
    exchange = Exchange("POST", "/v1/chat/completions", b'{"stream": true}', 200, "text/event-stream", b"".join(good))
    assert view_of(exchange) is not None
    exchange.got = b"".join(chunks)
    with pytest.raises(GrammarError):
        view_of(exchange)
