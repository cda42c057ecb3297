"""Describes tables of delimited values: rows, columns with types, and the rows that do not fit."""

from __future__ import annotations

from csv import reader
from itertools import islice
from operator import attrgetter

from ..asking import is_plain, rarest_of
from ..facts import Facts
from ..look import look
from ..model import KindName, Source, Synopsis, once
from ..wording import MASK, count, one_line
from .columns import MOST_COLUMNS, MOST_ROWS, Column, columns
from .scoring import SUREST, score
from .table import Table, far_widths, filled_span, read_table, row_count

_WIDE = 12
_ROW_CHARS = 700
_ASKED_COLUMNS = 2
_BESIDE = ("|", "<", ">")
"""What stands between two tables that are shown side by side, which is a diff of them."""
_DELIMITER_NAMES = {",": "comma", ";": "semicolon", "|": "pipe", "\t": "tab"}


class DelimitedKind:
    """Tables with one family of delimiters."""

    def __init__(self, name: KindName, delimiters: str, mimes: tuple[str, ...]) -> None:
        self.name: KindName = name
        self._delimiters = delimiters
        self._mimes = mimes
        self.surest = once(self._judged)
        self.table = once(self._read)

    def score(self, source: Source) -> float:
        """By how regular the first rows are and whether they read like values."""
        best, _ = self.surest(source)
        if source.mime and any(name in source.mime.lower() for name in self._mimes):
            return max(best, 0.94)
        return best

    def describe(self, source: Source) -> Synopsis:
        """Rows, columns, types, ragged rows and the first row; raises ValueError if there is no table."""
        table = self.table(source)
        facts = Facts(source)
        variant = _tell(source, facts, table)
        return facts.build(self.name, variant, variant)

    def _judged(self, source: Source) -> tuple[float, str]:
        """The score of the likeliest delimiter, the first one of several, and that delimiter."""
        scores = [score(source, delimiter) for delimiter in self._delimiters]
        best = max(scores)
        return best, self._delimiters[scores.index(best)]

    def _read(self, source: Source) -> Table:
        _, delimiter = self.surest(source)
        return read_table(source, delimiter)


csv = DelimitedKind("csv", ",;|", ("csv", "comma-separated"))
tsv = DelimitedKind("tsv", "\t", ("tsv", "tab-separated"))


class EvidentTable:
    """Tables of three columns or more that are as sure as they can be: nobody need look at words and shapes of text."""

    name: KindName = "csv"

    def score(self, source: Source) -> float:
        """Certain where no row tells against a table, else 0.0."""
        kind = _likely(source)
        return SUREST if kind and kind.surest(source)[0] == SUREST else 0.0

    def describe(self, source: Source) -> Synopsis:
        """As the kind does that has the delimiter."""
        return (_likely(source) or csv).describe(source)


@once
def _likely(source: Source) -> DelimitedKind | None:
    """The kind whose delimiter stands in the first line, and as often at least in the second; or none."""
    first, second, *further = [*source.probe, "", ""]
    for kind, delimiter in ((tsv, "\t"), (csv, ",")):
        if 2 <= first.count(delimiter) <= second.count(delimiter) and further[0]:
            return None if any(map(look(source).text.__contains__, _BESIDE)) else kind
    return None


evident = EvidentTable()


def _tell(source: Source, facts: Facts, table: Table) -> str | None:
    total, counted = row_count(source, table)
    total -= len(table.before) + table.header
    at_least = "" if counted else "at least "
    names = table.names()
    found = columns(names, table)
    far = far_widths(source, table)
    ragged = [*table.ragged, *far.ragged]
    quoted = ", quoted line breaks" if table.line_breaks else ""
    facts.say(
        f"{at_least}{count(total, 'row')}, {count(table.width, 'column')}, {_DELIMITER_NAMES[table.delimiter]}{quoted}"
        + (", names in a comment" if table.given else "" if table.header else ", no header")
    )
    if ragged:
        some = "" if far.exact else "at least "
        widths = sorted({width for _, width in ragged})
        said = f"{some}{count(len(ragged), 'row')} of another width ({', '.join(map(str, widths[:5]))} fields)"
        facts.say(f"{said}, first: line {source.number(ragged[0][0])}", rank=1)
        for line, width in ragged[:3]:
            facts.anchor_line(f"row of {width} fields", line)
    if not far.exact:
        further = f" and in {far.checked} further ones, evenly spread" if far.checked else ""
        facts.say(f"widths checked in the first {count(len(table.rows), 'row')}{further}", rank=3)
    if table.before:
        facts.say(
            f"{count(len(table.before), 'line')} before the table: {one_line(' / '.join(table.before), 100)}", rank=2
        )
    if table.unbalanced:
        facts.say("a quote is never closed; quotes taken as they stand", rank=1)
    part = _reach(table)
    wide = len(found) > _WIDE
    if wide and (table.header or table.given):
        lead = f"columns{' ' + part if part else ''}: "
        facts.dense("structure", found, tell=attrgetter("brief"), rank=3, lead=lead, share=0.6)
    facts.dense(
        "structure",
        found,
        tell=attrgetter("told"),
        rank=5,
        lead=part + ": " if part else "",
        share=0.7 if wide else 0.8,
    )
    facts.ask(_asked(found, names) if table.header or table.given else "")
    facts.ask("rows 1:20")
    _say_outliers(source, facts, found, part)
    _say_ends(source, facts, table, [place for place, column in enumerate(found) if column.secret])
    return "ragged" if ragged else {";": "semicolon", "|": "pipe"}.get(table.delimiter)


