"""Reads delimited text: which rows there are, and how many, exactly as `csv.reader` counts them.

Only the first pages go through `csv.reader`. The rest is counted at C speed where the quotes allow it: a quote that
opens or closes a field stands beside a delimiter or a line end; where one does not, the reader reads on.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

from ..model import PROBE_CHARS, Source
from ..patterns import Pattern

TABLE_CHARS = 32 * 1024
WHOLE_CHARS = 64 * 1024
"""Rows, columns and types come from a whole text of at most this size, and from the first half as much of a larger."""
WIDE_CHARS = 512 * 1024
"""The same where a row is longer than a page."""

_CODE = Pattern(r"[{};]\s*$|[')\]}],\s*$|\w\(.*\)|=>|[\[{]$|</?\w")
_NUMBER = Pattern(r"\s*[-+]?[\d.,]+(?:[eE][-+]?\d+)?%?\s*\Z")
_LOG = Pattern(r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\Z")
_JUDGED = 48
_LONGEST_FIELD = 40
_OPEN_ENDED = 0.8
_LOOKED_AT = 24
_CHUNK = 1 << 16
_MOST_CHUNKS = 64
_MOST_BREAKS = 5


@dataclass(slots=True)
class Table:
    """The rows of the first pages, blank lines aside.

    `lines` are the line numbers of `body`; `ragged` pairs of line and width; `before` are rows above the table;
    `blank` is the number of blank lines between the rows; `cut` says that the text goes on.
    """

    delimiter: str
    rows: list[list[str]]
    width: int
    header: bool
    before: list[str]
    body: list[list[str]]
    lines: list[int]
    ragged: list[tuple[int, int]]
    line_breaks: bool
    unbalanced: bool
    blank: int
    cut: bool

    def names(self) -> list[str]:
        """The names of the columns; `column_3` where there is none."""
        first = self.rows[0] if self.header else []
        cells = first + [""] * (self.width - len(first))
        return [cell.strip() or f"column_{place}" for place, cell in enumerate(cells[: self.width], 1)]


def score(source: Source, delimiter: str) -> float:
    """How sure it is that the text is a table with this delimiter; 0.0 for no table at all."""
    row = source.clean.find("\n") + 1
    wide = _wide(source, row, delimiter)
    hits = sum(1 for line in source.probe if delimiter in line)
    regular = 0.2 if '"' in source.clean[:PROBE_CHARS] else 0.6
    if not wide and (hits < 2 or hits < regular * len(source.probe) or len(source.probe) < 2):
        return 0.0
    if delimiter in ";|" and delimiter not in source.probe[0]:
        return 0.0
    size = max(PROBE_CHARS, min(3 * row, WIDE_CHARS if wide else TABLE_CHARS))
    reader = csv.reader(io.StringIO(source.clean[:size], newline=""), delimiter=delimiter)
    rows = [row for row in islice(reader, _JUDGED) if row]
    if len(source.clean) > size and len(rows) > 1 and next(reader, None) is None:
        rows.pop()
    return _score(rows, delimiter)


def _wide(source: Source, row: int, delimiter: str) -> bool:
    """Whether the first line is a row of so many fields that it is longer than what is read of other tables."""
    return PROBE_CHARS < row < WIDE_CHARS // 3 and source.clean.count(delimiter, 0, row) > row // _LONGEST_FIELD


class _Rows(NamedTuple):
    """Rows that are not blank, the lines they begin on, and how many blank ones there are between them."""

    rows: list[list[str]]
    lines: list[int]
    blank: int


def _read(text: str, delimiter: str, cut: bool, quoting: Literal[0, 3] = csv.QUOTE_MINIMAL) -> _Rows:
    """The rows of `text`, the last one left out where the text is cut."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
    found = list(reader)
    begun = list(range(1, len(found) + 1))
    if reader.line_num != len(found):
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
        begun = [1, *(reader.line_num + 1 for _ in reader)][:-1]
    if cut and len(found) > 1:
        found.pop()
        begun.pop()
    if all(found):
        return _Rows(found, begun, 0)
    lines = [line for line, row in zip(begun, found) if row]
    blank = len(found) - len(lines) - next((place for place, row in enumerate(found) if row), 0)
    return _Rows([row for row in found if row], lines, blank)


