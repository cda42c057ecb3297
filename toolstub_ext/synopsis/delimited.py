"""Reads delimited text: which rows there are, and how many, exactly as `csv.reader` would count them.

Only the head goes through `csv.reader`. The rest is counted at C speed where the quotes allow it: a quote that opens
or closes a field stands beside a delimiter or a line end; where one does not, the reader reads on.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass

from .model import HEAD_CHARS, PROBE_CHARS, Source

_CODE = re.compile(r"[{};]\s*$|[')\]}],\s*$|\w\(.*\)|=>|[\[{]$|</?\w")
_NUMBER = re.compile(r"\s*[-+]?[\d.,]+(?:[eE][-+]?\d+)?%?\s*\Z")
_LOG = re.compile(r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\Z")
_CHUNK = 1 << 16
_MOST_CHUNKS = 64
_MOST_BREAKS = 5


@dataclass(slots=True)
class Table:
    """The rows of the head. `lines` are the line numbers of `body`; `ragged` pairs of line and width."""

    delimiter: str
    score: float
    rows: list[list[str]]
    width: int
    header: bool
    before: list[str]
    body: list[list[str]]
    lines: list[int]
    ragged: list[tuple[int, int]]
    line_breaks: bool
    unbalanced: bool

    def names(self) -> list[str]:
        """The names of the columns; `column_3` where there is none."""
        first = self.rows[0] if self.header else []
        cells = first + [""] * (self.width - len(first))
        return [cell.strip() or f"column_{place}" for place, cell in enumerate(cells[: self.width], 1)]


def _empty(delimiter: str) -> Table:
    return Table(delimiter, 0.0, [], 0, False, [], [], [], [], False, False)


def read_table(source: Source, delimiter: str) -> Table:
    """The table in the head of `source`, with a score from 0.0 for no table at all."""
    hits = sum(1 for line in source.probe if delimiter in line)
    regular = 0.2 if '"' in source.clean[:PROBE_CHARS] else 0.6
    if hits < 2 or hits < regular * len(source.probe) or len(source.probe) < 2:
        return _empty(delimiter)
    if delimiter in ";|" and delimiter not in source.probe[0]:
        return _empty(delimiter)
    row = source.clean.find("\n") + 1
    size = max(PROBE_CHARS, min(3 * row, HEAD_CHARS))
    sample, _ = _rows(source.clean[:size], delimiter, len(source.clean) > size)
    score = _score(sample, delimiter)
    return _whole_head(source, delimiter, score) if score > 0 else _empty(delimiter)


def _rows(text: str, delimiter: str, cut: bool, quoting: int = csv.QUOTE_MINIMAL) -> tuple[list[list[str]], list[int]]:
    """The rows of lines that are not empty and the lines they begin on; the last one left out where the text is cut."""
    rows: list[list[str]] = []
    lines: list[int] = []
    if quoting == csv.QUOTE_NONE:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    line = 1
    for row in reader:
        if row:
            rows.append(row)
            lines.append(line)
        line = reader.line_num + 1
    if cut and len(rows) > 1:
        rows.pop()
        lines.pop()
    return rows, lines


def _width(rows: list[list[str]]) -> tuple[int, int]:
    """The commonest width and how many rows have it."""
    widths = Counter(map(len, rows))
    return max(widths.items(), key=lambda pair: (pair[1], pair[0]))


def _score(rows: list[list[str]], delimiter: str) -> float:
    if len(rows) < 2:
        return 0.0
    width, same = _width(rows)
    share = same / len(rows)
    filled = [cell for row in rows[1:40] for cell in row if cell.strip()]
    if width < 2 or share < 0.7 or not filled:
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
        score -= _doubts(rows, filled, width, named=named)
    return max(0.0, min(0.93, score))


def _doubts(rows: list[list[str]], filled: list[str], width: int, *, named: bool) -> float:
    """What speaks for code, prose or a log rather than for values between delimiters that also occur in those."""
    doubt = 0.0
    open_ended = sum(1 for row in rows if not row[-1].strip())
    if open_ended > 0.6 * len(rows) and not (named and rows[0][-1].strip()):
        doubt += 0.3
    if width == 2 and not named:
        doubt += 0.25
    spoken = sum(1 for cell in filled if cell.count(" ") >= 3) / len(filled)
    spaced = sum(1 for row in rows for cell in row[1:] if cell[:1] == " " and cell[1:2] not in ("", " "))
    if spaced > 0.5 * max(1, sum(len(row) - 1 for row in rows)) and (spoken > 0.3 or width == 2):
        doubt += 0.4 if named and spoken < 0.3 else 0.65
    if sum(1 for row in rows if _CODE.search(row[-1][-200:] or ",".join(row)[-200:])) > 0.3 * len(rows):
        doubt += 0.15 if named else 0.4
    if sum(1 for row in rows if _LOG.match(row[0].strip())) > 0.5 * len(rows) and width <= 3:
        doubt += 0.5
    return doubt


def _reads_like_header(rows: list[list[str]]) -> bool:
    """Whether the first row names columns: short, distinct, no numbers, unlike what is below."""
    first = [cell.strip() for cell in rows[0]]
    named = [cell for cell in first if cell]
    if len(named) < max(1, len(first) * 0.6) or len(set(named)) < len(named) * 0.8:
        return False
    if any(len(cell) > 80 for cell in named) or sum(1 for cell in named if _NUMBER.match(cell)) > len(named) * 0.2:
        return False
    return not any(_CODE.search(cell) or cell.count(" ") > 8 for cell in named)


def _whole_head(source: Source, delimiter: str, score: float) -> Table:
    rows, lines = _rows(source.head, delimiter, source.partial)
    unbalanced = False
    if source.head.count('"') % 2 and any(cell.count("\n") > _MOST_BREAKS for row in rows[-2:] for cell in row):
        rows, lines = _rows(source.head, delimiter, source.partial, csv.QUOTE_NONE)
        unbalanced = True
    width, _ = _width(rows)
    skipped = 0
    while skipped < min(6, len(rows) - 2) and len(rows[skipped]) < width and len(rows[skipped + 1]) <= width:
        skipped += 1
    if len(rows[skipped]) != width:
        skipped = 0
    before = [delimiter.join(row) for row in rows[:skipped]]
    rows, lines = rows[skipped:], lines[skipped:]
    header = _reads_like_header(rows)
    body, body_lines = (rows[1:], lines[1:]) if header else (rows, lines)
    ragged = [(line, len(row)) for line, row in zip(body_lines, body) if len(row) != width]
    if header and len(rows[0]) != width:
        ragged.insert(0, (lines[0], len(rows[0])))
    line_breaks = not unbalanced and any("\n" in cell for row in rows for cell in row)
    return Table(delimiter, score, rows, width, header, before, body, body_lines, ragged, line_breaks, unbalanced)


def row_count(text: str, table: Table) -> int:
    """How many rows `text` has, as `csv.reader` counts them, empty lines aside."""
    if '"' not in text or table.unbalanced:
        return _filled_lines(text)
    parts = text.split('"')
    edges = table.delimiter + "\n"
    last = len(parts) - 1
    rows = 0
    if len(parts) % 2 and "\r" not in text and not text.startswith("\n"):
        for place in range(0, last + 1, 2):
            part = parts[place]
            if not part:
                continue
            if (place and part[0] not in edges) or (place != last and part[-1] not in edges) or "\n\n" in part:
                break
            rows += part.count("\n")
        else:
            return rows + (not text.endswith("\n"))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=table.delimiter)
    try:
        return sum(1 for row in reader if row)
    except csv.Error:
        return _filled_lines(text)


def _filled_lines(text: str) -> int:
    if "\n\n" not in text and not text.startswith("\n"):
        return text.count("\n") + (1 if text and not text.endswith("\n") else 0)
    return sum(1 for line in text.split("\n") if line)


def far_ragged(source: Source, table: Table) -> tuple[list[tuple[int, int]], bool]:
    """Rows of another width behind the head, and whether all of them are found.

    Counts of delimiters and lines are compared piece by piece; only pieces that do not add up are read by line.
    """
    if not source.partial:
        return [], True
    text = source.clean
    if text.find('"', len(source.head)) >= 0:
        return [], False
    found: list[tuple[int, int]] = []
    at = text.rfind("\n", 0, len(source.head)) + 1
    line, searched = text.count("\n", 0, at) + 1, 0
    while at < len(text):
        end = text.find("\n", min(at + _CHUNK, len(text) - 1))
        end = len(text) if end < 0 else end + 1
        rows = text.count("\n", at, end) + (1 if end == len(text) and not text.endswith("\n") else 0)
        if text.count(table.delimiter, at, end) != rows * (table.width - 1):
            searched += 1
            if searched > _MOST_CHUNKS:
                return found, False
            for number, row in enumerate(text[at:end].removesuffix("\n").split("\n"), line):
                if row and row.count(table.delimiter) != table.width - 1:
                    found.append((number, row.count(table.delimiter) + 1))
        at, line = end, line + rows
    return found, True
