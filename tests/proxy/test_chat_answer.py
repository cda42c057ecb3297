"""An answer that came whole is changed by splicing alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolstub_proxy.sse import event_of
from toolstub_proxy.streams import chat
from toolstub_proxy.streams.chat_answer import ChatAnswer, read


def _mine(name: str) -> bool:
    return name.startswith("toolstub_")


def _call(call_id: str, name: str) -> str:
    return f'{{"id": "{call_id}", "type":"function", "function": {{"name": "{name}", "arguments": "{{}}"}}}}'


def _answer(calls: str = "", content: str = "null", finish: str = "tool_calls") -> ChatAnswer:
    made = f', "tool_calls": [{calls}]' if calls else ""
    choice = f'{{"finish_reason": "{finish}", "message": {{"content": {content}{made}}}}}'
    body = f'{{ "x": 1.0, "choices": [{choice}], "usage": {{"total_tokens": 5}}}}'
    answer = read(body.encode(), _mine)
    assert answer is not None
    return answer


def test_a_turn_is_read_with_its_calls_apart() -> None:
    """Ours as they came, of the client's the ids."""
    turn = _answer(f"{_call('o', 'toolstub_read')}, {_call('t', 'get_log')}", '"Hm."').turn()
    assert turn.text == "Hm."
    assert [(c.id, c.name, c.json) for c in turn.ours] == [("o", "toolstub_read", _call("o", "toolstub_read"))]
    assert turn.theirs == ("t",)


@pytest.mark.parametrize("said", [
    {"id": "o", "function": {"name": "toolstub_read", "arguments": "{}"}},
    {"type": "function", "function": {"name": "toolstub_read", "arguments": {}}},
    {"id": None, "type": None, "function": {"name": "toolstub_read"}, "extra": 1},
    {"id": "o", "type": "function", "function": {"name": "toolstub_read", "arguments": None, "signature": "s"}},
])
def test_a_call_of_ours_goes_back_as_it_is_due(said: dict[str, Any]) -> None:
    """Whatever its server leaves out or writes otherwise, and with all that it adds."""
    (call,) = _answer(json.dumps(said)).turn().ours
    made = json.loads(call.json)
    assert (made["id"], made["type"], call.id) == (said.get("id") or "call_0", "function", made["id"])
    assert made["function"]["arguments"] in ("{}", "")
    assert {**made, "function": {**made["function"], **said["function"]}} == {**said, **made, "function": {
        **made["function"], **said["function"]}}


@pytest.mark.parametrize(("message", "theirs"), [
    ({"function_call": {"name": "get_log", "arguments": "{}"}}, ("get_log",)), ({"function_call": None}, ()),
    ({"function_call": {}}, ()), ({"function_call": "auto"}, ()),
])
def test_a_call_of_the_older_kind_is_the_clients(message: dict[str, Any], theirs: tuple[str, ...]) -> None:
    """By its name, as it is found again when the client comes back."""
    answer = read(json.dumps({"choices": [{"message": message}]}).encode(), _mine)
    assert answer is not None
    assert answer.turn().theirs == theirs
    stream = chat.stream(_mine)
    stream.feed(event_of(json.dumps({"choices": [{"delta": message, "finish_reason": "function_call"}]}).encode()))
    turn = stream.turn()
    assert turn is not None
    assert turn.theirs == theirs


def test_the_client_sees_its_calls_in_their_own_bytes() -> None:
    """And everything else as it was."""
    seen = _answer(f"{_call('o', 'toolstub_read')}, {_call('t', 'get_log')}").render("", {}).decode()
    assert f'"tool_calls": [{_call("t", "get_log")}]' in seen
    assert seen.startswith('{ "x": 1.0, "choices"')


def test_usage_and_texts_of_earlier_rounds_are_added() -> None:
    """The client reads one answer."""
    seen = json.loads(_answer(content='"found"', finish="stop").render("Let me look. found", {"total_tokens": 7}))
    assert seen["usage"] == {"total_tokens": 12}
    assert seen["choices"][0]["message"]["content"] == "Let me look. found"


def test_without_anything_to_change_the_bytes_are_the_same() -> None:
    """Number formats and blanks included."""
    answer = _answer(content='"found"', finish="stop")
    assert answer.render("found", {}) == answer.render("found", {}).strip()
    assert b'"x": 1.0' in answer.render("found", {})


def test_an_answer_that_called_only_ours_claims_no_call() -> None:
    """It can only be the last one, at the cap."""
    choice = json.loads(_answer(_call("o", "toolstub_read")).render("", {}))["choices"][0]
    assert choice["finish_reason"] == "stop"
    assert choice["message"]["tool_calls"] is None


def test_a_call_without_an_id_gets_one() -> None:
    """A result has to name the call it answers."""
    (call,) = _answer(_call("", "toolstub_read")).turn().ours
    assert json.loads(call.json)["id"] == call.id == "call_0"


@pytest.mark.parametrize("body", [
    b"", b"not json", b"\xff", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{}]}', b'{"choices": [1]}',
    b'{"choices": [{"message": null}]}', b"[" * 10_000,
])
def test_what_is_no_answer_passes_as_it_is(body: bytes) -> None:
    """Whatever an upstream sends with status 200."""
    assert read(body, _mine) is None


@pytest.mark.parametrize("message", [{}, {"content": 5}, {"tool_calls": None}, {"tool_calls": [5, {"function": 3}]}])
def test_an_odd_message_is_a_turn_without_calls_of_ours(message: dict[str, Any]) -> None:
    """Nothing is assumed of its members."""
    answer = read(json.dumps({"choices": [{"message": message}]}).encode(), _mine)
    assert answer is not None
    assert answer.turn().ours == ()


def test_an_answer_may_be_divided_into_several_choices() -> None:
    """Some providers put the text into one and the calls into another."""
    said = '{"index": 0, "message": {"content": "Hm."}}'
    called = f'{{"index": 0, "message": {{"tool_calls": [{_call("o", "toolstub_read")}]}}}}'
    for choices in ((said, called), (called, said)):
        answer = read(f'{{"choices": [{", ".join(choices)}]}}'.encode(), _mine)
        assert answer is not None
        assert [call.id for call in answer.turn().ours] == ["o"]
        shown = json.loads(answer.render("", {}))["choices"]
        assert {"index": 0, "message": {"content": "Hm."}} in shown
        assert b"toolstub_" not in answer.render("", {})


PARTS = '[{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "found"}]'


@pytest.mark.parametrize(("content", "text", "shown"), [
    (PARTS, "found", json.loads(PARTS)),
    (PARTS, "Let me look. found", [{"type": "text", "text": "Let me look. "}, *json.loads(PARTS)]),
    ("[]", "Let me look.", [{"type": "text", "text": "Let me look."}]),
    ("[]", "", []), ("null", "", None), ("null", "Look.", "Look."), ('"found"', "Look. found", "Look. found"),
])
def test_what_it_says_may_be_in_parts(content: str, text: str, shown: Any) -> None:
    """Models that think give them; what an earlier round said stands in front of them."""
    answer = _answer(content=content, finish="stop")
    assert text.endswith(answer.turn().text)
    assert json.loads(answer.render(text, {}))["choices"][0]["message"]["content"] == shown
    if shown == json.loads(content):
        assert f'"content": {content}'.encode() in answer.render(text, {})
