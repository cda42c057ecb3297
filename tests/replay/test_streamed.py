"""Streamed answers, put together again, in the three formats."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolstub_ext.replay.traces import of_exchange
from toolstub_ext.replay.traces.streamed import answer


def stream(*events: Any) -> str:
    """The events as a provider sends them."""
    return "".join(f"event: x\ndata: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"


def delta(**said: Any) -> dict[str, Any]:
    """A chunk of a chat completion."""
    return {"choices": [{"index": 0, "delta": said}]}


CHAT = stream(
    delta(role="assistant", content="Look"), delta(content="ing."),
    delta(tool_calls=[{"index": 0, "id": "c1", "function": {"name": "Bash", "arguments": '{"comm'}}]),
    delta(tool_calls=[{"index": 0, "function": {"arguments": 'and": "ls"}'}}]), {"choices": [], "usage": {}},
)
RESPONSES = stream(
    {"type": "response.created"}, {"type": "response.output_text.delta", "delta": "Looking."},
    {"type": "response.output_item.done", "item": {
        "type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Looking."}]}},
    {"type": "response.output_item.done", "item": {
        "type": "function_call", "call_id": "c1", "name": "Bash", "arguments": '{"command": "ls"}'}},
)
MESSAGES = stream(
    {"type": "message_start", "message": {"role": "assistant"}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Look"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ing."}},
    {"type": "content_block_start", "index": 1, "content_block": {
        "type": "tool_use", "id": "c1", "name": "Bash", "input": {}}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"command"'}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ': "ls"}'}},
    {"type": "message_stop"},
)


@pytest.mark.parametrize(("sent", "received"), [
    ({"messages": [{"role": "user", "content": "go"}]}, CHAT),
    ({"input": [{"role": "user", "content": "go"}]}, RESPONSES),
    ({"system": "s", "messages": [{"role": "user", "content": "go"}]}, MESSAGES),
])
def test_what_was_streamed_is_a_turn(sent: dict[str, Any], received: str) -> None:
    """With its text and its call, as if it had come at once."""
    (found,) = of_exchange(json.dumps(sent), received, "log#1")
    last = found.items[-1]
    assert (last.kind, last.text.strip()) == ("assistant", "Looking.")
    assert [(call.tool, json.loads(call.arguments)) for call in last.calls] == [("Bash", {"command": "ls"})]


@pytest.mark.parametrize("received", [CHAT, RESPONSES, MESSAGES])
def test_any_beginning_of_a_stream_gives_what_had_come(received: str) -> None:
    """A client may have gone away anywhere in it."""
    found = [answer(received[:end]) is not None for end in range(len(received) + 1)]
    assert found[-1]
    assert found == sorted(found), "what had come is lost again"


@pytest.mark.parametrize("text", ["", "plain", "data: 7\n\ndata: {\n\n", '{"choices": 1}', "data: [" * 20_000])
def test_what_is_no_stream_is_no_answer(text: str) -> None:
    """Whatever it is."""
    assert answer(text) is None
