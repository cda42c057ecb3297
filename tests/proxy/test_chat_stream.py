"""A client sees the upstream's stream as it is, without our calls; later rounds continue the same message."""

from __future__ import annotations

import json
from typing import Any

import pytest
from proxy_support import deltas_of

from toolstub_proxy.sse import event_of
from toolstub_proxy.streams import chat
from toolstub_proxy.streams.chat import ChatStream

DONE = b"data: [DONE]\n\n"


def _mine(name: str) -> bool:
    return name in ("toolstub_read", "toolstub_search")


def _chunk(delta: dict[str, Any] | None = None, finish: str | None = None, n: int = 1, **more: Any) -> bytes:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    chunk = {"id": f"c{n}", "object": "chat.completion.chunk", "created": n, "model": "m", "choices": choices, **more}
    return event_of(json.dumps(chunk, indent=None).encode())


def _call(index: int | None, call_id: str | None = None, name: str | None = None,
          arguments: str | None = None) -> bytes:
    function = {k: v for k, v in (("name", name), ("arguments", arguments)) if v is not None}
    piece: dict[str, Any] = {"function": function}
    if index is not None:
        piece["index"] = index
    if call_id:
        piece |= {"id": call_id, "type": "function"}
    return _chunk({"tool_calls": [piece]})


def _feed(stream: ChatStream, *events: bytes) -> bytes:
    return b"".join(map(stream.feed, events))


def _calls_in(stream: bytes) -> dict[int, tuple[str, str, str]]:
    """Id, name and arguments of each call by its index, put together as clients do."""
    calls: dict[int, list[str]] = {}
    for chunk in deltas_of(stream):
        for choice in chunk["choices"]:
            for piece in choice["delta"].get("tool_calls") or ():
                parts = calls.setdefault(piece["index"], ["", "", ""])
                parts[0] += piece.get("id") or ""
                parts[1] += piece["function"].get("name") or ""
                parts[2] += piece["function"].get("arguments") or ""
    return {index: (a, b, c) for index, (a, b, c) in calls.items()}


ROLE = _chunk({"role": "assistant", "content": ""})
TEXT = _chunk({"content": "Let me"}), _chunk({"content": " look."})
USAGE = _chunk(usage={"total_tokens": 10})
OURS = _call(0, "o1", "toolstub_read", ""), _call(0, arguments='{"ref"'), _call(0, arguments=':"r"}')
THEIRS = _call(1, "t1", "get_log", ""), _call(1, arguments='{"service"'), _call(1, arguments=':"a"}')


def test_a_plain_answer_passes_event_by_event_in_the_same_bytes() -> None:
    """Each event as soon as it is there, the last ones included; comments and unknown events too."""
    stream = chat.stream(_mine)
    for event in (b": hello\n\n", ROLE, *TEXT, b"event: x\ndata: {]\n\n", _chunk({}, "stop"), USAGE, DONE):
        assert stream.feed(event) == event
    turn = stream.turn()
    assert turn is not None
    assert (turn.text, turn.ours, turn.theirs) == ("Let me look.", (), ())


def test_the_clients_calls_pass_in_the_same_bytes() -> None:
    """Nothing is held when no name begins like ours."""
    stream = chat.stream(_mine)
    for event in (ROLE, _call(0, "t1", "get_log", ""), _call(0, arguments="{}"), _chunk({}, "tool_calls"), DONE):
        assert stream.feed(event) == event


def test_a_turn_with_our_call_alone_shows_its_text_and_nothing_else() -> None:
    """Not even the end: the loop goes on in the same stream."""
    stream = chat.stream(_mine)
    assert _feed(stream, ROLE, *TEXT, *OURS, _chunk({}, "tool_calls"), USAGE, DONE) == b"".join((ROLE, *TEXT))
    turn = stream.turn()
    assert turn is not None
    (call,) = turn.ours
    assert (call.id, call.name, call.arguments) == ("o1", "toolstub_read", '{"ref":"r"}')
    assert turn.theirs == ()


