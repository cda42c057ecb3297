"""A message that came whole is changed by splicing alone."""

from __future__ import annotations

import json

import pytest

from toolstub_proxy.streams.messages_answer import MessagesAnswer, read

TEXT = '{"type":"text", "text": "Hm.", "x": 1.0}'
OURS = '{"type":"tool_use", "id": "o", "name": "toolstub_read", "input": {"n": 1e5}}'
THEIRS = '{"type":"tool_use", "id": "t", "name": "get_log", "input": { }}'


def _answer(*blocks: str, stop: str = "tool_use") -> MessagesAnswer:
    body = f'{{ "id":"m", "content": [{", ".join(blocks)}], "stop_reason": "{stop}", "usage": {{"input_tokens": 5}}}}'
    answer = read(body.encode(), lambda name: name.startswith("toolstub_"))
    assert answer is not None
    return answer


def test_a_turn_is_read_with_its_calls_apart() -> None:
    """Ours as they came, of the client's the ids, and all parts in order."""
    turn = _answer(TEXT, OURS, THEIRS).turn()
    assert (turn.text, turn.theirs) == ("Hm.", ("t",))
    assert [(c.id, c.name, c.arguments, c.json) for c in turn.ours] == [("o", "toolstub_read", '{"n": 1e5}', OURS)]
    assert [(part.json, part.ours) for part in turn.parts] == [(TEXT, False), (OURS, True), (THEIRS, False)]


def test_the_client_sees_the_parts_of_all_rounds_but_ours() -> None:
    """Each in its own bytes, with the usage of all rounds."""
    seen = _answer(OURS, THEIRS).render("", {"input_tokens": 7}, TEXT).decode()
    assert f'"content": [{TEXT},{THEIRS}]' in seen
    assert json.loads(seen)["usage"] == {"input_tokens": 12}
    assert json.loads(seen)["stop_reason"] == "tool_use"


def test_without_anything_to_change_the_bytes_are_the_same() -> None:
    """Number formats and blanks included."""
    answer = _answer(TEXT, stop="end_turn")
    assert answer.render("Hm.", {}).decode() == \
        f'{{ "id":"m", "content": [{TEXT}], "stop_reason": "end_turn", "usage": {{"input_tokens": 5}}}}'


def test_an_answer_that_called_only_ours_claims_no_call() -> None:
    """It can only be the last one, at the cap."""
    seen = json.loads(_answer(OURS).render("", {}))
    assert (seen["content"], seen["stop_reason"]) == ([], "end_turn")


@pytest.mark.parametrize("body", [
    b"", b"not json", b"\xff", b"[]", b"{}", b'{"content": {}}', b'{"content": ["x"]}', b'{"content": "x"}',
])
def test_what_is_no_message_passes_as_it_is(body: bytes) -> None:
    """Whatever an upstream sends with status 200."""
    assert read(body, lambda name: True) is None
