"""Whatever an upstream streams, no filter breaks over it: an answer that makes no sense is still the client's."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from toolstub_proxy.sse import event_of
from toolstub_proxy.streams import format_for

CHAT: list[dict[str, Any]] = [
    {"id": "c", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "", "reasoning": "h"}}]},
    {"id": "c", "choices": [{"index": 0, "delta": {"tool_calls": [
        {"index": 0, "id": "o", "function": {"name": "toolstub_read", "arguments": "{}"}},
        {"index": 1, "id": "t", "function": {"name": "get_log", "arguments": "{}"}}]}}]},
    {"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}], "usage": {"total_tokens": 1}},
]
MESSAGES: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"id": "m", "usage": {"input_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "", "citations": []}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": {"n": 1}}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {
        "type": "tool_use", "id": "o", "name": "toolstub_read", "input": {}}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{}"}},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}},
    {"type": "message_stop"},
]
CALL = {"type": "function_call", "id": "fc", "call_id": "o", "name": "toolstub_read", "arguments": "{}"}
SAID = {"type": "message", "id": "m", "content": [{"type": "output_text", "text": "x"}]}
RESPONSES: list[dict[str, Any]] = [
    {"type": "response.created", "sequence_number": 0, "response": {"id": "r"}},
    {"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": CALL},
    {"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item": CALL},
    {"type": "response.output_item.added", "sequence_number": 3, "output_index": 1, "item": SAID},
    {"type": "response.output_item.done", "sequence_number": 4, "output_index": 1, "item": SAID},
    {"type": "response.completed", "sequence_number": 5, "response": {
        "id": "r", "status": "completed", "store": True, "output": [CALL, SAID], "usage": {"input_tokens": 1}}},
]
WHOLE: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {"choices": [{"message": {
        "content": "x", "tool_calls": CHAT[1]["choices"][0]["delta"]["tool_calls"]}, "finish_reason": "tool_calls"}],
        "usage": {"total_tokens": 1}},
    "/v1/messages": {"content": [{"type": "text", "text": "x"}, MESSAGES[5]["content_block"]],
                     "stop_reason": "tool_use", "usage": {"input_tokens": 1}},
    "/v1/responses": RESPONSES[-1]["response"],
}
STREAMS = {"/v1/chat/completions": CHAT, "/v1/messages": MESSAGES, "/v1/responses": RESPONSES}
ODD: list[Any] = [None, True, 5, -1.5, "", "x", "\ud83d", [], [5], [[]], {}, {"type": "x"}]


def _spoiled(value: Any) -> Iterator[Any]:
    """The value with one thing in it odd, each thing in each way."""
    yield from ODD
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        for odd in _spoiled(value[key]):
            spoiled = copy.copy(value)
            spoiled[key] = odd
            yield spoiled
    for key in value if isinstance(value, dict) else ():
        yield {name: member for name, member in value.items() if name != key}


def _mine(name: str) -> bool:
    return name.startswith("toolstub_")


@pytest.mark.parametrize("path", STREAMS)
def test_no_stream_breaks_a_filter(path: str) -> None:
    """Nor the round that follows it; what goes back to the model is JSON."""
    spoken = format_for(path)
    assert spoken is not None
    for events in _spoiled(STREAMS[path]):
        if not isinstance(events, list):
            continue
        stream = spoken.stream(_mine)
        for _ in range(2):
            for event in events:
                stream.feed(b"data: " + json.dumps(event).encode() + b"\n\n")
            stream.close()
            turn = stream.turn()
            if turn is not None and turn.ours:
                json.loads(f"[{spoken.round_of(turn, tuple('reply' for _ in turn.ours))}]")
            stream.release()
            stream.failed(spoken.error("why", "api_error"))
            stream = stream.successor()


@pytest.mark.parametrize("path", WHOLE)
def test_no_answer_that_came_whole_breaks_its_reading(path: str) -> None:
    """It is read as far as it goes, and shown without calls of ours."""
    spoken = format_for(path)
    assert spoken is not None
    for body in _spoiled(WHOLE[path]):
        answer = spoken.answer(json.dumps(body).encode(), _mine)
        if answer is not None:
            answer.turn()
            json.loads(answer.render("said", {"input_tokens": 1}, '{"type":"text"}'))


@pytest.mark.parametrize("path", STREAMS)
def test_no_name_of_ours_is_seen_wherever_a_stream_is_cut(path: str) -> None:
    """Nor in the part of an event with which it ends."""
    spoken = format_for(path)
    assert spoken is not None
    sent = b"".join(event_of(json.dumps(event).encode()) for event in STREAMS[path])
    for end in range(len(sent)):
        stream = spoken.stream(_mine)
        assert b"toolstub_" not in stream.feed(sent[:end]) + stream.close()
