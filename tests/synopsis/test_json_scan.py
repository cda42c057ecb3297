"""Members of JSON values, whichever of the two scanners finds them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.synopsis import synopsize
from toolstub_ext.synopsis.json import scan as json_scan
from toolstub_ext.synopsis.json.scan import Document, _cut_short, _scanned, parse
from toolstub_ext.synopsis.json.tokens import nests_deeply
from toolstub_ext.synopsis.json.whole import is_whole

SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=10)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=6), inner, max_size=5)
)
OUTER = st.lists(VALUES, max_size=6) | st.dictionaries(st.text(max_size=6), VALUES, max_size=6)


@given(OUTER, st.sampled_from([None, 1]), st.booleans())
def test_both_scanners_find_the_members_that_json_finds(value: object, indent: int | None, ascii_only: bool) -> None:
    """Keys and members in order, spaces and escapes or not."""
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "replace")
    expected = json.loads(data)
    for document in (parse(data), _scanned(data, 0)):
        members = [json.loads(bytes(member)) for member in document.members]
        assert document.complete
        assert document.end == len(data)
        if isinstance(expected, dict):
            assert dict(zip(document.keys or (), members, strict=True)) == expected
        else:
            assert members == expected


@given(OUTER, st.sampled_from([None, 1]), st.integers(0, 10**6), st.sampled_from([b"", b"]", b'"', b",", b"x", b":"]))
def test_what_is_cut_short_is_split_alike_in_one_pass_and_token_by_token(
    value: object, indent: int | None, at: int, wrong: bytes,
) -> None:
    """Wherever it is cut, and also where it is no JSON on the way there."""
    data = json.dumps(value, indent=indent).encode()
    whole = data[: 1 + at % len(data)]
    broken = at % (len(whole) + 1) or 1
    text = whole[:broken] + wrong + whole[broken:]
    document = _cut_short(text, 0)
    assert document is None or _told(document) == _told(_scanned(text, 0))


def _told(document: Document) -> tuple[object, ...]:
    return (document.keys, [*map(bytes, document.members)], document.end, document.complete, document.flags,
            document.whole, document.cut_key, bytes(document.cut))


@pytest.mark.parametrize(("text", "keys", "members", "cut_key", "cut"), [
    ('{"a": 1, "b": [1, {"c": "x', ("a",), ["1"], "b", '[1, {"c": "x'),
    ('{"a": [1], "b": {"c": 2}', ("a", "b"), ["[1]", '{"c": 2}'], "", ""),
    ('{"a": [1], "b": 2, "c": "x', ("a", "b"), ["[1]", "2"], "c", '"x'),
    ("[[1], [2], [3, 4", None, ["[1]", "[2]"], "", "[3, 4"),
    ('[1, 2, "3, 4', None, ["1", "2"], "", '"3, 4'),
    ('{"a": "1, 2", "b": 3', ("a",), ['"1, 2"'], "b", "3"),
    ('["]", {"[": "}"}, {"', None, ['"]"', '{"[": "}"}'], "", '{"'),
])
def test_of_what_is_cut_short_all_is_told_that_is_there(
    text: str, keys: tuple[str, ...] | None, members: list[str], cut_key: str, cut: str,
) -> None:
    """Members that are there to their end, and what there is of the one that is not."""
    document = _cut_short(text.encode(), 0)
    assert document is not None
    assert (document.keys, [bytes(member).decode() for member in document.members]) == (keys, members)
    assert (document.cut_key, bytes(document.cut).decode()) == (cut_key, cut)


@pytest.mark.parametrize(
    ("text", "end", "complete"),
    [
        ('{"a": 1} tail', 8, True),
        ("[1, 2", 5, False),
        ('{"a": NaN}', 10, True),
        ('["\\ud800"]', 10, True),
        ('{"a": "b', 8, False),
    ],
)
def test_where_a_value_ends(text: str, end: int, complete: bool) -> None:
    """Behind its bracket; at the end of the text if it is cut short."""
    document = parse(text.encode())
    assert (document.end, document.complete) == (end, complete)


@pytest.mark.parametrize(("written", "told"), [
    ("NaN", "int 1..2, 1 NaN"),
    ("-Infinity", "int 1..2, 1 -Infinity"),
    ("1e999", "int 1..2, 1 1e999"),
    ("7" * 5000, "int 1..2, 1 77777777777777777777777…"),
    ('"\\ud800"', "int 2|string 1"),
    ("[NaN]", "int 2|array 1"),
    ('{"b": "\\ud800"}', "int 2|object 1"),
    ("null", "int 1..2, 1 null"),
])
def test_values_that_python_has_otherwise_or_not_keep_their_types(written: str, told: str) -> None:
    """And so do the objects that hold them, which are no strings."""
    synopsis = synopsize(f'[{{"a": 1}}, {{"a": {written}}}, {{"a": 2}}]')
    assert "array of 3 objects with 1 key: a" in synopsis.summary
    assert synopsis.structure[0] == f"a {told}"


@pytest.mark.parametrize(("texts", "told"), [
    (["NaN"] * 3, "a 3 NaN"),
    (["NaN", "null", "NaN"], "a 1 null, 2 NaN"),
    (["null"] * 3, "a null"),
    (["1e999", "-1e999", "NaN", "1e998"], "a 4 such as 1e999"),
])
def test_where_there_is_no_other_value_they_are_counted(texts: list[str], told: str) -> None:
    """By how they are written, if there are few."""
    assert synopsize("[" + ", ".join(f'{{"a": {text}}}' for text in texts) + "]").structure == (told,)


@pytest.mark.parametrize("text", ["plain", "", "[1 2 3]", "[255 216", "{a: 1}", "'x'"])
def test_what_is_not_json_is_refused(text: str) -> None:
    """With an error that says where."""
    with pytest.raises(ValueError, match=r"not valid|neither"):
        parse(text.encode())


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ('{"a": 1}', True),
        (" [1] ", True),
        ('{"a": NaN}', True),
        ('{"a": 1} x', False),
        ("1", True),
        ('"a"', True),
        ("a", False),
        ("{bad", False),
    ],
)
def test_a_line_is_a_record_or_not(line: str, whole: bool) -> None:
    """One value and nothing else."""
    assert is_whole(line.encode()) is whole


@given(
    st.dictionaries(st.text(max_size=6), SCALARS, max_size=3),
    st.lists(VALUES, min_size=1),
    st.dictionaries(st.text(max_size=6), VALUES, max_size=3),
    st.sampled_from(["", " ", ",", "]", "}", ",}", "]}", "x"]),
)
def test_an_object_around_one_large_array_is_split_as_any_other(
    before: dict[str, object], items: list[object], after: dict[str, object], tail: str
) -> None:
    """In one pass where that can be done, with the same members, whatever stands behind the array."""
    text = json.dumps({**before, "items": items, **after})
    data = (text.removesuffix("}") + tail + ("}" if tail != "}" else "")).encode()
    assert _parsed_around(data, len(data) // 2) == _parsed(data)


@pytest.mark.parametrize(("text", "at_once"), [
    ('{"a": 1, "items": [1, 2]}', True),
    ('{"items": [1, 2], "z": [3]}', True),
    ('{"items": [1, {"b": [2]}], "z": {"c": [3]}}', False),
    ('{"tags": ["x"], "items": [[1], [2]], "z": null}', True),
    ('{"in": {"tags": ["x"]}, "items": [1, 2]}', False),
    ('{"a": "[", "items": [1, 2]}', False),
    ('{"a": "\\"", "items": [1, 2], "z": "]"}', False),
    ('{"a": "\\"", "items" : [1, 2]}', True),
    ('{"items": 0, "a": 0, "items": [1, 2]}', False),
    ('{"items": 0, "items": [1, 2]}', True),
    ('{"items": [1, 2], "items": 0}', False),
    ('{"items": 0, "a": 0, "x\\"items": [1, 2]}', False),
    ('{"é": "ü", "größe": [1, "ö"]}', True),
])
def test_one_pass_tells_the_same_as_two(text: str, at_once: bool) -> None:
    """Which array is the last one of the object itself, and under which key, is never guessed."""
    assert _parsed_around(text.encode(), 1000) == _parsed(text.encode())
    assert (json_scan._split_around(text.encode(), 0) is not None) is at_once


def _parsed_around(data: bytes, around: int) -> tuple[object, ...]:
    """As objects are that are large enough for one pass, so much of their ends looked at."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(json_scan, "_LARGE", 2)
        patched.setattr(json_scan, "_AROUND", around)
        return _parsed(data)


