"""Rows of tables, counted as `csv.reader` does."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext.synopsis import synopsize
from toolstub_ext.synopsis.delimited.columns import columns
from toolstub_ext.synopsis.delimited.rows import split_rows, widths
from toolstub_ext.synopsis.delimited.scoring import score
from toolstub_ext.synopsis.delimited.table import Table, far_widths, read_table, row_count
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


@settings(max_examples=200)
@given(PIECES, st.integers(0, 60))
def test_a_table_goes_on_from_the_rows_that_told_it(text: str, rows: int) -> None:
    """As if it had been read in one go."""
    text = "a,b\n" * rows + text
    judged = Source(text)
    score(judged, ",")
    try:
        found = read_table(Source(text), ",")
    except ValueError:
        return
    assert read_table(judged, ",") == found


@pytest.mark.parametrize("at", [20_001, 30_000, 39_999])
def test_a_ragged_row_far_behind_is_found_with_its_line(at: int) -> None:
    """Beyond the part that is read, counts lead to the row."""
    rows = [f"{n},x" for n in range(40_000)]
    rows[at - 1] += ",y"
    source = Source("a,b\n" + "\n".join(rows) + "\n")
    found = far_widths(source, read_table(source, ","))
    assert found.ragged == [(at + 1, 3)]
    assert found.exact


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("size", [9_000, 200_000])
def test_widths_are_checked_behind_the_part_that_is_read(size: int, quoted: bool) -> None:
    """Row by row, or at places that are told by their number: the last rows are always among them."""
    name = '"Last, first"' if quoted else "Name"
    text = "id,name\n" + "".join(f"{n},{name}\n" for n in range(size)) + "error: quota exceeded\n"
    source = Source(text)
    table = read_table(source, ",")
    found = far_widths(source, table)
    assert found.ragged == [(size + 2, 1)]
    assert found.exact == (size < 10_000)
    assert (len(table.rows) + found.checked == size + 2) == found.exact


@pytest.mark.parametrize(
    "lines", [["a,b"], ["a,b", "", 'c,"d,e"'], ['"a""b",c', "d,e"], ['"a', 'b",c'], ['a,"b', "c,d"]]
)
def test_lines_are_rows_unless_a_quote_goes_over_them(lines: list[str]) -> None:
    """Splitting and counting give what the reader gives, or nothing."""
    expected = list(csv.reader(io.StringIO("\n".join(lines) + "\n", newline="")))
    whole = len(expected) == len(lines)
    assert split_rows(lines, ",") == (expected if whole else None)
    assert widths(lines, ",") == ([*map(len, expected)] if whole else None)


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (("1", "2", "30", "4"), "int 1..30 unique"),
        (("1.5", "-2e3", "7"), "number -2e3..7"),
        (("+1", ".5", "007"), "number .5..007"),
        (("1", "nan", "2"), "string unique"),
        (("1_000", "2", "3"), "string unique"),
        (("1", "2,3", "4"), "string unique"),
        (("9" * 40, "1e400", "3"), "number 3..1e400"),
        (("2031-05-01", "2031-5-02", "2030/12/09"), "date 2030/12/09..2031-5-02"),
        (("2031-05-01T10:00:00Z", "2031-05-01T09:59:59.25Z"), "date 2031-05-01T09:59:59.25Z..2031-05-01T10:00:00Z"),
        (("2031-05-01", "2031-05-02\n2031-05-03"), "string unique"),
        (("2031-05-01", "soon"), "string unique"),
    ],
)  # fmt: skip
def test_a_column_is_of_numbers_or_dates_if_all_its_cells_are(cells: tuple[str, ...], told: str) -> None:
    """Whatever spelling of a number; but nothing that only Python takes for one. A date is one line."""
    rows = [[cell] for cell in cells]
    found = columns(["x"], replace(table(), width=1, rows=rows, body=rows, lines=[1, 2, 3, 4]))
    assert found[0].told == f"x {told}"


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
