"""A client sees the upstream's response as it is streamed, without our calls; later rounds continue the same one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolstub_proxy.streams import responses
from toolstub_proxy.streams.responses import ResponsesStream


def _mine(name: str) -> bool:
    return name.startswith("toolstub_")


class _Told:
    """Writes the events of one response, numbered as the API does."""

    def __init__(self, answer_id: str = "resp_1") -> None:
        self._id = answer_id
        self._next = 0
        self.items: list[dict[str, Any]] = []

    def event(self, kind: str, **members: Any) -> bytes:
        """One event."""
        self._next += 1
        return _raw({"type": kind, "sequence_number": self._next - 1, **members})

    def start(self) -> bytes:
        """The first."""
        return self.event("response.created", response={"id": self._id, "output": []})

    def item(self, item: dict[str, Any], *deltas: str) -> list[bytes]:
        """One output item."""
        index = len(self.items)
        self.items.append(item)
        return [self.event("response.output_item.added", output_index=index, item={**item, "arguments": ""}),
                *(self.event("response.some.delta", output_index=index, delta=delta) for delta in deltas),
                self.event("response.output_item.done", output_index=index, item=item)]

    def end(self, status: str = "completed", **more: Any) -> bytes:
        """The last."""
        response = {"id": self._id, "status": status, "output": self.items, "usage": {"input_tokens": 5}, **more}
        return self.event(f"response.{status}", response=response)


def _raw(event: dict[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _feed(stream: ResponsesStream, *events: bytes) -> bytes:
    return b"".join(map(stream.feed, events))


def _read(stream: bytes) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in stream.split(b"\n") if line.startswith(b"data: ")]


THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed"}
OURS = {"type": "function_call", "id": "fc_1", "call_id": "o", "name": "toolstub_read", "arguments": '{"ref":"r"}'}
THEIRS = {"type": "function_call", "id": "fc_2", "call_id": "t", "name": "get_log", "arguments": "{}"}
SAID = {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "output_text", "text": "found"}]}
SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed"}


def test_a_response_without_calls_of_ours_passes_event_by_event_in_the_same_bytes() -> None:
    """Each as soon as it is there: the provider's tools, the client's calls, comments and unknown events too."""
    stream, told = responses.stream(_mine), _Told()
    custom = {"type": "custom_tool_call", "call_id": "u", "name": "toolstub_read", "input": "x"}
    events = [told.start(), b": hello\n\n", *told.item(THOUGHT, "h"), *told.item(SEARCH), *told.item(SAID, "fo", "und"),
              *told.item(THEIRS, "{}"), *told.item(custom), b"data: {]\n\n", told.event("news"), told.end(),
              b"data: [DONE]\n\n"]
    for event in events:
        assert stream.feed(event) == event
    turn = stream.turn()
    assert turn is not None
    assert (turn.text, turn.ours, turn.theirs) == ("found", (), ("t", "u"))


def test_a_turn_with_our_call_alone_shows_all_but_the_call_and_the_end() -> None:
    """The loop goes on in the same response."""
    stream, told = responses.stream(_mine), _Told()
    visible = [told.start(), *told.item(THOUGHT, "hm")]
    assert _feed(stream, *visible, *told.item(OURS, '{"ref":', '"r"}'), told.end()) == b"".join(visible)
    turn = stream.turn()
    assert turn is not None
    (call,) = turn.ours
    assert (call.id, call.name, call.arguments, json.loads(call.json)) == ("o", "toolstub_read", '{"ref":"r"}', OURS)


def test_items_behind_our_call_are_numbered_as_if_it_did_not_exist() -> None:
    """Events too; only the end waits, and has the client's items alone."""
    stream, told = responses.stream(_mine), _Told()
    seen = _read(_feed(stream, told.start(), *told.item(OURS, "x"), *told.item(THEIRS, "{}")))
    assert [event["sequence_number"] for event in seen] == [0, 1, 2, 3]
    assert [event["output_index"] for event in seen[1:]] == [0, 0, 0]
    assert stream.feed(told.end()) == b""
    (end,) = _read(stream.release())
    assert (end["sequence_number"], end["response"]["output"]) == (4, [THEIRS])


@pytest.mark.parametrize("output", [None, []])
def test_a_later_round_continues_the_response(output: list[Any] | None) -> None:
    """No second start, items and events numbered on, one id, the output and usage of all rounds; some providers leave
    the output of the last event empty."""
    more: dict[str, Any] = {} if output is None else {"output": output}
    first, told = responses.stream(_mine), _Told()
    _feed(first, told.start(), *told.item(THOUGHT), *told.item(OURS), told.end(**more))
    second, told = first.successor(), _Told("resp_2")
    assert second.feed(told.start()) == b""
    seen = _read(_feed(second, *told.item(SAID, "found")))
    assert [(event["sequence_number"], event["output_index"]) for event in seen] == [(3, 1), (4, 1), (5, 1)]
    assert second.feed(told.end(**more)) == b""
    (end,) = _read(second.release())
    response = end["response"]
    assert (end["sequence_number"], response["id"], response["output"]) == (6, "resp_1", [THOUGHT, SAID])
    assert response["usage"] == {"input_tokens": 10}
    turn = second.turn()
    assert turn is not None
    assert turn.id == "resp_2"


