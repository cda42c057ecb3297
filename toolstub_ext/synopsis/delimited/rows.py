"""Rows of delimited text, exactly those of `csv.reader`, which itself is only asked about lines that hold a quote."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

_DENSE = 40
"""With more than one quote in so many characters `csv.reader` is the faster one."""
_SAMPLE = 64 * 1024


class Rows(NamedTuple):
    """Rows that are not blank, the lines they begin on, and how many blank ones there are between them."""

    rows: list[list[str]]
    lines: Sequence[int]
    blank: int


def read_rows(text: str, lines: list[str], delimiter: str, *, cut: bool, known: list[list[str]]) -> Rows:
    """The rows of `text`, which has these lines, the last one left out where the text is cut.

    `known` are the rows of its first lines. Raises ValueError for a field without end.
    """
    if cut and len(lines) > 1:
        lines = lines[:-1]
    left = lines[len(known) :]
    further = split_rows(left, delimiter) if '"' in text else _plain(left, delimiter)
    if further is None:
        return _filled(*read(text, delimiter, cut=cut))
    return _filled(known + further, range(1, len(lines) + 1))


def plain_rows(lines: list[str], delimiter: str) -> Rows:
    """The rows of lines whose quotes mean nothing."""
    return _filled(_plain(lines, delimiter), range(1, len(lines) + 1))


def _filled(found: list[list[str]], begun: Sequence[int]) -> Rows:
    if all(found):
        return Rows(found, begun, 0)
    filled = [line for line, row in zip(begun, found) if row]
    blank = len(found) - len(filled) - next((place for place, row in enumerate(found) if row), 0)
    return Rows([row for row in found if row], filled, blank)


def first_lines(text: str, most: int, *, cut: bool) -> list[str]:
    """Up to `most` of the lines of `text`, but not the last one of a text that is cut."""
    lines = text.split("\n", most)
    if cut or len(lines) > most or not lines[-1]:
        lines.pop()
    return lines


def split_rows(lines: list[str], delimiter: str) -> list[list[str]] | None:
    """Each line as a row, a blank one as none; None where a quoted field goes on in the next line."""
    rows = _quoted_rows(lines, delimiter)
    if not rows:
        return None if rows is None else _plain(lines, delimiter)
    found = iter(rows)
    return [next(found) if '"' in line else line.split(delimiter) if line else [] for line in lines]


def widths(lines: list[str], delimiter: str) -> list[int] | None:
    """How many fields each line has, a blank one none; None where a quoted field goes on in the next line."""
    rows = _quoted_rows(lines, delimiter)
    if rows is None:
        return None
    found = iter(rows)
    return [len(next(found)) if '"' in line else line.count(delimiter) + 1 if line else 0 for line in lines]


def _quoted_rows(lines: list[str], delimiter: str) -> list[list[str]] | None:
    """The rows of those lines that hold a quote; None where one of them goes on in the next line."""
    quoted = [line for line in lines if '"' in line]
    if not quoted:
        return []
    try:
        parsed = list(csv.reader([*quoted, ""], delimiter=delimiter))
    except csv.Error:
        return None
    return parsed[:-1] if len(parsed) > len(quoted) else None  # also the last may go on, in the blank one behind it


def _plain(lines: list[str], delimiter: str) -> list[list[str]]:
    if "" in lines:
        return [line.split(delimiter) if line else [] for line in lines]
    return [line.split(delimiter) for line in lines]


def read(text: str, delimiter: str, *, cut: bool) -> tuple[list[list[str]], list[int]]:
    """The rows and the lines they begin on, by `csv.reader`, but for the last row of a text that is cut.

    Raises ValueError for a field without end.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[list[str]] = []
    behind = [0]
    try:
        for row in reader:
            rows.append(row)
            behind.append(reader.line_num)
    except csv.Error as error:
        raise ValueError(str(error)) from error
    if cut and len(rows) > 1:
        rows.pop()
    return rows, [line + 1 for line in behind[: len(rows)]]


def quoted_breaks(text: str, edges: str) -> int | None:
    """How many line ends stand in quoted fields; None where that takes a reader.

    It does where a quote stands elsewhere than beside one of the `edges` of a field, and where most fields are quoted.
    """
    if len(text) > _SAMPLE and text.count('"', 0, _SAMPLE) * _DENSE > _SAMPLE:
        return None
    find, last, breaks = text.find, len(text) - 1, 0
    at = find('"')
    while at >= 0:
        close = find('"', at + 1)
        while 0 <= close < last and text[close + 1] == '"':
            close = find('"', close + 2)
        if close < 0 or (at and text[at - 1] not in edges) or (close < last and text[close + 1] not in edges):
            return None
        if find("\n", at, close) >= 0:
            breaks += text.count("\n", at, close)
        at = find('"', close + 1)
    return breaks


def records(text: str, delimiter: str) -> int | None:
    """How many rows `csv.reader` finds, blank ones included; None where it finds a fault."""
    try:
        return sum(1 for _ in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error:
        return None
