"""Lines and offsets, and what a cleaned text keeps of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.synopsis.clean import cleaned, marks_in
from toolstub_ext.synopsis.lines import LineIndex
from toolstub_ext.synopsis.model import Source

LINES = st.lists(st.sampled_from(["", "a", "bc", "\r", "\u2028", "x" * 40_000]), max_size=12).map("\n".join)


@given(LINES)
def test_lines_and_offsets_agree_with_split(text: str) -> None:
    """Every line begins and ends where splitting at line feeds says, across the steps of the index too."""
    index = LineIndex(text)
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        assert index.start_of(number) == at
        assert index.end_of(number) == at + len(line)
        assert index.line_of(at) == number
        at += len(line) + 1
    assert index.count == len(text.removesuffix("\n").split("\n")) if text else index.count == 0


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("\ufeffa", "a"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07shell", "shell"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("10%\r50%\r100%\ndone", "100%\ndone"),
        ("\r10%|##  |\r50%|### |\r99%|####|", "99%|####|"),
        ("id,name\r1,x\r2,y\r", "id,name 1,x 2,y "),
        ('{"a": 1,\r"b": 2}\r', '{"a": 1, "b": 2} '),
        ("plain", "plain"),
        ("\x1b[", "\x1b["),
    ],
)
def test_what_only_a_terminal_understands_is_taken_out(text: str, clean: str) -> None:
    """Marks, colours, titles and overwritten states."""
    assert cleaned(text) == clean


@given(
    st.lists(st.sampled_from(["\x1b[1m", "\r", "\n", "\r\n", "a", "\x1b]0;t", "\ufeff", ";"]), max_size=30).map("".join)
)
def test_cleaning_keeps_the_lines(text: str) -> None:
    """A cleaned text has the line numbers of the original."""
    assert cleaned(text).count("\n") == text.count("\n")


@pytest.mark.parametrize("character", ["a", "é", "结"])
@pytest.mark.parametrize("marks", ["", "\x1b", "\r\n", '"', '\n"\x1b', "\x1b\r\n"])
def test_marks_are_found_in_whichever_block(marks: str, character: str) -> None:
    """Together or far from each other; a text without a line end has one line."""
    for text in (f"{character * 70_000}{marks}", "".join(f"{mark}{character * 32_767}" for mark in marks)):
        assert marks_in(text) == set(marks)
        source = Source(text)
        assert source.clean == cleaned(text)
        assert source.line_index.count == len(text.removesuffix("\n").split("\n") if text else "")
