"""Columns of fixed width without a header: where each begins and ends, and what stands in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from ..patterns import Pattern
from ..wording import one_line
from .gaps import blanks

Lines = list[tuple[int, str]]

_DATE = Pattern(r"\d{4}-\d\d-\d\d(?:[T ][\d:.]{1,20}Z?)?$")
_READ = 200
_LEAST_LINES = 20
_LEAST_COLUMNS = 4
_LONGEST = 600
_NOISE = 0.02
_FITTING = 0.9
_MOST_VALUES = 4


@dataclass(frozen=True, slots=True)
class Span:
    """A column: its first and last place, from 1, and its cells."""

    first: int
    last: int
    cells: tuple[str, ...]

    @property
    def told(self) -> str:
        """`1-13 370..81421905`, `182-183 CA 51, NM 27`."""
        filled = [cell for cell in self.cells if cell]
        place = f"{self.first}-{self.last}" if self.first < self.last else str(self.first)
        if not filled:
            return f"{place} "
        if filled.count(filled[0]) == len(self.cells):
            return f"{place} always {one_line(filled[0], 30)}"
        written = "".join(filled)
        if written.isascii() and written.isdigit():
            values = [*map(int, filled)]
            return f"{place} {filled[values.index(min(values))]}..{filled[values.index(max(values))]}"
        if all(map(_DATE.match, filled)):
            return f"{place} {min(filled)}..{max(filled)}"
        counts = Counter(filled)
        if len(counts) < len(filled) // 2:
            common = counts.most_common(_MOST_VALUES)
            return f"{place} " + ", ".join(f"{one_line(value, 24)} {number}" for value, number in common)
        return f"{place} {one_line(filled[0], 30)}"


@dataclass(frozen=True, slots=True)
class Fixed:
    """The columns of lines, and how many lines do not keep to them."""

    columns: list[Span]
    others: int


def fixed(lines: Lines) -> Fixed | None:
    """The columns that most lines agree on, or None if they do not. Cells are those of all lines that do."""
    if len(lines) < _LEAST_LINES:
        return None
    places = _places([line for _, line in lines[:: -(-len(lines) // _READ)]])
    if len(places) < _LEAST_COLUMNS:
        return None
    between = itemgetter(*[slice(behind, before) for (_, behind), (before, _) in pairwise(places)])
    within = itemgetter(*[slice(start, end) for start, end in places])
    fitting = [line for _, line in lines if not "".join(between(line)).strip()]
    rows = [[*map(str.strip, within(line))] for line in fitting]
    full = sum(1 for row in rows if len(row) - row.count("") > len(places) // 2)
    if full < _FITTING * len(lines):
        return None
    columns = zip(places, zip(*rows))
    return Fixed([Span(start + 1, end, cells) for (start, end), cells in columns], len(lines) - len(fitting))


def _places(lines: list[str]) -> list[tuple[int, int]]:
    """Where hardly a line is blank: beginning and end of each column."""
    width = min(_LONGEST, max(map(len, lines)))
    places: list[tuple[int, int]] = []
    start: int | None = None
    for place, blank in enumerate([*blanks(lines, width), len(lines)]):
        if len(lines) - blank > _NOISE * len(lines):
            start = place if start is None else start
        elif start is not None:
            places.append((start, place))
            start = None
    return places