def test_a_mixed_turn_shows_the_clients_call_numbered_from_0() -> None:
    """As if ours did not exist; the end waits until it is released."""
    stream = chat.stream(_mine)
    seen = _feed(stream, ROLE, *OURS, *THEIRS, _chunk({}, "tool_calls"), USAGE, DONE)
    assert _calls_in(seen) == {0: ("t1", "get_log", '{"service":"a"}')}
    assert b'tool_calls"}' not in seen
    assert stream.release() == _chunk({}, "tool_calls") + USAGE + DONE
    turn = stream.turn()
    assert turn is not None
    assert turn.theirs == ("t1",)


def test_our_call_behind_the_clients_leaves_the_clients_as_it_is() -> None:
    """Its numbers are right already."""
    stream = chat.stream(_mine)
    theirs = _call(0, "t1", "get_log", ""), _call(0, arguments="{}")
    ours = _call(1, "o1", "toolstub_read", ""), _call(1, arguments="{}")
    assert _feed(stream, *theirs, *ours, _chunk({}, "tool_calls")) == b"".join(theirs)


@pytest.mark.parametrize("names", [
    ["toolstub_read"], ["tool", "stub_", "read"], ["", "toolstub_read"], ["toolstub_", "", "read"],
])
def test_a_name_of_ours_is_known_however_it_is_cut(names: list[str]) -> None:
    """No piece of it gets out."""
    stream = chat.stream(_mine)
    pieces = [_call(0, "o1" if n == 0 else None, name) for n, name in enumerate(names)]
    assert _feed(stream, *pieces, _call(0, arguments="{}"), _chunk({}, "tool_calls")) == b""
    turn = stream.turn()
    assert turn is not None
    assert turn.ours[0].name == "toolstub_read"


@pytest.mark.parametrize("names", [["tool"], ["t"], ["toolstub_", "reader"], ["tool", "box"], ["toolstub"]])
def test_a_name_that_only_begins_like_ours_is_the_clients(names: list[str]) -> None:
    """It is held until that is certain, then it all comes."""
    stream = chat.stream(_mine)
    pieces = [_call(0, "t1" if n == 0 else None, name) for n, name in enumerate(names)]
    seen = _feed(stream, *pieces, _call(0, arguments='{"a"'), _call(0, arguments=":1}"), _chunk({}, "tool_calls"), DONE)
    assert _calls_in(seen) == {0: ("t1", "".join(names), '{"a":1}')}
    assert seen.endswith(DONE)


def test_a_call_without_arguments_is_the_clients_at_the_end() -> None:
    """Nothing more can come then."""
    stream = chat.stream(_mine)
    seen = _feed(stream, _call(0, "t1", "tool"), _chunk({}, "tool_calls"))
    assert _calls_in(seen) == {0: ("t1", "tool", "")}


def test_a_call_that_ends_with_the_stream_is_not_lost() -> None:
    """Some upstreams send no finish reason."""
    stream = chat.stream(_mine)
    seen = _feed(stream, _call(0, "t1", "tool"), DONE)
    assert _calls_in(seen) == {0: ("t1", "tool", "")}


def test_parallel_calls_do_not_run_into_each_other() -> None:
    """Each has its own arguments."""
    stream = chat.stream(_mine)
    _feed(stream, _call(0, "a", "toolstub_read", ""), _call(0, arguments='{"n":1}'),
          _call(1, "b", "toolstub_search", ""), _call(1, arguments='{"n":2}'), _chunk({}, "tool_calls"))
    turn = stream.turn()
    assert turn is not None
    assert [(c.id, c.arguments) for c in turn.ours] == [("a", '{"n":1}'), ("b", '{"n":2}')]


