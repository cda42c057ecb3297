"""A client sees the upstream's message as it is streamed, without our calls; later rounds continue the same message."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolstub_proxy.streams import messages
from toolstub_proxy.streams.messages import MessagesStream


def _mine(name: str) -> bool:
    return name.startswith("toolstub_")


def _event(kind: str, **members: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **members})}\n\n".encode()


def _block(index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> list[bytes]:
    return [_event("content_block_start", index=index, content_block=start),
            *(_event("content_block_delta", index=index, delta=delta) for delta in deltas),
            _event("content_block_stop", index=index)]


def _call(index: int, call_id: str, name: str, *given: str) -> list[bytes]:
    return _block(index, {"type": "tool_use", "id": call_id, "name": name, "input": {}},
                  *({"type": "input_json_delta", "partial_json": piece} for piece in given))


def _text(index: int, *pieces: str) -> list[bytes]:
    return _block(index, {"type": "text", "text": ""}, *({"type": "text_delta", "text": piece} for piece in pieces))


def _end(reason: str, **usage: Any) -> list[bytes]:
    return [_event("message_delta", delta={"stop_reason": reason, "stop_sequence": None},
                   usage={"output_tokens": 5, **usage}), _event("message_stop")]


def _feed(stream: MessagesStream, *events: bytes) -> bytes:
    return b"".join(map(stream.feed, events))


def _read(stream: bytes) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in stream.split(b"\n") if line.startswith(b"data: ")]


START = _event("message_start",
               message={"id": "msg_1", "content": [], "usage": {"input_tokens": 7, "output_tokens": 1}})
PING = _event("ping")
THOUGHT = _block(0, {"type": "thinking", "thinking": "", "signature": ""}, {"type": "thinking_delta", "thinking": "h"},
                 {"type": "thinking_delta", "thinking": "m"}, {"type": "signature_delta", "signature": "s1"})
FOUND = _block(1, {"type": "web_search_tool_result", "tool_use_id": "srv", "content": [{"encrypted_content": "e"}]})


def test_a_message_without_calls_of_ours_passes_event_by_event_in_the_same_bytes() -> None:
    """Each as soon as it is there: pings, unknown events, server tools and the client's calls too."""
    stream = messages.stream(_mine)
    events = [START, PING, *THOUGHT, *FOUND, *_text(2, "a", "b"), *_call(3, "t", "toolbox", "{}"), _event("news", x=1),
              b": hello\n\n", b"event: x\ndata: {]\n\n", *_end("tool_use")]
    for event in events:
        assert stream.feed(event) == event
    turn = stream.turn()
    assert turn is not None
    assert (turn.text, turn.ours, turn.theirs) == ("ab", (), ("t",))


def test_a_turn_with_our_call_alone_shows_all_but_the_call_and_the_end() -> None:
    """The loop goes on in the same message."""
    stream = messages.stream(_mine)
    visible = [START, *THOUGHT, *_text(1, "Let me look.")]
    assert _feed(stream, *visible, *_call(2, "o", "toolstub_read", '{"ref"', ':"r"}'), *_end("tool_use")) \
        == b"".join(visible)
    turn = stream.turn()
    assert turn is not None
    (call,) = turn.ours
    assert (call.id, call.name, call.arguments) == ("o", "toolstub_read", '{"ref":"r"}')


def test_blocks_behind_our_call_are_numbered_as_if_it_did_not_exist() -> None:
    """The client's call comes at once; only the end of the message waits."""
    stream = messages.stream(_mine)
    seen = _feed(stream, START, *_call(0, "o", "toolstub_list", "{}"), *_call(1, "t", "get_log", '{"a":1}'))
    assert [event["index"] for event in _read(seen)[1:]] == [0, 0, 0]
    assert _feed(stream, *_end("tool_use")) == b""
    assert stream.release() == b"".join(_end("tool_use"))
    turn = stream.turn()
    assert turn is not None
    assert turn.theirs == ("t",)


def test_a_later_round_continues_the_message() -> None:
    """No second start, blocks numbered on, usage of all rounds; text keeps coming at once."""
    first = messages.stream(_mine)
    _feed(first, START, *THOUGHT, *_call(1, "o", "toolstub_list"), *_end("tool_use"))
    second = first.successor()
    assert second.feed(START) == b""
    assert second.feed(PING) == PING
    assert [event["index"] for event in _read(_feed(second, *_text(0, "found")))] == [1, 1, 1]
    assert _feed(second, *_end("end_turn")) == b""
    delta, stop = _read(second.release())
    assert delta["usage"] == {"output_tokens": 10, "input_tokens": 14}
    assert (delta["delta"]["stop_reason"], stop["type"]) == ("end_turn", "message_stop")


