"""Rows of tables, counted as `csv.reader` does."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext.synopsis import synopsize
from toolstub_ext.synopsis.delimited.table import Table, far_ragged, read_table, row_count
from toolstub_ext.synopsis.model import Source

PIECES = st.lists(st.sampled_from(['"', ",", "\n", "a", " ", '""', "\r\n", "1.5"]), max_size=40).map("".join)


def table(delimiter: str = ",") -> Table:
    """A table of which only the delimiter matters."""
    return Table(delimiter, [], 2, True, [], [], [], [], line_breaks=False, unbalanced=False, blank=0, cut=True)


@settings(max_examples=400)
@given(PIECES)
def test_rows_are_those_of_the_reader(text: str) -> None:
    """Counting at C speed, or falling back, gives what reading gives."""
    inside = text.strip("\n")
    expected = sum(1 for _ in csv.reader(io.StringIO(inside, newline="")))
    if inside and "\r" not in text:
        assert row_count(Source(text), table()) == (expected, True)


@settings(max_examples=200)
@given(PIECES)
def test_rows_that_are_read_are_counted_without_blank_lines(text: str) -> None:
    """A text that is read to its end has as many rows as the reader finds that are not blank."""
    rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    if max(map(len, rows), default=0) > 1 and text.count('"') % 2 == 0:
        try:
            found = read_table(Source(text), ",")
        except ValueError:
            return
        assert row_count(Source(text), found) == (len(rows), True)


@pytest.mark.parametrize("at", [20_001, 30_000, 39_999])
def test_a_ragged_row_far_behind_is_found_with_its_line(at: int) -> None:
    """Beyond the part that is read, counts lead to the row."""
    rows = [f"{n},x" for n in range(40_000)]
    rows[at - 1] += ",y"
    source = Source("a,b\n" + "\n".join(rows) + "\n")
    found, exact = far_ragged(source, read_table(source, ","))
    assert found == [(at + 1, 3)]
    assert exact


def test_the_first_row_is_shown_as_it_stands() -> None:
    """Quotes around a field with the delimiter in it stay, in the first row as in the last."""
    text = "id,name\n" + "".join(f'{n},"Braund, Mr. {n}"\n' for n in range(40))
    notable = synopsize(text).notable_items
    assert 'row 1: 0,"Braund, Mr. 0"' in notable
    assert 'last: 39,"Braund, Mr. 39"' in notable


def test_rows_of_thousands_of_fields_are_rows() -> None:
    """A table may be wider than what is read of others; names of columns may be numbers where no cell is one."""
    rows = [["id", *(str(100_000 + n) for n in range(9_000))]]
    rows += [[f"id{row}", *("TRUE" if n % (row + 2) else "FALSE" for n in range(9_000))] for row in range(3)]
    synopsis = synopsize("\n".join(map(",".join, rows)) + "\n")
    assert synopsis.summary[0] == "3 rows, 9001 columns, comma"
    assert synopsis.structure[1].startswith("the first 200 columns: id ")
