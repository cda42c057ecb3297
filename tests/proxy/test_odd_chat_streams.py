"""Chat streams as some providers have them: calls are told apart all the same, and thoughts go back whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from proxy_support import deltas_of

from toolstub_proxy.sse import event_of
from toolstub_proxy.streams import chat

DONE = b"data: [DONE]\n\n"
OURS, THEIRS = "toolstub_read", "get_log"


def _chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
    chunk = {"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}
    return event_of(json.dumps(chunk).encode())


def _piece(name: str | None, arguments: Any, **more: Any) -> bytes:
    return _chunk({"tool_calls": [{**more, "function": {"name": name, "arguments": arguments}}]})


def _read(*events: bytes) -> tuple[Any, bytes]:
    """The turn, and what a client sees of it."""
    stream = chat.stream(lambda name: name.startswith("toolstub_"))
    seen = b"".join(map(stream.feed, events)) + stream.close()
    return stream.turn(), seen + stream.release()


def _block(thinking: str, signature: str | None) -> dict[str, Any]:
    return {"type": "thinking", "thinking": thinking, "signature": signature}


END = _chunk({}, "tool_calls"), DONE
SEALED = {"type": "redacted_thinking", "data": "x"}
APART = {
    "one index for all": ({"index": 0, "id": "a"}, {"index": 0, "id": "b"}),
    "neither index nor id": ({}, {}),
    "an index that is null": ({"index": None, "id": "a"}, {"index": None, "id": "b"}),
    "indexes": ({"index": 0, "id": "a"}, {"index": 1, "id": "b"}),
    "indexes from 1": ({"index": 1, "id": "a"}, {"index": 2, "id": "b"}),
}


@pytest.mark.parametrize("numbered", APART.values(), ids=APART)
@pytest.mark.parametrize("names", [(OURS, THEIRS), (THEIRS, OURS)], ids=" ".join)
def test_calls_are_told_apart_however_they_are_numbered(numbered: Any, names: tuple[str, str]) -> None:
    """The client's came to belong to ours, or the other way round: parallel arguments ran into each other."""
    pieces = [_piece(name, json.dumps({"service": name}), **more) for name, more in zip(names, numbered, strict=True)]
    turn, seen = _read(*pieces, *END)
    assert [(call.name, call.arguments) for call in turn.ours] == [(OURS, '{"service": "toolstub_read"}')]
    assert len(turn.theirs) == 1
    calls = [piece for chunk in deltas_of(seen) for piece in chunk["choices"][0]["delta"].get("tool_calls", ())]
    assert [call["function"] for call in calls] == [{"name": THEIRS, "arguments": '{"service": "get_log"}'}]


@pytest.mark.parametrize("numbered", APART.values(), ids=APART)
def test_where_no_call_is_ours_the_numbers_are_the_providers(numbered: Any) -> None:
    """In the same bytes."""
    events = [_piece(THEIRS, "{}", **more) for more in numbered]
    turn, seen = _read(*events, *END)
    assert seen == b"".join((*events, *END))
    assert len(turn.theirs) == 2


def test_behind_one_of_ours_the_clients_calls_have_numbers_of_their_own() -> None:
    """Also where the provider gives all of them the same."""
    _, seen = _read(*(_piece(name, "{}", index=0, id=call) for call, name in zip("abcd", (
        THEIRS, OURS, THEIRS, THEIRS), strict=True)), *END)
    calls = [piece for chunk in deltas_of(seen) for piece in chunk["choices"][0]["delta"].get("tool_calls", ())]
    assert [(call["index"], call["id"]) for call in calls] == [(0, "a"), (1, "c"), (2, "d")]


@pytest.mark.parametrize("more", [{"index": 0, "id": "a"}, {"index": 0}, {"id": "a"}, {}])
@pytest.mark.parametrize("cut", [["", '{"ref"', ': "r"}'], ['{"ref"', ': "r"}'], ['{"ref": "r"}']])
def test_a_name_may_be_said_with_every_piece(more: dict[str, Any], cut: list[str]) -> None:
    """It is one call of that name."""
    turn, seen = _read(*(_piece(OURS, piece, **more) for piece in cut), *END)
    assert [(call.name, call.arguments) for call in turn.ours] == [(OURS, '{"ref": "r"}')]
    assert b"toolstub_" not in seen


@pytest.mark.parametrize("name", ["t", "tool", "read", "read_full"])
def test_a_name_that_is_held_and_said_again_is_said_once(name: str) -> None:
    """While it could still become one of ours, and whatever comes without arguments before it cannot."""
    pieces = [_piece(name, said, index=0, id="a") for said in ("", "", '{"x"', ": 1}")]
    turn, seen = _read(*pieces, *END)
    assert (turn.theirs, turn.ours) == (("a",), ())
    calls = [piece for chunk in deltas_of(seen) for piece in chunk["choices"][0]["delta"].get("tool_calls", ())]
    assert {call["function"]["name"] for call in calls} == {name}
    assert "".join(call["function"]["arguments"] for call in calls) == '{"x": 1}'