def test_the_next_round_has_every_block_as_the_model_made_it() -> None:
    """Thinking with its signature, what server tools found, citations; a text of blanks would be refused."""
    stream = messages.stream(_mine)
    cited = _block(3, {"type": "text", "text": "", "citations": []}, {"type": "text_delta", "text": "as"},
                   {"type": "citations_delta", "citation": {"n": 1}}, {"type": "text_delta", "text": " said"})
    _feed(stream, START, *THOUGHT, *FOUND, *_text(2, " "), *cited, *_call(4, "o", "toolstub_read", '{"n":', "1e5}"),
          *_end("tool_use"))
    turn = stream.turn()
    assert turn is not None
    written = messages.round_of(turn, ("reply",))
    assistant, user = json.loads(f"[{written}]")
    assert assistant == {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "hm", "signature": "s1"},
        {"type": "web_search_tool_result", "tool_use_id": "srv", "content": [{"encrypted_content": "e"}]},
        {"type": "text", "text": "as said", "citations": [{"n": 1}]},
        {"type": "tool_use", "id": "o", "name": "toolstub_read", "input": {"n": 1e5}},
    ]}
    assert '{"n":1e5}' in written
    assert user == {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "o", "content": "reply"}]}


@pytest.mark.parametrize("given", ["", "{", "[]", "null"])
def test_what_is_no_input_goes_back_as_an_empty_one(given: str) -> None:
    """The API takes objects only; the arguments are judged as the model wrote them."""
    stream = messages.stream(_mine)
    _feed(stream, START, *_call(0, "o", "toolstub_read", given), *_end("tool_use"))
    turn = stream.turn()
    assert turn is not None
    assert json.loads(turn.ours[0].json)["input"] == {}
    assert turn.ours[0].arguments == (given or "{}")


@pytest.mark.parametrize("reason", ["max_tokens", "refusal", "model_context_window_exceeded"])
def test_a_call_that_was_cut_off_is_not_run(reason: str) -> None:
    """The client is told why the answer ended."""
    stream = messages.stream(_mine)
    _feed(stream, START, *_call(0, "o", "toolstub_read", "{"), *_end(reason))
    turn = stream.turn()
    assert turn is not None
    assert not turn.whole
    assert stream.release() == b"".join(_end(reason))


def test_an_answer_without_an_end_is_no_turn() -> None:
    """Its calls may be incomplete."""
    stream = messages.stream(_mine)
    _feed(stream, START, *_call(0, "o", "toolstub_read", "{}"))
    assert stream.turn() is None


def test_an_error_has_the_name_the_sdk_looks_for() -> None:
    """An event without a name would be passed over."""
    said = messages.error("why", "api_error")
    assert messages.stream(_mine).failed(said) == b"event: error\ndata: " + said + b"\n\n"


@pytest.mark.parametrize("event", [
    {"type": "message_start"}, {"type": "message_start", "message": {"usage": None}}, {"type": "content_block_start"},
    {"type": "content_block_start", "index": 0}, {"type": "content_block_delta", "index": 9, "delta": {}},
    {"type": "content_block_stop", "index": "0"}, {"type": "message_delta", "delta": None, "usage": 5}, {"x": 1}, 5, [],
])
def test_an_odd_event_passes_as_it_is(event: Any) -> None:
    """Nothing is assumed of its members."""
    raw = b"data: " + json.dumps(event).encode() + b"\n\n"
    assert messages.stream(_mine).feed(raw) == raw


@pytest.mark.parametrize(("request_", "wanted"), [
    ({}, False), ({"output_config": {"effort": "low"}}, False), ({"output_config": {"format": {"type": "x"}}}, True),
    ({"output_format": {"type": "json_schema"}}, True), ({"output_format": None}, False), ({"output_config": 5}, False),
])
def test_a_structured_answer_is_one_text(request_: dict[str, Any], wanted: bool) -> None:
    """Joined texts would be no document."""
    assert messages.wants_one_text(json.dumps(request_)) is wanted