@pytest.mark.parametrize(("more", "sealed", "goes_back"), [
    ({}, True, True), ({}, False, True), ({"store": True}, False, True), ({"store": False}, True, True),
    ({"store": False}, False, False),
])
def test_the_next_round_has_the_items_of_this_one(more: dict[str, Any], sealed: bool, goes_back: bool) -> None:
    """Thoughts with their content, or by their id where the provider keeps them; where it does not, there is nothing
    that could be sent."""
    thought = THOUGHT if sealed else {key: value for key, value in THOUGHT.items() if key != "encrypted_content"}
    stream, told = responses.stream(_mine), _Told()
    _feed(stream, told.start(), *told.item(thought), *told.item(SAID), *told.item(OURS), told.end(**more))
    turn = stream.turn()
    assert turn is not None
    reply = {"type": "function_call_output", "call_id": "o", "output": "reply"}
    assert json.loads(f"[{responses.round_of(turn, ('reply',))}]") == [*[thought] * goes_back, SAID, OURS, reply]
    assert turn.id == ("" if more.get("store") is False else "resp_1")


@pytest.mark.parametrize("status", ["incomplete", "failed"])
def test_a_call_that_was_cut_off_is_not_run(status: str) -> None:
    """The client is told how the answer ended."""
    stream, told = responses.stream(_mine), _Told()
    _feed(stream, told.start(), *told.item(OURS), told.end(status))
    turn = stream.turn()
    assert turn is not None
    assert not turn.whole
    assert _read(stream.release())[0]["type"] == f"response.{status}"


def test_an_answer_without_an_end_is_no_turn() -> None:
    """Its calls may be incomplete."""
    stream, told = responses.stream(_mine), _Told()
    _feed(stream, told.start(), *told.item(OURS))
    assert stream.turn() is None


def test_an_error_is_an_event_with_the_next_number() -> None:
    """In the older and in the newer shape at once."""
    stream, told = responses.stream(_mine), _Told()
    stream.feed(told.start())
    (event,) = _read(stream.failed(responses.error("why", "api_error")))
    assert (event["type"], event["message"], event["error"]["message"], event["sequence_number"]) \
        == ("error", "why", "why", 1)


@pytest.mark.parametrize("event", [
    {"type": "response.output_item.added"}, {"type": "response.output_item.added", "output_index": 0, "item": None},
    {"type": "response.output_item.done", "output_index": "0"}, {"type": "response.completed"},
    {"type": "response.completed", "response": {"output": 5, "usage": 5}}, {"type": 5}, {"x": 1}, 5, [],
])
def test_an_odd_event_passes_as_it_is(event: Any) -> None:
    """Nothing is assumed of its members."""
    raw = b"data: " + json.dumps(event).encode() + b"\n\n"
    assert responses.stream(_mine).feed(raw) == raw


@pytest.mark.parametrize(("request_", "wanted"), [
    ({}, False), ({"text": {"format": {"type": "text"}}}, False), ({"text": {"format": {"type": "json_schema"}}}, True),
    ({"text": {"verbosity": "low"}}, False), ({"text": 5}, False),
])
def test_a_structured_answer_is_one_text(request_: dict[str, Any], wanted: bool) -> None:
    """Joined texts would be no document."""
    assert responses.wants_one_text(json.dumps(request_)) is wanted


OFFERED = {"tools": [{"type": "function", "name": "toolstub_read"}, {"type": "web_search"}, {"type": "function",
                                                                                             "name": "get_log"}],
           "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [
               {"type": "function", "name": "get_log"}, {"type": "function", "name": "toolstub_read"}]}}
THEIR_OWN = {"tools": [{"type": "web_search"}, {"type": "function", "name": "get_log"}],
             "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function",
                                                                               "name": "get_log"}]}}


@pytest.mark.parametrize("item", [SAID, THEIRS, OURS])
def test_what_an_answer_repeats_of_its_request_does_not_name_our_tools(item: dict[str, Any]) -> None:
    """Streamed or whole, the API tells the tools and the choice it was given."""
    stream, told = responses.stream(_mine), _Told()
    head = {"id": "resp_1", "output": []} | OFFERED
    seen = _feed(stream, told.event("response.created", response=head), told.event("response.in_progress",
                                                                                   response=head),
                 *told.item(item), told.end(**OFFERED)) + stream.release()
    starts = [event["response"] for event in _read(seen) if "response" in event]
    assert [{key: start[key] for key in THEIR_OWN} for start in starts] == [THEIR_OWN] * 3
    whole = json.dumps({"id": "resp_1", "output": [item], "x": 1.0} | OFFERED).encode()
    answer = responses.answer(whole, _mine)
    assert answer is not None
    kept = [] if item is OURS else [item]
    assert json.loads(answer.render("", {})) == {"id": "resp_1", "output": kept, "x": 1.0} | THEIR_OWN


@pytest.mark.parametrize("item", [THEIRS, OURS])
@pytest.mark.parametrize("without", [("output_index",), ("output_index", "sequence_number")])
@pytest.mark.parametrize("begun", [True, False])
def test_items_without_a_place_are_told_by_their_ids(item: dict[str, Any], without: tuple[str, ...],
                                                     begun: bool) -> None:
    """Some servers leave out where an item stands, or all that comes before its end."""
    told, stream = _Told(), responses.stream(_mine)
    events = [_read(event)[0] for event in told.item(item, "{", "}")]
    for event in events:
        event["item_id"] = item["id"]
    sent = [_raw({key: value for key, value in event.items() if key not in without}) for event in events]
    seen = _feed(stream, *(sent if begun else sent[-1:]), _raw({"type": "response.completed", "response": {"id": "r"}}))
    assert (b"fc_" in seen) is (item is THEIRS)
    turn = stream.turn()
    assert turn is not None
    assert (len(turn.ours), len(turn.theirs)) == ((0, 1) if item is THEIRS else (1, 0))