def _asked(found: list[Column], names: list[str]) -> str:
    """`id, total where status == 'late'`: the rarest value of the first column that has a few."""
    plain = list(islice((name for name in names if names.count(name) == 1 and is_plain(name)), _ASKED_COLUMNS))
    for column in found if len(plain) == _ASKED_COLUMNS else ():
        if column.figures or column.secret or not is_plain(column.name):
            continue
        if column.few and (value := rarest_of(column.counts, len(column.filled))):
            return f"{', '.join(plain)} where {column.name} == '{value}'"
    return ""


def _say_ends(source: Source, facts: Facts, table: Table, secret: list[int]) -> None:
    """The first row and the last, without the cells of columns that are secret."""
    if table.body:
        first = _without(table.body[0], table, secret) if secret else _row(source, table)
        facts.notable("row 1: " + one_line(first, 180), rank=12)
        facts.anchor_line("row 1", table.lines[0])
    _, end = filled_span(source.clean)
    last = source.clean[source.clean.rfind("\n", 0, end) + 1 : end][:_ROW_CHARS]
    if len(table.body) > 1 and not table.line_breaks:
        last = _without(_cells(last, table), table, secret) if secret else last
        facts.notable("last: " + one_line(last, 180), rank=13)
        facts.anchor_line("last row", source.line_index.count)


def _without(row: list[str], table: Table, secret: list[int]) -> str:
    """The cells of a row, those at these places masked."""
    shown = [MASK if place in secret and cell.strip() else cell for place, cell in enumerate(row)]
    return table.delimiter.join(shown)


def _cells(line: str, table: Table) -> list[str]:
    return line.split(table.delimiter) if table.unbalanced else next(reader([line], delimiter=table.delimiter), [])


def _reach(table: Table) -> str:
    """`in the first 4000 rows of 3 fields`, as far as that is not all of the table."""
    looked_at = min(len(table.body), MOST_ROWS)
    some = table.cut or looked_at < len(table.body)
    rows = f"in the first {count(looked_at, 'row')}" if some else ""
    if table.ragged and {*map(len, table.body[:looked_at])} - {table.width}:
        rows = (rows or "in rows") + f" of {count(table.width, 'field')}"
    if table.width > MOST_COLUMNS:
        rows += f"{', ' if rows else ''}the first {MOST_COLUMNS} columns"
    return rows


def _row(source: Source, table: Table) -> str:
    """The first row as it stands, quotes and all; of one with line breaks the cells."""
    row, start = table.body[0], source.clean_index.start_of(table.lines[0])
    end = source.clean.find("\n", start)
    line = source.clean[start : min(start + _ROW_CHARS, end if end >= 0 else len(source.clean))]
    return table.delimiter.join(row) if any("\n" in cell for cell in row) else line


def _say_outliers(source: Source, facts: Facts, found: list[Column], part: str) -> None:
    for column in found:
        if column.odd:
            lines = ", ".join(str(source.number(line)) for line, _ in column.odd[:4])
            value = MASK if column.secret else one_line(column.odd[0][1], 40)
            many = count(len(column.odd), "row") + (f" {part}" if part.startswith("in the first") else "")
            facts.notable(f"{one_line(column.name, 40)} is text in {many} ({value!r}, line {lines})", rank=4)
            facts.anchor_line(f"{column.name}: {value}", column.odd[0][0])
