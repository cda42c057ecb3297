"""Long texts in the arguments of calls: which are found, where they stand, and what is left alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.transcript import ToolResult, literal
from toolstub_ext.wire import Edit, Wire, chat, messages, responses, splice
from toolstub_ext.wire.escaped import written

LEAST = 20
LONG = "import os\n\tprint('é \U0001f600 \\n \"x\"')\n"
texts = st.text(st.characters(codec=None, categories=None), max_size=60)
values = st.recursive(texts | st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans(),
                      lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))
inputs = st.dictionaries(texts, values, max_size=4)


def chat_call(arguments: Any, **more: Any) -> dict[str, Any]:
    """A message that makes a call."""
    given = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"id": "c1", "type": "function", "function": {"name": "Write", "arguments": given}, **more}
    return {"messages": [{"role": "assistant", "content": None, "tool_calls": [call]},
                         {"role": "tool", "tool_call_id": "c1", "content": "done"}]}


def messages_call(arguments: Any, **more: Any) -> dict[str, Any]:
    """The same, with another block in front."""
    call = {"type": "tool_use", "id": "c1", "name": "Write", "input": arguments, **more}
    done = {"type": "tool_result", "tool_use_id": "c1", "content": "done"}
    return {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "so"}, call]},
                         {"role": "user", "content": [done]}]}


def responses_call(arguments: Any, **more: Any) -> dict[str, Any]:
    """The same, with another item in front."""
    given = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"type": "function_call", "call_id": "c1", "name": "Write", "arguments": given, **more}
    return {"input": [{"type": "reasoning", "encrypted_content": "e" * 99}, call,
                      {"type": "function_call_output", "call_id": "c1", "output": "done"}]}


FORMS: dict[str, tuple[Wire, Any, tuple[str | int, ...]]] = {
    "chat": (chat, chat_call, ("messages", 0, "tool_calls", 0, "function", "arguments")),
    "messages": (messages, messages_call, ("messages", 0, "content", 1, "input")),
    "responses": (responses, responses_call, ("input", 1, "arguments")),
}


def found(wire: Wire, body: Any, least: int | None = LEAST) -> list[ToolResult]:
    """What calls hand over."""
    text = body if isinstance(body, str) else json.dumps(body)
    return [each for each in wire.read(text, argument_chars=least).transcript.results if each.is_argument]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("arguments", "ways"), [
    ({"path": "a.py", "content": LONG}, [("content",)]),
    ({"content": "x" * LEAST}, []),
    ({"content": "x" * (LEAST + 1), "n": 1e5, "none": None}, [("content",)]),
    ({"edits": [{"old_string": LONG, "new_string": "y"}, {"old_string": "z", "new_string": LONG}]},
     [("edits", 0, "old_string"), ("edits", 1, "new_string")]),
    ({"a": {"b": {"c": {"d": LONG}}}}, [("a", "b", "c", "d")]),
    ({"a": {"b": {"c": {"d": {"e": LONG}}}}}, []),
    ({LONG: "a key is no value"}, []),
    ({}, []),
])
def test_every_long_text_is_found_with_its_path(form: str, arguments: Any, ways: list[Any]) -> None:
    """Also those in lists and objects of the arguments; keys and short texts are none."""
    wire, body, path = FORMS[form]
    assert [each.slot.path for each in found(wire, body(arguments))] == [(*path, *way) for way in ways]
    assert found(wire, body(arguments), None) == []


@pytest.mark.parametrize("form", FORMS)
def test_a_text_knows_its_call_and_its_turn(form: str) -> None:
    """It stands in front of the call's result, and belongs to the same turn."""
    wire, body, _ = FORMS[form]
    given, result = wire.read(json.dumps(body({"content": LONG})), argument_chars=LEAST).transcript.results
    assert (given.text, given.tool, given.call_id, given.is_argument) == (LONG, "Write", "c1", True)
    assert (given.turn, given.requests, given.arguments) == (result.turn, result.requests, result.arguments)
    assert not result.is_argument


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("more", [{"signature": "s"}, {"extra_content": {"google": {"thought_signature": "s"}}}])
def test_a_call_that_may_be_signed_is_left_alone(form: str, more: dict[str, Any]) -> None:
    """Whatever member it has that the format does not know."""
    wire, body, _ = FORMS[form]
    assert found(wire, body({"content": LONG}, **more)) == []