def _parsed(data: bytes) -> tuple[object, ...]:
    try:
        found = parse(data)
    except ValueError as error:
        return (str(error),)
    inside = [found.inside(place) for place in range(len(found.members))]
    opened = [(each.keys, [bytes(member) for member in each.members]) if each else None for each in inside]
    return found.keys, [bytes(member) for member in found.members], found.start, found.end, found.complete, opened


@pytest.mark.parametrize(
    ("text", "deep"),
    [
        ("[" * 200, True),
        ('{"a": ' * 200, True),
        ("[1, " * 200, True),
        ("[" * 199, False),
        (f'["{"[" * 300}"]', False),
        ('[{"b": "c"}, ' * 1700, True),
        ('[{"b": []}, ' * 300, False),
        ('[{"a": "[[["}, ' + '{"a": "[[["}, ' * 900 + "1]", False),
    ],
)
def test_what_nests_deeply_is_told_by_its_brackets(text: str, deep: bool) -> None:
    """Those in strings do not count."""
    assert nests_deeply(text.encode()) is deep


@pytest.mark.parametrize(
    ("item", "told"),
    [
        ({"id": 7, "name": "x", "error": "no stock"}, 'has error: "no stock" in {"id": 7,'),
        ({"error": "quota exceeded"}, 'is different: {"error": "quota exceeded"}'),
        ([1], "is different: [1]"),
    ],
)
def test_an_odd_item_is_told_by_what_is_odd_about_it(item: object, told: str) -> None:
    """The error first, where the rest is like the others."""
    items = [{"id": n, "name": f"name {n}"} for n in range(40)]
    notable = synopsize(json.dumps([*items, item])).notable_items
    assert any(line.startswith(f"item 40 {told}") for line in notable)
