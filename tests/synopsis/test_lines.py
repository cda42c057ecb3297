"""Line numbers from offsets and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.synopsis import Source
from toolstub_ext.synopsis.lines import LineIndex

TEXTS = st.lists(st.sampled_from(["\n", "a", "é\n", "\ud800", "long " * 4000, "\n" * 300]), max_size=30).map("".join)


@given(TEXTS, st.lists(st.integers(0, 200_000), max_size=20))
def test_lines_of_many_places_are_those_of_each(text: str, places: list[int]) -> None:
    """Counted from one to the next, however far apart they are."""
    index = LineIndex(text)
    offsets = sorted(min(place, len(text)) for place in places)
    assert list(index.lines_of(offsets)) == [text.count("\n", 0, offset) + 1 for offset in offsets]


@given(TEXTS, st.lists(st.integers(0, 200_000), max_size=20), st.booleans())
def test_lines_are_those_from_either_end_in_any_order(text: str, places: list[int], counted: bool) -> None:
    """Whether all of them have been counted or not."""
    index = LineIndex(text)
    if counted:
        assert index.breaks == text.count("\n")
    offsets = [min(place, len(text)) for place in places]
    assert [index.line_of(offset) for offset in offsets] == [text.count("\n", 0, offset) + 1 for offset in offsets]


@given(TEXTS)
def test_every_line_begins_and_ends_where_it_does(text: str) -> None:
    """As a split at line ends has it."""
    index = LineIndex(text)
    lines = text.split("\n")
    for number in {1, 2, len(lines) // 2, len(lines)} & set(range(1, len(lines) + 1)):
        assert text[index.start_of(number) : index.end_of(number)] == lines[number - 1]


@given(TEXTS, st.sampled_from(["", "\ufeff", "\x1b[0m", "\r"]))
def test_lines_are_as_many_whether_they_were_counted_or_split(text: str, cleared: str) -> None:
    """Also where the cleaned text, which is what is split, lacks something."""
    split = Source(text + cleared)
    assert split.lines
    assert split.line_index.count == LineIndex(text + cleared).count
