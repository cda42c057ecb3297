"""Spans: every value stands where the scanner says, and what is no JSON is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.errors import WireError
from toolstub_ext.wire.spans import Shape, Span, scan

texts = st.text(st.characters(codec=None, categories=None), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-10**40, 10**40) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)
OPEN_ALL = 4


def shape_of(value: Any, depth: int = OPEN_ALL) -> Shape:
    """A shape that opens `value` down to `depth`."""
    if depth and isinstance(value, dict):
        return {key: shape_of(inner, depth - 1) for key, inner in value.items()}
    if depth and isinstance(value, list) and value:
        return [shape_of(value[0], depth - 1)]
    return None


def closed(span: Span) -> Any:
    """The plain value of a span and all spans in it."""
    if isinstance(span.value, dict):
        return {key: closed(inner) if isinstance(inner, Span) else inner for key, inner in span.value.items()}
    if isinstance(span.value, list):
        return [closed(inner) if isinstance(inner, Span) else inner for inner in span.value]
    return span.value


def spans_in(span: Span) -> list[Span]:
    """A span and all that were opened below it."""
    inner = span.value.values() if isinstance(span.value, dict) else span.value if isinstance(span.value, list) else ()
    return [span, *(found for one in inner if isinstance(one, Span) for found in spans_in(one))]


@given(values, st.sampled_from([None, 1, "\t"]), st.booleans(), st.integers(0, OPEN_ALL))
def test_every_span_is_where_its_value_is_written(value: Any, indent: Any, ascii_only: bool, depth: int) -> None:
    """However it is written and however far it is opened: the slice decodes to the value, the whole to json.loads."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    root = scan(f" \n{text}\r\n", shape_of(value, depth))
    assert closed(root) == json.loads(text, parse_int=float)
    for span in spans_in(root):
        assert json.loads(f" \n{text}"[span.start:span.end], parse_int=float) == closed(span)


def test_of_two_members_with_one_key_the_last_counts() -> None:
    """As json.loads has it, and with the place of the last."""
    span = scan('{"a": 1, "a": [2]}', {"a": [None]}).value["a"]
    assert (span.start, span.end, [item.start for item in span.value]) == (14, 17, [15])


def test_a_value_of_another_type_than_its_shape_is_taken_as_it_is() -> None:
    """A content may be a string where a list would be opened."""
    assert scan('{"a": "x", "b": {"c": 1}}', {"a": [None], "b": [None]}).value["b"].value == {"c": 1.0}


def test_offsets_are_code_points() -> None:
    """An astral character is one, a lone surrogate's escape is six."""
    members = scan('{"\U0001f600": 1, "\\ud83d": "x"}', {}).value
    assert (members["\U0001f600"].start, members["\ud83d"].start) == (6, 19)


@pytest.mark.parametrize("text", [
    "", " ", "{", "[1", '{"a"}', '{"a":}', '{"a":1,}', "{'a': 1}", "[1,]", "[,1]", '{"a":1}{', "{} x", "nul", '"a',
    '"a\nb"', "[1 2]", '{"a" 1}', "{1: 2}", "NaN", '{"a": [Infinity]}', '{"a": -Infinity}', "\ufeff{}", "\x0c{}",
    "\u00a0{}",
    "[" * 200_000, '{"a":' * 200_000, "01", "1.", "+1", '{"a": 1 "b": 2}',
])
def test_what_is_no_json_is_refused(text: str) -> None:
    """Whether opened or not, and however deep."""
    for shape in (None, {}, {"a": None}, {"a": [None]}, [None]):
        with pytest.raises(WireError, match="not JSON"):
            scan(text, shape)


def test_a_number_of_any_length_is_no_fault() -> None:
    """Nothing is made of it."""
    assert scan("[" + "9" * 10_000 + "]", None).end == 10_002