@pytest.mark.parametrize("last", ["", " \n"])
def test_what_comes_blank_behind_whole_arguments_ends_the_call_no_less(last: str) -> None:
    """The next name begins another one, though neither has a number."""
    turn, _ = _read(_piece(OURS, "{}"), _piece(None, last), _piece(OURS, '{"a": 1}'), *END)
    assert [json.loads(call.arguments) for call in turn.ours] == [{}, {"a": 1}]


def test_an_id_that_changes_without_a_name_begins_no_call() -> None:
    """Some servers make up a new one for every piece."""
    turn, _ = _read(_piece(OURS, "", index=0, id="a"), _piece(None, '{"ref"', index=0, id="b"),
                    _piece(None, ': "r"}', index=0, id="c"), *END)
    assert [(call.id, call.arguments) for call in turn.ours] == [("a", '{"ref": "r"}')]


def test_arguments_may_be_an_object() -> None:
    """In place of its text, streamed or not."""
    turn, _ = _read(_piece(OURS, {"ref": "r"}, index=0, id="a"), *END)
    assert turn.ours[0].arguments == '{"ref": "r"}'
    function = {"name": OURS, "arguments": {"ref": "r"}}
    whole = {"choices": [{"message": {"tool_calls": [{"id": "a", "type": "function", "function": function}]}}]}
    answer = chat.answer(json.dumps(whole).encode(), lambda name: name == OURS)
    assert answer is not None
    assert answer.turn().ours[0].arguments == '{"ref": "r"}'


def test_what_a_server_adds_to_a_call_goes_back_with_it() -> None:
    """Some sign a call, beside its name or in front of it."""
    piece = _chunk({"tool_calls": [{"index": 0, "id": "a", "extra": {"n": 1}, "function": {
        "name": OURS, "arguments": "{}", "signature": "s"}}]})
    (call,) = _read(piece, *END)[0].ours
    assert json.loads(call.json) == {"id": "a", "type": "function", "extra": {"n": 1}, "function": {
        "name": OURS, "arguments": "{}", "signature": "s"}}


@pytest.mark.parametrize("none", [None, "", 0, False])
def test_a_reason_to_end_is_none_until_there_is_one(none: Any) -> None:
    """Some say an empty one with every piece; a name that comes in two is still put together."""
    def said(delta: dict[str, Any]) -> bytes:
        return event_of(json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": none}]}).encode())

    pieces = [said({"tool_calls": [{"index": 0, "id": "a", "function": {"name": name, "arguments": ""}}]})
              for name in ("tool", "stub_read")]
    turn, seen = _read(*pieces, said({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}), *END)
    assert [call.name for call in turn.ours] == [OURS]
    assert b"stub_read" not in seen
    assert not turn.theirs


def test_a_stream_may_begin_with_a_byte_order_mark() -> None:
    """Its first event is one of the others."""
    turn, seen = _read(b"\xef\xbb\xbf" + _piece(OURS, "{}", index=0, id="a"), *END)
    assert [call.name for call in turn.ours] == [OURS]
    assert b"toolstub_" not in seen


@pytest.mark.parametrize(("pieces", "whole"), [
    ([[{"type": "reasoning.text", "text": "th", "index": 0}],
      [{"type": "reasoning.text", "text": "ink", "index": 0, "signature": "s"}]],
     [{"type": "reasoning.text", "text": "think", "index": 0, "signature": "s"}]),
    ([[{"type": "reasoning.summary", "summary": "a", "index": 0}, {"type": "reasoning.encrypted", "data": "x",
                                                                   "id": "1", "index": 1}],
      [{"type": "reasoning.encrypted", "data": "y", "id": "2", "index": 1}]],
     [{"type": "reasoning.summary", "summary": "a", "index": 0}, {"type": "reasoning.encrypted", "data": "x", "id": "1",
                                                                  "index": 1},
      {"type": "reasoning.encrypted", "data": "y", "id": "2", "index": 1}]),
    ([[7, {"text": "a"}], [{"text": "b"}]], [7, {"text": "a"}, {"text": "b"}]),
    ([[_block("th", "")], [_block("ink", None)], [_block("", "s")], [SEALED], [_block("more", "t")]],
     [_block("think", "s"), SEALED, _block("more", "t")]),
    ([[_block("whole", "s")], [_block("again", "t")]], [_block("whole", "s"), _block("again", "t")]),
])
@pytest.mark.parametrize("field", ["reasoning_details", "thinking_blocks"])
def test_thoughts_with_their_signatures_go_back_whole(pieces: list[Any], whole: list[Any], field: str) -> None:
    """Without them a model that signs what it thinks refuses the round."""
    turn, _ = _read(*(_chunk({field: piece}) for piece in pieces), _piece(OURS, "{}", index=0, id="a"), *END)
    (message, _) = json.loads(f"[{chat.round_of(turn, ('reply',))}]")
    assert message[field] == whole


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "reasoning_text", "reasoning_opaque"])
def test_thoughts_that_are_one_text_go_back(field: str) -> None:
    """Streamed or not."""
    turn, _ = _read(_chunk({field: "th"}), _chunk({field: "ink"}), _piece(OURS, "{}", index=0, id="a"), *END)
    assert json.loads(f"[{chat.round_of(turn, ('reply',))}]")[0][field] == "think"
    answer = chat.answer(json.dumps({"choices": [{"message": {field: "think"}}]}).encode(), lambda name: False)
    assert answer is not None
    assert answer.turn().fields == {field: "think"}


