"""Rows of tables, counted as `csv.reader` does."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext.synopsis.delimited import Table, far_ragged, read_table, row_count
from toolstub_ext.synopsis.model import Source

PIECES = st.lists(st.sampled_from(['"', ",", "\n", "a", " ", '""', "\r\n", "1.5"]), max_size=40).map("".join)


def table(delimiter: str = ",") -> Table:
    """A table of which only the delimiter matters."""
    return Table(delimiter, 1.0, [], 2, True, [], [], [], [], line_breaks=False, unbalanced=False)


@settings(max_examples=400)
@given(PIECES)
def test_rows_are_those_of_the_reader(text: str) -> None:
    """Counting at C speed, or falling back, gives what reading gives."""
    expected = sum(1 for row in csv.reader(io.StringIO(text, newline="")) if row)
    if "\n\n" not in text and "\r" not in text and '"' in text:
        assert row_count(text, table()) == expected


@pytest.mark.parametrize("at", [20_001, 30_000, 39_999])
def test_a_ragged_row_far_behind_is_found_with_its_line(at: int) -> None:
    """Beyond the part that is read, counts lead to the row."""
    rows = [f"{n},x" for n in range(40_000)]
    rows[at - 1] += ",y"
    source = Source("a,b\n" + "\n".join(rows) + "\n")
    found, exact = far_ragged(source, read_table(source, ","))
    assert found == [(at + 1, 3)]
    assert exact
