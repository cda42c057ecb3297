"""A table of delimited values: its rows with their lines, as text or as objects for JMESPath."""

from __future__ import annotations

import csv
import io
import re
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..synopsis.delimited import kind as delimited
from .meter import Meter
from .places import Tree
from .subject import Subject

_KINDS = {kind.name: kind for kind in (delimited.csv, delimited.tsv)}
_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,300})")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,300})\.[0-9]{1,300}")
_field_limit = threading.Lock()


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its number from 1, header and blank lines not counted, the line it begins on, and its cells."""

    number: int
    line: int
    cells: list[str]


class Rows:
    """The rows of the table that a text is. Names of columns are unique: the second `id` is `id_2`."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._table = _KINDS[subject.synopsis.kind].table(subject.source)
        self.delimiter = self._table.delimiter
        self.has_header = self._table.header
        self.names = list(_unique(self._table.names()))

    def __iter__(self) -> Iterator[Row]:
        """Raises ValueError, in one line, where the text stops being a table."""
        skipped = len(self._table.before) + (1 if self._table.header else 0)
        number = -skipped
        for line, cells in self._filled():
            number += 1
            if number > 0:
                yield Row(number, self._subject.line(line), cells)

    def _filled(self) -> Iterator[tuple[int, list[str]]]:
        text = self._subject.source.clean
        with _field_limit:  # it is the whole process's
            csv.field_size_limit(max(len(text), csv.field_size_limit()))
        lines = io.StringIO(text, newline="")
        reader = (csv.reader(lines, delimiter=self.delimiter, quoting=csv.QUOTE_NONE) if self._table.unbalanced
                  else csv.reader(lines, delimiter=self.delimiter))
        line = 1
        try:
            for cells in reader:
                if any(cells):
                    yield line, cells
                line = reader.line_num + 1
        except csv.Error as error:
            raise ValueError(f"line {self._subject.line(line)} is no row of this table: {error}") from None

    def tree(self, meter: Meter) -> Tree:
        """All rows as objects; what looks like a number is one."""
        start_of = self._subject.lines.start_of
        rows: list[dict[str, Any]] = []
        lines: list[int] = []
        for row in self:
            meter.spend(len(self.names))
            rows.append({name: typed(cell) for name, cell in zip(self.names, self.padded(row))})
            lines.append(row.line)
        tree = Tree(rows, f"an array of {len(rows):,} rows as objects")
        tree.places = dict(zip(map(id, rows), map(start_of, lines)))
        return tree

    def padded(self, row: Row) -> list[str]:
        """As many cells as there are columns."""
        return (row.cells + [""] * (len(self.names) - len(row.cells)))[:len(self.names)]


def typed(cell: str) -> str | int | float:
    """A number where the cell is written as JSON would write one (`007` and `1,000` are not); else the text."""
    if _INT.fullmatch(cell):
        return int(cell)
    return float(cell) if _DECIMAL.fullmatch(cell) else cell


def _unique(names: list[str]) -> Iterator[str]:
    taken = set(names)
    times: Counter[str] = Counter()
    for name in names:
        times[name] += 1
        free = name
        while times[name] > 1 and free in taken:
            free = f"{name}_{times[name]}"
            times[name] += free in taken
        taken.add(free)
        yield free
