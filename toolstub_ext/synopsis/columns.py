"""What a column of a table holds: its type, its range or commonest values, and the cells that do not fit."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from .delimited import Table
from .wording import clip, one_line

_DATE = re.compile(r"\d{4}[-/]\d\d?[-/]\d\d?(?:[T ]\d\d:\d\d[\d:.]{0,12}(?:Z|[+-]\d\d:?\d\d)?)?\Z")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+\Z")
_FIGURES = frozenset("0123456789+-.eE \t")  # float() also takes "nan", "infinity" and "1_000"
_MOST_ROWS = 4000
_FEW = 8
_ODD_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what to say of it, and the cells that are text among numbers with their lines."""

    name: str
    told: str
    odd: tuple[tuple[int, str], ...]


def columns(names: list[str], table: Table) -> list[Column]:
    """The columns of the rows of the head, at most 200."""
    fitting = [(line, row) for line, row in zip(table.lines, table.body) if len(row) == table.width][:_MOST_ROWS]
    cells = list(zip(*(row for _, row in fitting)))
    lines = [line for line, _ in fitting]
    if not cells:
        return [Column(name, one_line(name, 60), ()) for name in names[:200]]
    return [_column(name, values, lines, table) for name, values in zip(names[:200], cells)]


def _column(name: str, values: tuple[str, ...], lines: list[int], table: Table) -> Column:
    filled = [value for value in values if value.strip()]
    empty = len(values) - len(filled)
    told = one_line(name, 60) + " "
    if not filled:
        return Column(name, told + "empty", ())
    odd: tuple[tuple[int, str], ...] = ()
    if table.delimiter != ",":
        filled = [value.replace(",", ".") if _DECIMAL_COMMA.match(value) else value for value in filled]
    numbers = _numbers(filled)
    if numbers is None:
        text = [value for value in filled if not _NUMBER.match(value.strip())]
        if 0 < len(text) <= max(1, len(filled) * _ODD_SHARE) and len(filled) >= 10:
            odd = tuple(
                (line, value)
                for line, value in zip(lines, values)
                if value.strip() and not _NUMBER.match(value.strip())
            )
            numbers = [(float(value), value) for value in filled if _NUMBER.match(value.strip())]
    told += _figures(numbers) if numbers else _words(filled)
    if empty:
        share = 100 * empty // len(values)
        told += f", {empty} empty" if share < 30 else f", {share} % empty"
    return Column(name, told, odd)


def _numbers(values: list[str]) -> list[tuple[float, str]] | None:
    """The values as numbers, or None if one of them is none."""
    try:
        numbers = list(map(float, values))
    except ValueError:
        return None
    return list(zip(numbers, values)) if set("".join(values)) <= _FIGURES else None


def _figures(numbers: list[tuple[float, str]]) -> str:
    low, high = min(numbers)[1].strip(), max(numbers)[1].strip()
    whole = not any("." in text or "e" in text.lower() for _, text in numbers)
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
