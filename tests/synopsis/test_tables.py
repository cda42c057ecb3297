"""A table has as many rows as were drawn: headers, borders, lines of types and footers are none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext.synopsis import Synopsis, synopsize


def _psql(rows: list[tuple[str, int]]) -> str:
    rule = "+----------+--------+\n"
    body = "".join(f"| {name:8} | {size:6} |\n" for name, size in rows)
    return f"{rule}| name     |   size |\n|----------+--------|\n{body}{rule}"


def _duckdb(rows: list[tuple[str, int]]) -> str:
    body = "".join(f"│ {name:8} │ {size:6} │\n" for name, size in rows)
    return (
        "┌──────────┬────────┐\n│   name   │  size  │\n│ varchar  │ int64  │\n├──────────┼────────┤\n"
        f"{body}└──────────┴────────┘\n  {len(rows)} rows     2 columns\n"
    )


def _blanks(rows: list[tuple[str, int]]) -> str:
    return "NAME        SIZE    AGE\n" + "".join(f"{name:8}  {size:6}    {size % 9}d\n" for name, size in rows)


def _with_a_legend(rows: list[tuple[str, int]]) -> str:
    return _blanks(rows) + f"\nNAME = what it is called.\n\n{len(rows)} units listed.\n"


ROWS = st.lists(st.tuples(st.text("abcdef", min_size=2, max_size=8), st.integers(0, 99999)), min_size=9, max_size=60, unique_by=lambda row: row[0])


def line_at(text: str, synopsis: Synopsis, label: str) -> str:
    """The line that an anchor points at."""
    anchor = next(anchor for anchor in synopsis.anchors if anchor.label == label)
    return text.split("\n")[anchor.line - 1]


@pytest.mark.parametrize("drawn", [_psql, _duckdb, _blanks, _with_a_legend])
@settings(max_examples=40)
@given(rows=ROWS)
def test_rows_are_rows(drawn: Callable[[list[tuple[str, int]]], str], rows: list[tuple[str, int]]) -> None:
    """Their number is exact, and the anchors stand on the first and the last of them."""
    text = drawn(rows)
    synopsis = synopsize(text)
    assert f" {len(rows)} rows under a header" in synopsis.summary[0]
    for label, (name, size) in (("first row", rows[0]), ("last row", rows[-1])):
        assert name in line_at(text, synopsis, label)
        assert str(size) in line_at(text, synopsis, label)


SAID = ("", "what is  said here", "* [a](b)", "and by whom, of course")

NO_HEADER = {
    "git blame": "".join(f"8c5eaa40b  {n:3}) {SAID[n % 4]}\n" for n in range(1, 40)),
    "an archive": "Archive:  a.jar\nZip file size: 17895 bytes, number of entries: 40\n"
    + "".join(f"-rw-r--r--  2.0 unx  {n:6} bl defN 21-Dec-12 23:35 a/b{n}\n" for n in range(40)),
}


@pytest.mark.parametrize("text", NO_HEADER.values(), ids=NO_HEADER.keys())
def test_no_columns_are_named_where_nothing_names_them(text: str) -> None:
    """The first row of a table without a header is a row, and no rows are counted among lines of several sorts."""
    synopsis = synopsize(text)
    assert not any("column" in line and "columns by their place" not in line for line in synopsis.structure)
    assert not any(" rows" in line for line in synopsis.summary)