@pytest.mark.parametrize("error", [
    event_of(b'{"error": {"message": "overloaded"}}'),
    _chunk({"content": ""}, "error", error={"code": 502, "message": "gone"}),
])
def test_behind_an_error_no_call_is_run(error: bytes) -> None:
    """The client is told of it, once."""
    turn, seen = _read(_piece(OURS, "{}", index=0, id="a"), error, DONE)
    assert not turn.whole
    assert seen.count(b'"error": {') == 1


def test_what_it_says_may_be_streamed_in_parts() -> None:
    """The round has its text."""
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}], [{"type": "text", "text": "Look."}]
    turn, _ = _read(*(_chunk({"content": content}) for content in parts), _piece(OURS, "{}", index=0, id="a"), *END)
    assert json.loads(f"[{chat.round_of(turn, ('reply',))}]")[0]["content"] == "Look."


def test_a_message_has_one_id_though_its_first_chunk_has_none() -> None:
    """Azure's tells of its filter, and no more."""
    filtered = {"id": "", "created": 0, "model": "", "object": "", "choices": [], "prompt_filter_results": []}
    first = chat.stream(lambda name: name == OURS)
    said = _chunk({"content": "Hm."}, created=5, model="m")
    assert first.feed(event_of(json.dumps(filtered).encode()) + said).endswith(said)
    first.feed(b"".join((_piece(OURS, "{}", index=0, id="a"), *END)))
    later = first.successor()
    later_said = {"id": "d", "created": 9, "model": "m2", "choices": [{"index": 0, "delta": {"content": "x"}}]}
    seen = later.feed(event_of(json.dumps(filtered).encode()) + event_of(json.dumps(later_said).encode()))
    assert [(chunk["id"], chunk["created"], chunk["model"]) for chunk in deltas_of(seen)] == [("c", 5, "m")] * 2


def test_the_thoughts_of_two_rounds_are_not_joined() -> None:
    """A client would put them under one signature, which the provider then refuses; what is sealed stays apart."""
    def thought(kind: str, what: str) -> dict[str, Any]:
        return {"type": f"reasoning.{kind}", kind: what, "index": 0, "signature": "s"}

    stream = chat.stream(lambda name: name == OURS)
    for number in range(3):
        texts, sealed = [thought("text", "hm")], [thought("data", "x")]
        seen = stream.feed(b"".join((_chunk({"reasoning_details": texts, "reasoning": "hm"}),
                                     _chunk({"reasoning_details": texts}), _chunk({"reasoning_details": sealed}),
                                     _piece(OURS, "{}", index=0, id="a"), *END)))
        shown = [chunk["choices"][0]["delta"] for chunk in deltas_of(seen)]
        first = [{"reasoning_details": texts, "reasoning": "hm"}, {"reasoning_details": texts}]
        assert shown == [*([{"reasoning": "hm"}] if number else first), {"reasoning_details": sealed}]
        turn = stream.turn()
        assert turn is not None
        assert turn.fields["reasoning_details"] == [{**texts[0], "text": "hmhm"}, *sealed]
        stream = stream.successor()


def test_blocks_of_thinking_are_those_of_one_round() -> None:
    """They have no index: a client joins all there are."""
    stream = chat.stream(lambda name: name == OURS)
    for number in range(2):
        seen = stream.feed(b"".join((_chunk({"thinking_blocks": [_block("hm", "s")]}),
                                     _chunk({"thinking_blocks": [SEALED]}), _piece(OURS, "{}", index=0, id="a"), *END)))
        shown = [chunk["choices"][0]["delta"] for chunk in deltas_of(seen)]
        assert shown == [*[{"thinking_blocks": [_block("hm", "s")]}][number:], {"thinking_blocks": [SEALED]}]
        stream = stream.successor()


@pytest.mark.parametrize(("names", "last"), [
    ((THEIRS, OURS), True), ((OURS, THEIRS), False), ((THEIRS, OURS, THEIRS), False), ((OURS, OURS), True), ((), False),
])
def test_whether_ours_is_the_last_call_is_known(names: tuple[str, ...], last: bool) -> None:
    """As it will be when the turn is put back, streamed or not."""
    turn, _ = _read(*(_piece(name, "{}", index=at, id=f"c{at}") for at, name in enumerate(names)), *END)
    calls = [{"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": "{}"}}
             for at, name in enumerate(names)]
    answer = chat.answer(json.dumps({"choices": [{"message": {"content": "", "tool_calls": calls}}]}).encode(),
                         lambda name: name == OURS)
    assert answer is not None
    assert (turn.ours_last, answer.turn().ours_last) == (last, last)