def _width(rows: list[list[str]]) -> tuple[int, int]:
    """The commonest width and how many rows have it."""
    widths = Counter(map(len, rows))
    return max(widths.items(), key=lambda pair: (pair[1], pair[0]))


def _score(rows: list[list[str]], delimiter: str) -> float:
    if len(rows) < 2:
        return 0.0
    width, same = _width(rows)
    share = same / len(rows)
    filled = [cell for row in rows[1:_LOOKED_AT] for cell in row if cell.strip()]
    if width < 2 or share < 0.7 or not filled:
        return 0.0
    if width == 2 and sum(1 for row in rows if len(row) == 2 and not row[1].strip()) > _OPEN_ENDED * same:
        return 0.0
    named = _reads_like_header(rows)
    score = 0.62 + 0.2 * share + min(width, 8) * 0.01 + (0.08 if named else -0.1)
    if len(rows[0]) != width:
        score -= 0.12
    if sum(1 for row in rows if not row[0].strip()) > 0.5 * len(rows):
        score -= 0.35
    if delimiter == "|":
        padded = sum(1 for cell in filled if cell[:1] == " " or cell[-1:] == " ") / len(filled)
        score -= 0.6 * padded + (0 if named else 0.4)
    if delimiter != "\t":
        score -= _doubts(rows[:_LOOKED_AT], filled, width, named=named)
    return max(0.0, min(0.93, score))


def _doubts(rows: list[list[str]], filled: list[str], width: int, *, named: bool) -> float:
    """What speaks for code, prose or a log rather than for values between delimiters that also occur in those."""
    doubt = 0.0
    open_ended = sum(1 for row in rows if not row[-1].strip())
    if open_ended > 0.6 * len(rows) and not (named and rows[0][-1].strip()):
        doubt += 0.3
    if width == 2 and not named:
        doubt += 0.25
    spaced = sum(1 for row in rows for cell in row[1:] if cell[:1] == " " and cell[1:2] not in ("", " "))
    if spaced > 0.5 * max(1, sum(len(row) - 1 for row in rows)):
        spoken = sum(1 for cell in filled if cell.count(" ") >= 3) / len(filled)
        if spoken > 0.3 or width == 2:
            doubt += 0.4 if named and spoken < 0.3 else 0.65
    if sum(1 for row in rows if _CODE.search(row[-1][-200:] or ",".join(row)[-200:])) > 0.3 * len(rows):
        doubt += 0.15 if named else 0.4
    if width <= 3 and sum(1 for row in rows if _LOG.match(row[0].strip())) > 0.5 * len(rows):
        doubt += 0.5
    return doubt


def _reads_like_header(rows: list[list[str]]) -> bool:
    """Whether the first row names columns: short, distinct, no numbers, unlike what is below."""
    first = [cell.strip() for cell in rows[0]]
    named = [cell for cell in first if cell]
    if len(named) < max(1, len(first) * 0.6) or len(set(named)) < len(named) * 0.8:
        return False
    if any(len(cell) > 80 for cell in named):
        return False
    if sum(1 for cell in named if _NUMBER.match(cell)) > len(named) * 0.2 and not _numbers_only_above(first, rows[1:4]):
        return False
    return not any(_CODE.search(cell) or cell.count(" ") > 8 for cell in named)


def _numbers_only_above(first: list[str], below: list[list[str]]) -> bool:
    """Whether distinct numbers and a name stand over cells none of which is a number."""
    if not below or len(set(first)) < len(first) or all(map(_NUMBER.match, first)):
        return False
    return not any(_NUMBER.match(cell) for row in below for cell in row)


def table_head(source: Source, delimiter: str) -> str:
    """The part of a text that is read by row."""
    wide = _wide(source, source.clean.find("\n") + 1, delimiter)
    whole, part = (WIDE_CHARS, WIDE_CHARS) if wide else (WHOLE_CHARS, TABLE_CHARS)
    return source.clean if len(source.clean) <= whole else source.clean[:part]


