"""The cells of a table that is drawn with bars, or whose columns are kept apart by blanks under a header."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..delimited.columns import Column, columns
from ..delimited.table import Table

_BARS = re.compile(r"[|│┃║]")
_GAP = re.compile(r"[ \t]{2,}|\t")
_NAME = re.compile(r"[^\W\d](?:.*[^:])?$|[%#].|\d{1,4}[A-Za-z]\w*(?:-\w+)*$|[/&-]$")
_TITLE_LINES = 10
_FITTING = 0.8
_LEAST_ROWS = 3
_LEFT_OUT = frozenset(("·", "…", "..", "...", "⋮", ""))
_TYPES = frozenset(
    ("varchar", "double", "float", "bigint", "integer", "int64", "int32", "boolean", "date", "timestamp", "str", "f64",
     "i64", "int", "text", "bool", "string")
)  # fmt: skip

Lines = list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table taken apart: the line of its header, the names of its columns, and its rows with their lines.

    `unfit` is the number of rows among them that do not have these columns.
    """

    header: int
    names: list[str]
    lines: list[int]
    rows: list[list[str]]
    unfit: int

    def columns(self) -> list[Column]:
        """What the columns hold."""
        table = Table(
            delimiter=",", rows=self.rows, width=len(self.names), header=True, before=[], body=self.rows,
            lines=self.lines, ragged=[], line_breaks=False, unbalanced=False, blank=0, cut=False,
        )  # fmt: skip
        return columns(self.names, table)


def grid(lines: Lines, *, drawn: bool) -> Grid | None:
    """The table in numbered lines without rules and blank lines, or None if its rows do not agree with a header."""
    return _drawn(lines) if drawn else _aligned(lines)


def _drawn(lines: Lines) -> Grid | None:
    cells = [(number, _barred(line)) for number, line in lines if _BARS.search(line)]
    if len(cells) <= _LEAST_ROWS:
        return None
    header, names = cells[0]
    below = cells[2:] if _TYPES.issuperset(cells[1][1]) else cells[1:]
    rows = [(number, row) for number, row in below if len(row) == len(names)]
    return _made(header, names, rows, len(below))


def _barred(line: str) -> list[str]:
    stripped = line.strip()
    inner = stripped[1:-1] if stripped[:1] in "|│┃║" and stripped[-1:] in "|│┃║" else stripped
    return [cell.strip() for cell in _BARS.split(inner)]


def _aligned(lines: Lines) -> Grid | None:
    for place, (number, line) in enumerate(lines[:_TITLE_LINES]):
        rest = _block(lines[place:])[1:]
        for names, rows in _splits(line, rest):
            found = _made(number, names, rows, len(rest))
            if found:
                return found
    return None


def _block(lines: Lines) -> Lines:
    """The lines up to the first gap, unless most lines are behind it: what follows a table is about it.

    A mark in front of some rows is no cell.
    """
    gaps = (place for place in range(2, len(lines)) if lines[place][0] > lines[place - 1][0] + 1)
    end = next(gaps, len(lines))
    kept = lines[:end] if end > len(lines) // 2 else lines
    return [(number, line.removeprefix("●").removeprefix("*")) for number, line in kept]


def _splits(header: str, rest: Lines) -> Iterator[tuple[list[str], list[tuple[int, list[str]]]]]:
    """Ways to take header and rows apart, the surest first: at wide gaps, at every blank, with a column of numbers."""
    gapped = _GAP.split(header.strip())
    words = header.split()
    if not all(map(_NAME.match, words)):
        return
    if header[:1].isspace():
        for names, split in ((gapped, _GAP.split), (words, str.split)):
            indexed = ["index", *names]
            yield indexed, [(number, row) for number, line in rest if len(row := split(line.strip())) == len(indexed)]
    if len(gapped) > 2:
        yield gapped, [(number, row) for number, line in rest if len(row := _GAP.split(line.strip())) == len(gapped)]
    if len(words) < 3:
        return
    size = len(words)
    yield words, [(number, row) for number, line in rest if len(row := line.split(None, size - 1)) == size]
    if not words[-1].islower():
        return
    fewer = [*words[:-2], f"{words[-2]} {words[-1]}"]
    yield fewer, [(number, row) for number, line in rest if len(row := line.split(None, size - 2)) == size - 1]


def _made(header: int, names: list[str], rows: list[tuple[int, list[str]]], possible: int) -> Grid | None:
    fitting = len(rows)
    rows = [(number, row) for number, row in rows if not _LEFT_OUT.issuperset(row)]
    if len(rows) < max(_LEAST_ROWS, _FITTING * possible) or len(names) < 2:
        return None
    if any(row == names for _, row in rows):
        return None  # several tables, each with its header
    return Grid(header, names, [number for number, _ in rows], [row for _, row in rows], possible - fitting)
