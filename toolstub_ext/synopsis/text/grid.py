"""The cells of a table that is drawn with bars, or whose columns are kept apart by blanks under a header."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..delimited.columns import Column, columns
from ..delimited.table import Table
from .gaps import gapped

BARS = "|│┃║"
_BARS = re.compile(f"[{BARS}]")
_NAME = re.compile(r"[^\W\d](?:.*[^:])?$|[%#].|\d{1,4}[A-Za-z]\w*(?:-\w+)*$|[/&-]$")
_TITLE_LINES = 10
_FITTING = 0.8
_LEAST_ROWS = 3
_STEP = 32
_LEFT_OUT = frozenset(("·", "…", "..", "...", "⋮", ""))
_TYPES = frozenset(
    ("varchar", "double", "float", "bigint", "integer", "int64", "int32", "boolean", "date", "timestamp", "str", "f64",
     "i64", "int", "text", "bool", "string")
)  # fmt: skip

Lines = list[tuple[int, str]]
Rows = list[tuple[int, list[str]]]


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
    cells = [(number, barred(line)) for number, line in lines if _BARS.search(line)]
    if len(cells) <= _LEAST_ROWS:
        return None
    header, names = cells[0]
    below = cells[2:] if _TYPES.issuperset(cells[1][1]) else cells[1:]
    rows = [(number, row) for number, row in below if len(row) == len(names)]
    return _made(header, names, rows, len(below))


def barred(line: str) -> list[str]:
    """The cells of a line that has bars between them, and may have others around them."""
    if not line.isascii():
        line = _BARS.sub("|", line)
    cells = [*map(str.strip, line.split("|"))]
    return cells[1:-1] if len(cells) > 2 and not (cells[0] or cells[-1]) else cells


def _aligned(lines: Lines) -> Grid | None:
    apart = _Apart(lines)
    for place, (number, line) in enumerate(lines[:_TITLE_LINES]):
        if not all(map(_NAME.match, line.split())):
            continue
        below = apart.below(place)
        for names, rows in _splits(line, apart, below):
            found = _made(number, names, rows, len(below))
            if found:
                return found
    return None


class _Apart:
    """Lines taken apart as far as they are asked for, each once for all that may be the header of them.

    A mark in front of some rows is no cell.
    """

    def __init__(self, lines: Lines) -> None:
        self._numbers = [number for number, _ in lines]
        self._lines = [line.removeprefix("●").removeprefix("*") for _, line in lines]
        self._taken: dict[Callable[[str], list[str]], list[list[str]]] = {gapped: [], str.split: []}

    def below(self, place: int) -> range:
        """The lines below a header up to the first gap, unless most are behind it: what follows a table is about it."""
        size, numbers = len(self._numbers), self._numbers
        gaps = (at for at in range(place + 2, size) if numbers[at] > numbers[at - 1] + 1)
        end = next(gaps, size)
        return range(place + 1, end if end - place > (size - place) // 2 else size)

    def rows(self, below: range, size: int, split: Callable[[str], list[str]], *, rest: bool = False) -> Rows:
        """The lines of so many cells, if most are; with `rest` the last cell takes what is more."""
        found: list[int] = []
        for start in range(below.start, below.stop, _STEP):
            end = min(start + _STEP, below.stop)
            taken = self._cells(split, end)
            found += [at for at in range(start, end) if len(taken[at]) == size or (rest and len(taken[at]) > size)]
            if len(found) + below.stop - end < _least(len(below)):
                return []
        numbers, lines = self._numbers, self._lines
        return [
            (numbers[at], taken[at] if len(taken[at]) == size else lines[at].split(None, size - 1)) for at in found
        ]

    def _cells(self, split: Callable[[str], list[str]], end: int) -> list[list[str]]:
        """The cells of all lines up to this one, at least."""
        taken = self._taken[split]
        taken += map(split, self._lines[len(taken) : end])
        return taken


def _splits(header: str, apart: _Apart, below: range) -> Iterator[tuple[list[str], Rows]]:
    """Ways to take header and rows apart, the surest first: at wide gaps, at every blank, with a column of numbers."""
    names, words = gapped(header), header.split()
    if header[:1].isspace():
        yield ["index", *names], apart.rows(below, len(names) + 1, gapped)
        yield ["index", *words], apart.rows(below, len(words) + 1, str.split)
    if len(names) > 2:
        yield names, apart.rows(below, len(names), gapped)
    if len(words) < 3:
        return
    yield words, apart.rows(below, len(words), str.split, rest=True)
    if words[-1].islower():
        fewer = [*words[:-2], f"{words[-2]} {words[-1]}"]
        yield fewer, apart.rows(below, len(fewer), str.split, rest=True)


def _least(possible: int) -> float:
    """How many of the rows that there may be have to fit."""
    return max(_LEAST_ROWS, _FITTING * possible)


def _made(header: int, names: list[str], rows: Rows, possible: int) -> Grid | None:
    fitting = len(rows)
    rows = [(number, row) for number, row in rows if not (row[0] in _LEFT_OUT and _LEFT_OUT.issuperset(row))]
    if len(rows) < _least(possible) or len(names) < 2:
        return None
    if any(row == names for _, row in rows):
        return None  # several tables, each with its header
    return Grid(header, names, [number for number, _ in rows], [row for _, row in rows], possible - fitting)