def read_table(source: Source, delimiter: str) -> Table:
    """The table in the first pages of the text. Raises ValueError if there is none."""
    head = table_head(source, delimiter)
    cut = len(head) < len(source.clean)
    rows, lines, blank = _read(head, delimiter, cut)
    unbalanced = False
    if head.count('"') % 2 and any(cell.count("\n") > _MOST_BREAKS for row in rows[-2:] for cell in row):
        rows, lines, blank = _read(head, delimiter, cut, csv.QUOTE_NONE)
        unbalanced = True
    width, same = _width(rows) if rows else (0, 0)
    if width < 2:
        raise ValueError("no table")
    skipped = 0
    while skipped < min(6, len(rows) - 2) and len(rows[skipped]) < width and len(rows[skipped + 1]) <= width:
        skipped += 1
    if len(rows[skipped]) != width:
        skipped = 0
    before = [delimiter.join(row) for row in rows[:skipped]]
    rows, lines = rows[skipped:], lines[skipped:]
    header = _reads_like_header(rows)
    ragged = [(line, len(row)) for line, row in zip(lines, rows) if len(row) != width] if same < len(rows) else []
    body, body_lines = (rows[1:], lines[1:]) if header else (rows, lines)
    quoted = '"' in head and not unbalanced
    line_breaks = quoted and (lines[-1] - lines[0] >= len(rows) + blank or any("\n" in cell for cell in rows[-1]))
    return Table(delimiter, rows, width, header, before, body, body_lines, ragged, line_breaks, unbalanced, blank, cut)


def row_count(source: Source, table: Table) -> tuple[int, bool]:
    """How many rows there are, header and all, and whether that is exact and not the least there can be.

    Behind the part that is read a blank line counts as a row, as `csv.reader` has it, but not at the end.
    """
    read = len(table.before) + len(table.rows)
    if not table.cut:
        return read, True
    records = _records(source, table)
    return (records - table.blank, True) if records is not None else (read, False)


def _records(source: Source, table: Table) -> int | None:
    """How many rows `csv.reader` finds, blank lines at both ends aside; None where it finds a fault."""
    text = source.clean
    first, last = filled_span(text)
    breaks = source.clean_index.breaks - first - (len(text) - last)
    if table.unbalanced or '"' not in text:
        return breaks + 1
    if "\r" not in text:
        inside = _quoted_breaks(text, table.delimiter + "\n")
        if inside is not None:
            return breaks + 1 - inside
    try:
        return sum(1 for _ in csv.reader(io.StringIO(text[first:last], newline=""), delimiter=table.delimiter))
    except csv.Error:
        return None


def filled_span(text: str) -> tuple[int, int]:
    """Where the text begins and ends when blank lines at both ends are left out."""
    first, last = 0, len(text)
    while text.startswith("\n", first):
        first += 1
    while last > first and text[last - 1] == "\n":
        last -= 1
    return first, last


def _quoted_breaks(text: str, edges: str) -> int | None:
    """How many line ends stand in quoted fields; None if a quote stands elsewhere than at the edge of a field."""
    find, breaks = text.find, 0
    at = find('"')
    while at >= 0:
        close = find('"', at + 1)
        while close >= 0 and text[close + 1 : close + 2] == '"':
            close = find('"', close + 2)
        if close < 0 or (at and text[at - 1] not in edges) or text[close + 1 : close + 2] not in edges:
            return None
        breaks += text.count("\n", at, close)
        at = find('"', close + 1)
    return breaks


def far_ragged(source: Source, table: Table) -> tuple[list[tuple[int, int]], bool]:
    """Rows of another width behind the head, and whether all of them are found.

    Counts of delimiters and lines are compared piece by piece; only pieces that do not add up are read by line.
    """
    text, index, head = source.clean, source.clean_index, table_head(source, table.delimiter)
    if len(head) == len(text):
        return [], True
    if text.find('"', len(head)) >= 0:
        return [], False
    found: list[tuple[int, int]] = []
    at = text.rfind("\n", 0, len(head)) + 1
    line, searched = index.line_of(at), 0
    while at < len(text):
        end = text.find("\n", min(at + _CHUNK, len(text) - 1))
        end = len(text) if end < 0 else end + 1
        after = index.line_of(end) + (end == len(text) and not text.endswith("\n"))
        if text.count(table.delimiter, at, end) != (after - line) * (table.width - 1):
            searched += 1
            if searched > _MOST_CHUNKS:
                return found, False
            for number, row in enumerate(text[at:end].removesuffix("\n").split("\n"), line):
                if row and row.count(table.delimiter) != table.width - 1:
                    found.append((number, row.count(table.delimiter) + 1))
        at, line = end, after
    return found, True
