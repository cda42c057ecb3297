"""Columns and rows of a table. The parts of a selection may come in any order, and each may be left out.

    id, amount
    rows 120:140
    columns: id, amount; rows: 120:140; where: country == 'DE' and amount > 100; limit: 20
"""

from __future__ import annotations

import csv
import difflib
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from ..phrases import counted, shown
from ..store.slices import parse_lines
from .answer import Answer, Listing
from .conditions import Condition, Parser
from .subject import Subject
from .table import Row, Rows

_CLAUSE = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`\\]|\\.)*`"
    r"|(?<![\w.'\"])(?P<word>columns?|cols?|select|rows?|where|filter|limit)(?::|(?=\s|$))\s*", re.IGNORECASE)
_COMPARES = re.compile(r"[=<>]|\b(?:contains|in|is)\s", re.IGNORECASE)
_RANGE = re.compile(r"\s*(\d*)\s*(?:-|\.\.|to)\s*(\d*)\s*")
_MEANS = {"col": "columns", "cols": "columns", "column": "columns", "select": "columns", "row": "rows",
          "filter": "where"}
_NAMED = 12

MOST_ROWS = 100_000
"""The most rows that one answer holds."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is asked for: places of columns, rows from 1 (None: to the end), a condition, how many."""

    columns: tuple[int, ...]
    first: int
    last: int | None
    condition: Condition | None
    limit: int | None
    parts: dict[str, str]

    def reaches(self, row: Row) -> bool:
        """Whether the row is among the numbers asked for."""
        return self.first <= row.number <= (row.number if self.last is None else self.last)

    def takes(self, cells: Sequence[str]) -> bool:
        """Whether a row of these cells is one that is meant."""
        return self.condition is None or self.condition(cells)

    def onward(self, number: int, shown: int) -> str:
        """The same expression for what is left from a row on, when that many were shown."""
        parts = self.parts | {"rows": f"{number}:{'' if self.last is None else self.last}",
                              "limit": "" if self.limit is None else str(self.limit - shown)}
        return "; ".join(f"{word}: {said}" for word, said in parts.items() if said)


def parse(expression: str, names: Sequence[str]) -> Selection:
    """What an expression asks for. Raises ValueError, in one line with the position, if it is none."""
    clauses = _clauses(expression)
    find = partial(_place, names)
    condition = None
    if "where" in clauses:
        begin, said = clauses["where"]
        condition = Parser(said, names, find, begin).parse()
    first, last = _range(clauses["rows"][1]) if "rows" in clauses else (1, None)
    return Selection(
        tuple(_columns(clauses["columns"][1], names)) if "columns" in clauses else tuple(range(len(names))),
        first, last, condition, _limit(clauses["limit"][1]) if "limit" in clauses else None,
        {word: clauses[word][1] if word in clauses else "" for word in ("columns", "rows", "where", "limit")})


def select(subject: Subject, rows: Rows, expression: str) -> Answer:
    """The rows and columns, each row with its number."""
    selection = parse(expression, rows.names)
    found: list[Row] = []
    total = matching = elsewhere = 0
    for row in rows:
        total = row.number
        if not selection.reaches(row):
            elsewhere += selection.condition is not None and selection.takes(rows.padded(row))
        elif selection.takes(rows.padded(row)):
            matching += 1
            if matching <= min(selection.limit or MOST_ROWS, MOST_ROWS):
                found.append(row)
    names = [rows.names[place] for place in selection.columns]
    cells = [[rows.padded(row)[place] for place in selection.columns] for row in found]
    return Listing(
        subject.ref, _said(selection, found, matching, elsewhere, total),
        tuple(f"{row.number}: {_line(each, rows.delimiter)}" for row, each in zip(found, cells)),
        [dict(zip(names, each)) for each in cells], partial(_onward, selection, found),
        heading=f"row: {_line(names, rows.delimiter)}")


def _said(selection: Selection, found: list[Row], matching: int, elsewhere: int, total: int) -> str:
    said = f"{counted(matching, 'row')} of {total:,}"
    if selection.condition is not None:
        said += f" where {selection.parts['where']}"
    if elsewhere:
        said += f" and rows {selection.parts['rows']}; {elsewhere:,} more match in rows outside of these"
    if len(found) < matching:
        said += f", the first {len(found):,}"
    if not found:
        return said + "; nothing to show"
    ends = (found[0], found[-1])
    return f"{said} (rows {ends[0].number}..{ends[1].number}, lines {ends[0].line}..{ends[1].line})"


def _onward(selection: Selection, found: list[Row], count: int) -> str:
    return f"expression {shown(selection.onward(found[count].number, count), 1_200)}"


def _clauses(expression: str) -> dict[str, tuple[int, str]]:
    """Each clause with where it begins and what it says."""
    marks = [match for match in _CLAUSE.finditer(expression) if match["word"]]
    clauses: dict[str, tuple[int, str]] = {}
    lead = expression[:marks[0].start()] if marks else expression
    if lead.strip(" ;,\n"):
        clauses["where" if _COMPARES.search(lead) else "columns"] = (0, lead.strip(" ;\n"))
    ends = [mark.start() for mark in islice(marks, 1, None)] + [len(expression)]
    for mark, end in zip(marks, ends):
        word = mark["word"].lower()
        word = _MEANS.get(word, word)
        if word in clauses:
            raise ValueError(f"{word!r} stands twice, again at character {mark.start()}")
        clauses[word] = (mark.end(), expression[mark.end():end].rstrip(" ;,\n"))
    return clauses


def _columns(text: str, names: Sequence[str]) -> list[int]:
    if text.strip() in ("*", "", "all"):
        return list(range(len(names)))
    (parts,) = csv.reader(io.StringIO(" ".join(text.split())), skipinitialspace=True)
    return [_place(names, re.sub(r"^(['`])(.*)\1$", r"\2", part.strip())) for part in parts if part.strip()]


def _place(names: Sequence[str], name: str) -> int:
    """The place of a column, also by its name in other letters or by `column_N`."""
    if name in names:
        return names.index(name)
    folded = [each.casefold() for each in names]
    if name.casefold() in folded:
        return folded.index(name.casefold())
    numbered = re.fullmatch(r"column_(\d{1,6})", name)
    if numbered and 1 <= int(numbered[1]) <= len(names):
        return int(numbered[1]) - 1
    near = difflib.get_close_matches(name, names[:1_000], n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    listed = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    raise ValueError(f"no column {shown(name)}; {hint}there are: {listed}")


def _range(text: str) -> tuple[int, int | None]:
    written = _RANGE.fullmatch(text)
    try:
        return parse_lines(f"{written[1]}:{written[2]}" if written else text)
    except ValueError as error:
        raise ValueError(str(error).replace("lines", "rows")) from None


def _limit(text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text.strip()) or int(text) == 0:
        raise ValueError(f"limit is {shown(text)}; give a number of rows")
    return int(text)


def _line(cells: Sequence[str], delimiter: str) -> str:
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator="").writerow(cells)
    return written.getvalue()