def test_calls_without_an_index_are_told_apart_by_their_ids() -> None:
    """Some compatible servers leave the index out."""
    stream = chat.stream(_mine)
    assert stream.feed(_call(None, "o", "toolstub_read", "{}")) == b""
    assert b'"get_log"' in stream.feed(_call(None, "t", "get_log", "{}"))
    assert stream.feed(_chunk({}, "tool_calls")) == b""
    turn = stream.turn()
    assert turn is not None
    assert ([c.id for c in turn.ours], turn.theirs) == (["o"], ("t",))


def test_custom_tools_are_the_clients() -> None:
    """All of ours are functions."""
    stream = chat.stream(_mine)
    event = _chunk({"tool_calls": [{"index": 0, "id": "t", "type": "custom", "custom": {"name": "x", "input": ""}}]})
    assert stream.feed(event) == event


def test_a_later_round_continues_the_message() -> None:
    """Same id, time and model, no second role, usage added up; content keeps coming at once."""
    first = chat.stream(_mine)
    _feed(first, ROLE, *OURS, _chunk({}, "tool_calls"), USAGE, DONE)
    second = first.successor()
    assert second.feed(_chunk({"role": "assistant", "content": ""}, n=2)) == b""
    (chunk,) = deltas_of(second.feed(_chunk({"content": "Found"}, n=2)))
    assert (chunk["id"], chunk["created"], chunk["choices"][0]["delta"]) == ("c1", 1, {"content": "Found"})
    assert _feed(second, _chunk({}, "stop", n=2), _chunk(n=2, usage={"total_tokens": 7}), DONE) == b""
    end = second.release()
    assert end.endswith(DONE)
    finish, usage = deltas_of(end)
    assert finish["choices"][0]["finish_reason"] == "stop"
    assert usage["usage"] == {"total_tokens": 17}


def test_thoughts_and_signatures_go_back_to_the_model() -> None:
    """Models that think between calls want their own words again."""
    stream = chat.stream(_mine)
    signed = {"index": 0, "id": "o", "type": "function", "extra_content": {"sig": "s"},
              "function": {"name": "toolstub_read", "arguments": "{}"}}
    _feed(stream, _chunk({"role": "assistant", "reasoning_content": "hm"}), _chunk({"reasoning_content": "m"}),
          _chunk({"tool_calls": [signed]}), _chunk({}, "tool_calls"))
    turn = stream.turn()
    assert turn is not None
    message, result = json.loads(f"[{chat.round_of(turn, ('reply',))}]")
    assert message["reasoning_content"] == "hmm"
    assert message["content"] is None
    assert message["tool_calls"][0]["extra_content"] == {"sig": "s"}
    assert result == {"role": "tool", "tool_call_id": "o", "content": "reply"}


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_a_call_that_was_cut_off_is_not_run(finish: str) -> None:
    """The client is told why the answer ended."""
    stream = chat.stream(_mine)
    _feed(stream, *OURS[:2], _chunk({}, finish), DONE)
    turn = stream.turn()
    assert turn is not None
    assert not turn.whole
    assert stream.release() == _chunk({}, finish) + DONE


def test_an_answer_without_an_end_is_no_turn() -> None:
    """Its calls may be incomplete."""
    stream = chat.stream(_mine)
    assert _feed(stream, ROLE, *OURS) == ROLE
    assert stream.close() == b""
    assert stream.turn() is None


def test_what_is_left_at_the_end_is_passed_on() -> None:
    """Also if the last event lacks its blank line."""
    stream = chat.stream(_mine)
    assert stream.feed(b"data: [DONE]") == b""
    assert stream.close() == b"data: [DONE]"


def test_our_call_says_nothing_to_the_client_even_at_the_cap() -> None:
    """Then the answer ends without a call, so it must not claim one."""
    stream = chat.stream(_mine)
    _feed(stream, ROLE, *OURS, _chunk({}, "tool_calls"), DONE)
    (finish,) = deltas_of(stream.release())
    assert finish["choices"][0]["finish_reason"] == "stop"