@pytest.mark.parametrize(("caller", "many"), [({"type": "direct"}, 1), ({"type": "code_execution_20260120"}, 0)])
def test_a_call_that_a_program_of_the_providers_made_is_left_alone(caller: Any, many: int) -> None:
    """The program waits for what it asked for."""
    assert len(found(messages, messages_call({"content": LONG}, caller=caller))) == many


@pytest.mark.parametrize("form", ["chat", "responses"])
@pytest.mark.parametrize("arguments", [LONG, "[" + json.dumps(LONG) + "]", json.dumps(LONG),
                                       json.dumps({"content": LONG})[:-1], "\ud83d" * 30, "[" * 5000])
def test_arguments_that_are_no_json_object_have_no_texts(form: str, arguments: str) -> None:
    """There is no telling what they mean."""
    wire, body, _ = FORMS[form]
    assert found(wire, body(arguments)) == []


def test_the_input_of_a_custom_tool_is_one_text() -> None:
    """Whatever it looks like."""
    patch = json.dumps({"content": LONG})
    item = {"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch", "input": patch}
    (given,) = found(responses, {"input": [item]})
    assert (given.text, given.slot.path, given.slot.inside) == (patch, ("input", 0, "input"), False)
    call = {"id": "c1", "type": "custom", "custom": {"name": "apply_patch", "input": patch}}
    (given,) = found(chat, {"messages": [{"role": "assistant", "tool_calls": [call]}]})
    assert (given.text, given.slot.path[-2:]) == (patch, ("custom", "input"))


@pytest.mark.parametrize("item", [
    {"type": "local_shell_call", "call_id": "c1", "action": {"command": ["bash", "-c", LONG]}},
    {"type": "apply_patch_call", "call_id": "c1", "operation": {"type": "create_file", "diff": LONG}},
    {"type": "mcp_call", "id": "m1", "name": "x", "arguments": json.dumps({"content": LONG})},
    {"type": "reasoning", "summary": [], "encrypted_content": LONG},
])
def test_what_the_provider_knows_more_of_is_left_alone(item: dict[str, Any]) -> None:
    """Tools of its own, and what is encrypted."""
    assert found(responses, {"input": [item]}) == []


@pytest.mark.parametrize("form", FORMS)
@given(arguments=inputs, ascii_only=st.booleans(), indent=st.sampled_from([None, 1]), data=st.data())
def test_a_span_holds_its_text_and_nothing_else(form: str, arguments: Any, ascii_only: bool, indent: int | None,
                                                data: st.DataObject) -> None:
    """Put something else there, and all around it is what it was."""
    wire, body, path = FORMS[form]
    if form != "messages":
        arguments = json.dumps(arguments, ensure_ascii=data.draw(st.booleans()), indent=indent)
    text = json.dumps(body(arguments), ensure_ascii=ascii_only, indent=indent)
    text = text.encode("utf-8", "replace").decode()
    whole = json.loads(text)
    texts_found = found(wire, text, 3)
    for each in texts_found:
        place = _opened(whole, path)
        for step in each.slot.path[len(path):]:
            place = place[step]
        assert place == each.text
    edits = [Edit(each.slot.start, each.slot.end, "..." if each.slot.inside else '"..."') for each in texts_found]
    changed = json.loads(splice(text, edits))
    expected = _opened(whole, path)
    for each in texts_found:
        inner = expected
        for step in each.slot.path[len(path):-1]:
            inner = inner[step]
        inner[each.slot.path[-1]] = "..."
    assert _opened(changed, path) == expected


def _opened(whole: Any, path: tuple[str | int, ...]) -> Any:
    """The arguments at a path, as an object."""
    for step in path:
        whole = whole[step]
    return json.loads(whole) if isinstance(whole, str) else whole


@given(texts, st.booleans(), st.data())
def test_how_far_characters_reach_in_a_json_string(text: str, ascii_only: bool, data: st.DataObject) -> None:
    """As far as the string of the first ones alone."""
    whole = json.dumps(text) if ascii_only else literal(text)
    text = json.loads(whole)
    wanted = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    assert [json.loads(f'"{whole[1:1 + end]}"') for end in written(whole[1:-1], wanted)] == [text[:n] for n in wanted]
