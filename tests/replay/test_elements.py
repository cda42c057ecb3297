"""Elements of an array in a document, one at a time."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.replay import conversation
from toolstub_ext.replay.traces import Found, base, conversations, cursor, elements, growing
from toolstub_ext.replay.traces.cursor import Malformed

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12)


def found_in(text: str, *path: str) -> list[Any]:
    """All elements of the array in a text."""
    return [*elements.elements(io.StringIO(text), path)]


@given(st.lists(VALUES), st.dictionaries(st.text(), VALUES, max_size=3), st.sampled_from([None, 2]), st.integers(1, 40))
def test_every_element_is_as_json_has_it(values: list[Any], before: dict[str, Any], indent: int | None,
                                         chunk: int) -> None:
    """However little is read at once, and whatever stands in front."""
    before.pop("entries", None)
    text = json.dumps({"log": {**before, "entries": values, "behind": 1}}, indent=indent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cursor, "CHUNK", chunk)
        assert found_in(text, "log", "entries") == values
        assert found_in(json.dumps(values)) == values


@pytest.mark.parametrize("text", [
    "", "7", "[]", "{}", '{"log": 7}', '{"log": {}}', '{"log": {"entries": {}}}', '{"x": [1]}',
])
def test_without_the_array_there_is_nothing(text: str) -> None:
    """Nothing else is taken for it."""
    assert found_in(text, "log", "entries") == []


@pytest.mark.parametrize(("text", "read", "line"), [
    ("[1,\n2,\n{", [1, 2], 3), ("[1,\n2 3]", [1, 2], 2), ("[\n\n{]]", [], 3), ("[1,\n", [1], 2),
    ("[" + "[" * 200_000, [], 1), ("[1,\n" + "9" * 5_000 + "]", [1], 2),
])
def test_what_can_be_read_is_read(text: str, read: list[Any], line: int) -> None:
    """And then it says where it could not go on."""
    found = elements.elements(io.StringIO(text), ())
    assert [next(found) for _ in read] == read
    with pytest.raises(Malformed) as raised:
        next(found)
    assert raised.value.line == line


@given(VALUES, st.sampled_from([None, 2]), st.integers(1, 40))
def test_a_document_that_is_short_is_its_own_outline(value: Any, indent: int | None, chunk: int) -> None:
    """However little is read at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cursor, "CHUNK", chunk)
        found = elements.outline(io.StringIO(json.dumps(value, indent=indent)))
    assert (found.value, found.fault, found.more) == (value, None, False)


