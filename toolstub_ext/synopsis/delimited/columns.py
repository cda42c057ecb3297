"""What a column of a table holds: its type, its range or commonest values, and the cells that do not fit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..patterns import Pattern
from ..wording import clip, one_line
from .table import Table

_DATE = Pattern(r"\d{4}[-/]\d\d?[-/]\d\d?(?:[T ]\d\d:\d\d[\d:.]{0,12}(?:Z|[+-]\d\d:?\d\d)?)?\Z")
_NUMBER = Pattern(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z")
_DECIMAL_COMMA = Pattern(r"[-+]?\d+,\d+\Z")
_FIGURES = frozenset("0123456789+-.eE \t")  # float() also takes "nan", "infinity" and "1_000"
MOST_ROWS = 4000
"""How many rows of the part that is read are looked at by column."""
MOST_COLUMNS = 200
_FIRST = 50
_FEW = 8
_ODD_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its cells that are filled, as numbers where they are, and those that are text among numbers."""

    name: str
    filled: list[str]
    empty: int
    numbers: list[tuple[float, str]] | None
    odd: tuple[tuple[int, str], ...]

    @property
    def told(self) -> str:
        """`price number 4.2..998, 3 empty`: the name, and what is worth knowing of the cells."""
        name = one_line(self.name, 60)
        if not self.filled:
            return f"{name} empty" if self.empty else name
        told = f"{name} {_figures(self.numbers) if self.numbers else _words(self.filled)}"
        if not self.empty:
            return told
        share = 100 * self.empty // (len(self.filled) + self.empty)
        return told + (f", {self.empty} empty" if share < 30 else f", {share} % empty")


def columns(names: list[str], table: Table) -> list[Column]:
    """The first MOST_COLUMNS columns, from those of the first MOST_ROWS rows that have them all."""
    fitting = [place for place, row in enumerate(table.body[:MOST_ROWS]) if len(row) == table.width]
    cells = list(zip(*map(table.body.__getitem__, fitting)))
    lines = [table.lines[place] for place in fitting]
    if not cells:
        return [Column(name, [], 0, None, ()) for name in names[:MOST_COLUMNS]]
    return [_column(name, values, lines, table) for name, values in zip(names[:MOST_COLUMNS], cells)]


def _column(name: str, values: tuple[str, ...], lines: list[int], table: Table) -> Column:
    filled = [bare for bare in map(str.strip, values) if bare]
    empty = len(values) - len(filled)
    if not filled:
        return Column(name, filled, empty, None, ())
    odd: tuple[tuple[int, str], ...] = ()
    figures = filled
    if table.delimiter != "," and any(map(_DECIMAL_COMMA.match, filled[:_FIRST])):
        figures = [value.replace(",", ".") if _DECIMAL_COMMA.match(value) else value for value in filled]
    numbers = _numbers(figures)
    if numbers is None and len(filled) >= 10 and _mostly_numbers(figures):
        there = [(line, value) for line, value in zip(lines, values) if value.strip()]
        odd = tuple(pair for pair, figure in zip(there, figures) if not _NUMBER.match(figure))
        numbers = [(float(figure), figure) for figure in figures if _NUMBER.match(figure)]
    return Column(name, filled, empty, numbers, odd)


def _mostly_numbers(values: list[str]) -> bool:
    """Whether one value in twenty, or a single one, is no number."""
    left = max(1, int(len(values) * _ODD_SHARE))
    for value in values:
        if not _NUMBER.match(value):
            left -= 1
            if left < 0:
                return False
    return True


def _numbers(values: list[str]) -> list[tuple[float, str]] | None:
    """The values as numbers, or None if one of them is none."""
    try:
        numbers = list(map(float, values))
    except ValueError:
        return None
    return list(zip(numbers, values)) if set("".join(values)) <= _FIGURES else None


def _figures(numbers: list[tuple[float, str]]) -> str:
    low, high = min(numbers)[1].strip(), max(numbers)[1].strip()
    shown = "".join([text for _, text in numbers])
    whole = not ("." in shown or "e" in shown or "E" in shown)
    span = low if low == high else f"{clip(low, 20)}..{clip(high, 20)}"
    unique = " unique" if whole and len(numbers) > 3 and len({text for _, text in numbers}) == len(numbers) else ""
    return f"{'int' if whole else 'number'} {span}{unique}"


def _words(values: list[str]) -> str:
    distinct = Counter(values)
    if len(distinct) == 1:
        return f"always {one_line(values[0], 40)}"
    if all(_DATE.match(value.strip()) for value in distinct):
        return f"date {min(distinct)}..{max(distinct)}"
    if len(distinct) <= _FEW and len(values) >= 2 * len(distinct):
        shown = ", ".join(f"{one_line(value, 24)} {number}" for value, number in distinct.most_common(_FEW))
        return f"string {shown}"
    if len(distinct) == len(values):
        return "string unique"
    (top, number), *_ = distinct.most_common(1)
    most = f" ({one_line(top, 20)} {number})" if number > 2 else ""
    return f"string {len(distinct)} values{most}"
