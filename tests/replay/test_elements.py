"""Elements of an array in a document, one at a time."""

from __future__ import annotations

import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.replay.traces import Found, conversations, elements
from toolstub_ext.replay.traces.elements import Malformed

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
        patch.setattr(elements, "CHUNK", chunk)
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
    ("[" + "[" * 200_000, [], 1),
])
def test_what_can_be_read_is_read(text: str, read: list[Any], line: int) -> None:
    """And then it says where it could not go on."""
    found = elements.elements(io.StringIO(text), ())
    assert [next(found) for _ in read] == read
    with pytest.raises(Malformed) as raised:
        next(found)
    assert raised.value.line == line


def entry(question: str) -> str:
    """An exchange with a model, large for other reasons."""
    sent = json.dumps({"messages": [{"role": "user", "content": question}]})
    received = json.dumps({"choices": [{"message": {"role": "assistant", "content": "yes"}}]})
    return json.dumps({"request": {"postData": {"text": sent}},
                       "response": {"content": {"text": received}, "_timings": "x" * 200_000}})


def test_a_long_archive_is_not_read_whole(tmp_path: Path) -> None:
    """What is in memory does not grow with it."""
    path = tmp_path / "long.har"
    with path.open("w") as file:
        file.write('{"log": {"version": "1.2", "entries": [')
        file.write(",".join(entry(f"q{number}") for number in range(150)) + "]}}")
    tracemalloc.start()
    try:
        count = sum(1 for _ in conversations([path], Found()))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 150
    assert path.stat().st_size > 30_000_000
    assert peak < 15_000_000


def test_a_broken_archive_gives_what_stands_before_the_fault(tmp_path: Path) -> None:
    """With the line of the fault."""
    path = tmp_path / "broken.har"
    path.write_text('{"log": {"entries": [\n' + entry("q") + ',\n{"request": oops}]}}')
    found = Found()
    assert len([*conversations([path], found)]) == 1
    assert found.faults == [f"{path}, line 3: JSON expected: Expecting value"]