@given(VALUES, st.integers(1, 20), st.integers(1, 20))
def test_of_a_long_document_arrays_are_cut_short(value: Any, chunk: int, kept: int) -> None:
    """What is left out stood behind what is kept, and what is behind a long array is found."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cursor, "CHUNK", chunk)
        patch.setattr(elements, "ITEMS_KEPT", kept)
        long = json.dumps({"first": [value] * 9, "format": 1})
        found = elements.outline(io.StringIO(long)).value
    assert begins(found["first"], [value] * 9)
    assert found["format"] == 1


def begins(cut: Any, whole: Any) -> bool:
    """Whether one is the other, but for the ends of arrays."""
    if isinstance(cut, list):
        return len(cut) <= len(whole) and all(map(begins, cut, whole))
    if isinstance(cut, dict):
        return cut.keys() == whole.keys() and all(begins(value, whole[name]) for name, value in cut.items())
    return bool(cut == whole)


@pytest.mark.parametrize(("text", "value", "line"), [
    ("", None, 1), ("\n\n{", {}, 3), ('{"a": [1,\n2 3]}', {"a": [1, 2]}, 2), ('{"a": 1,\n7}', {"a": 1}, 2),
    ('{"a" 1}', {}, 1), ("[" * 200_000, None, 1),
])
def test_an_outline_has_what_stands_before_a_fault(text: str, value: Any, line: int) -> None:
    """And the line of it."""
    found = elements.outline(io.StringIO(text))
    assert found.value == value
    assert found.fault is not None
    assert found.fault.line == line


RESULT = "number @\n" + "".join(f"line {number} of a result\n" for number in range(4_000))
ROUND = (
    {"role": "user", "content": "go on @"},
    {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": {"name": "cat", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "1", "content": RESULT},
)
BLOCKS = (
    {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "cat", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": RESULT}]},
)
ITEMS = (
    {"type": "function_call", "call_id": "1", "name": "cat", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "1", "output": RESULT},
)
STEPS = ({"role": "assistant", "content": "", "action": "cat a"}, {"role": "user", "content": RESULT})
EVENTS = (
    {"id": 1, "source": "agent", "action": "run", "args": {"command": "cat a"}},
    {"id": 2, "source": "agent", "cause": 1, "observation": "run", "content": RESULT},
)
SENT = json.dumps({"messages": ROUND})
ENTRY: dict[str, Any] = {"request": {"postData": {"text": SENT}}, "response": {"content": {}}}


def session(record: Any) -> str:
    """A line as Claude Code writes it."""
    return json.dumps({"type": record["role"], "uuid": "u", "message": record})


SHAPES: dict[str, tuple[str, Sequence[Any], str, str]] = {
    "messages of chat completions": ("[", ROUND, ",", "]"),
    "messages of Anthropic": ("[", BLOCKS, ",\n", "]"),
    "items of Responses": ("[", ITEMS, ",", "]"),
    "a body": ('{"messages": [', ROUND, ",", '], "tools": [{"function": {"name": "cat"}}]}'),
    "a body in a wrapper": ('{"request": {"input": [', ITEMS, ",", ']}, "response": {"output": []}}'),
    "SWE-agent": ('{"trajectory": [{}], "history": [', STEPS, ",", "]}"),
    "SWE-agent, the other way round": ('{"history": [', STEPS, ",", '], "trajectory": [{}]}'),
    "mini-swe-agent": ('{"messages": [', STEPS, ",", '], "trajectory_format": "mini-swe-agent-1"}'),
    "OpenHands": ("[", EVENTS, ",", "]"),
    "the history of OpenHands": ('{"history": [', EVENTS, ",", "]}"),
    "HAR": ('{"log": {"entries": [', (ENTRY,), ",", "]}}"),
    "Claude Code": ("", BLOCKS, "\n", "\n"),
    "lines of bodies": ("", ({"messages": ROUND},), "\n", "\n"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_long_file_is_not_read_whole(shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in memory does not grow with it: a conversation, or those that may grow, and beginnings of arrays."""
    most = 1_000_000
    for module, limit in ((cursor, "CHUNK"), (base, "CHUNK"), (elements, "ITEMS_KEPT"), (base, "ITEMS_KEPT"),
                          (conversation, "MOST_CHARS"), (growing, "MOST_CHARS")):
        monkeypatch.setattr(module, limit, most // 4)
    before, records, between, behind = SHAPES[shape]
    written = between.join((session if shape == "Claude Code" else json.dumps)(record) for record in records)
    times = 16 * most // len(written)
    path = tmp_path / "long.json"
    path.write_text(before + between.join(written.replace("@", str(time)) for time in range(times)) + behind)
    found = Found()
    tracemalloc.start()
    try:
        results = sum(item.kind == "result" for read in conversations([path], found) for item in read.items)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (results, found.files, found.faults) == (times, 1, [])
    assert peak < 4 * most


def test_a_broken_archive_gives_what_stands_before_the_fault(tmp_path: Path) -> None:
    """With the line of the fault."""
    path = tmp_path / "broken.har"
    path.write_text('{"log": {"entries": [\n' + json.dumps(ENTRY) + ',\n{"request": oops}]}}')
    found = Found()
    assert len([*conversations([path], found)]) == 1
    assert found.faults == [f"{path}, line 3: JSON expected: Expecting value"]
