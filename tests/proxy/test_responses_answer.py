"""A response that came whole is changed by splicing alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolstub_proxy.streams.responses_answer import ResponsesAnswer, read

SAID = '{"type":"message", "content": [{"type": "output_text", "text": "Hm."}], "x": 1.0}'
OURS = '{"type":"function_call", "call_id": "o", "name": "toolstub_read", "arguments": "{}"}'
THEIRS = '{"type":"function_call", "call_id": "t", "name": "get_log", "arguments": "{ }"}'


def _answer(*items: str, more: str = "") -> ResponsesAnswer:
    body = f'{{ "id":"r", "output": [{", ".join(items)}], "status": "completed"{more}, "usage": {{"input_tokens": 5}}}}'
    answer = read(body.encode(), lambda name: name.startswith("toolstub_"))
    assert answer is not None
    return answer


def test_a_turn_is_read_with_its_calls_apart() -> None:
    """Ours as they came, the ids of the client's, all parts in order; the id where the provider keeps the answer."""
    turn = _answer(SAID, OURS, THEIRS).turn()
    assert (turn.text, turn.theirs, turn.id) == ("Hm.", ("t",), "r")
    assert [(c.id, c.name, c.arguments, c.json) for c in turn.ours] == [("o", "toolstub_read", "{}", OURS)]
    assert [(part.json, part.ours) for part in turn.parts] == [(SAID, False), (OURS, True), (THEIRS, False)]
    assert _answer(SAID, more=', "store": false').turn().id == ""


@pytest.mark.parametrize(("items", "theirs"), [
    (({"type": "mcp_approval_request", "id": "a"},), ("a",)),
    (({"type": "tool_search_call", "call_id": "c", "execution": "client"},), ("c",)),
    (({"type": "tool_search_call", "id": "c", "call_id": None, "execution": "server"},), ()),
    (({"type": "shell_call", "id": "s", "call_id": "c"},), ("c",)),
    (({"type": "shell_call", "id": "s", "call_id": "c"}, {"type": "shell_call_output", "id": "o", "call_id": "c"}), ()),
    (({"type": "mcp_call", "id": "a"}, {"type": "web_search_call", "id": "b"}), ()),
])
def test_what_waits_for_the_client_is_the_clients(items: tuple[dict[str, Any], ...], theirs: tuple[str, ...]) -> None:
    """An approval or a search is awaited like the result of a call; what the provider has done itself is not."""
    assert _answer(*map(json.dumps, items), OURS).turn().theirs == theirs


def test_the_client_sees_the_parts_of_all_rounds_but_ours() -> None:
    """Each in its own bytes, with the usage of all rounds."""
    seen = _answer(OURS, THEIRS).render("", {"input_tokens": 7}, SAID).decode()
    assert f'"output": [{SAID},{THEIRS}]' in seen
    assert json.loads(seen)["usage"] == {"input_tokens": 12}


def test_without_anything_to_change_the_bytes_are_the_same() -> None:
    """Number formats and blanks included."""
    assert _answer(SAID).render("Hm.", {}).decode() == \
        f'{{ "id":"r", "output": [{SAID}], "status": "completed", "usage": {{"input_tokens": 5}}}}'


@pytest.mark.parametrize("body", [
    b"", b"not json", b"\xff", b"[]", b"{}", b'{"output": {}}', b'{"output": ["x"]}', b'{"output": null}',
])
def test_what_is_no_response_passes_as_it_is(body: bytes) -> None:
    """Whatever an upstream sends with status 200."""
    assert read(body, lambda name: True) is None
