"""Cells are what wide gaps keep apart, and columns are where lines are not blank."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.synopsis import synopsize
from toolstub_ext.synopsis.text.gaps import blanks, gapped

CELLS = {
    "a b  c": ["a b", "c"],
    "  pear   12     kg ": ["pear", "12", "kg"],
    "a\tb \t c\t\td": ["a", "b", "c", "d"],
    "one": ["one"],
    "x\u00a0\u00a0y  z": ["x\u00a0\u00a0y", "z"],
}


@pytest.mark.parametrize(("line", "cells"), CELLS.items())
def test_wide_gaps_part_cells(line: str, cells: list[str]) -> None:
    """A single blank does not, a single tab does."""
    assert gapped(line) == cells


@given(st.text("ab \t", min_size=1).filter(str.strip))
def test_a_gap_is_two_blanks_or_a_tab(line: str) -> None:
    """However many of them stand together."""
    assert gapped(line) == re.split(r"[ \t]{2,}|\t", line.strip())


@given(st.lists(st.text("ab \t", max_size=9), min_size=1, max_size=6), st.integers(1, 12))
def test_blanks_are_counted_by_place(lines: list[str], width: int) -> None:
    """What is behind the end of a line is blank."""
    assert blanks(lines, width) == [sum(line[at : at + 1] in ("", " ", "\t") for line in lines) for at in range(width)]


STATES = [f"unit-{n:02}.service  {'failed' if n == 17 else 'running'}  {n * 31} kB  Dead letters {n}" for n in range(40)]


def test_the_first_alarming_state_of_a_row_counts() -> None:
    """And neither a name nor a word further on in a cell does."""
    told = synopsize("\n".join(["NAME  STATE  SIZE  ABOUT", *STATES])).notable_items
    assert [item for item in told if "failed" in item] == ["line 19: unit-17.service failed 527 kB Dead letters 17"]
