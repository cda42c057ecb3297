"""A JSON pointer finds the value as it is written, wherever it stands."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.store import pointer as pointer_module
from toolstub_ext.store.pointer import end_of, find_value

names = st.text(st.characters(exclude_categories=()), max_size=6) | st.sampled_from(["a/b", "m~n", "~1", "", "0"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | names,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(names, children, max_size=4),
    max_leaves=20)


def pointers(value: object, here: str = "") -> list[tuple[str, object]]:
    """Every pointer into a value, with what it points at."""
    found = [(here, value)]
    if isinstance(value, dict):
        for name, child in value.items():
            found += pointers(child, f"{here}/{name.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for index, child in enumerate(value):
            found += pointers(child, f"{here}/{index}")
    return found


@given(values, st.sampled_from([None, 2]), st.booleans())
def test_every_pointer_finds_its_value(value: object, indent: int | None, escaped: bool) -> None:
    """The text between start and end is the value, whatever the spacing and the escapes."""
    text = "\n " + json.dumps(value, indent=indent, ensure_ascii=escaped) + " \n"
    for pointer, expected in pointers(value):
        start, end = find_value(text, pointer)
        assert text[start:end].strip() == text[start:end]
        assert json.loads(text[start:end]) == expected


@given(values, st.integers(1, 40))
def test_how_far_one_look_reaches_does_not_matter(value: object, reach: int) -> None:
    """Strings and brackets that go beyond it are seen whole, and what never ends is told."""
    text = json.dumps([value, {"a": [value, "]"]}])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pointer_module, "WINDOW_CHARS", reach)
        assert end_of(text + "]} ", 0) == len(text)
        with pytest.raises(json.JSONDecodeError):
            end_of(text[:-1], 0)


@pytest.mark.parametrize(("text", "pointer", "found"), [
    ('{"a": 1.0, "b": 1e400}', "/b", "1e400"),
    ('{"a": [-0, 12345678901234567890]}', "/a/1", "12345678901234567890"),
    ('{"a": 1, "a": 2}', "/a", "2"),
    ('{"a": {"b": 1}, "a": {"c": 2}}', "/a/c", "2"),
    ('{"a": 1, "b": 2, "a', "/a", "1"),
    ('[{"a": 1}, {"b": 2', "/1/b", "2"),
    ("[1, 2] and more", "/1", "2"),
    ("[1, 2, oops", "/1", "2"),
    ('[{"a]": "\\"}"}, [[]], 3]', "/2", "3"),
    ("[" * 200_000 + "]" * 200_000, "/0/0", "[" * 199_998 + "]" * 199_998),
    ('{"a": [' + "[" * 100_000 + "]" * 100_000 + '], "b": 1}', "/b", "1"),
    ('\ufeff{"a": NaN}', "/a", "NaN"),
    ('{"\\u0061b": "\\ud800"}', "/ab", '"\\ud800"'),
    ("[" + "9" * 5000 + ', "x"]', "/1", '"x"'),
])
def test_values_are_text(text: str, pointer: str, found: str) -> None:
    """Nothing is parsed into a number and printed again; the last of equal names counts, or the last before a cut."""
    start, end = find_value(text, pointer)
    assert text[start:end] == found


@pytest.mark.parametrize(("text", "pointer", "said"), [
    ('{"a": 1}', "a", "has to start with '/'"),
    ('{"a": 1}', "/~2", "write ~ in a name as ~0"),
    ('{"a": 1}', "/b", "there is no 'b' in the object at the top"),
    ('{"a": {"b": 1}}', "/a/c", "there is no 'c' in the object at '/a'"),
    ('{"a": 1}', "/a/b", "goes on with 'b' at '/a', which is neither"),
    ("[1, 2]", "/2", "has 2 items; 2 is not among them"),
    ("[1, 2]", "/-", "'-' is no index"),
    ("[1, 2]", "/01", "'01' is no index"),
    ("[]", "/0", "has 0 items"),
    ("plain text", "/a", "pointer needs JSON, and this is not"),
    ("", "", "pointer needs JSON"),
    ("{a: 1}", "/a", "a name was expected at offset 1"),
    ('{"a" 1}', "/b", "':' was expected at offset 5"),
    ('{"a": 1; "b": 2}', "/b", "or '}' was expected at offset 7"),
    ("[" * 200_000, "/0/0", "the text ends inside a value at offset 200000"),
    ('["never closed', "", "the text ends inside a value at offset 14"),
    ("[[1}, 2]", "/1", "'}' closes nothing at offset 3"),
])
def test_what_is_not_there_is_said_in_one_line(text: str, pointer: str, said: str) -> None:
    """The message names the step that fails, or the place where the text stops being JSON."""
    with pytest.raises(ValueError) as caught:
        find_value(text, pointer)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
