"""The rows of a table: those of its first pages as they are, and how many there are in all.

The first pages are read by row. The rest is counted at C speed where the quotes allow it: a quote that opens or closes
a field stands beside a delimiter or a line end; where one does not, `csv.reader` reads on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from ..clean import QUOTE
from ..model import Source, once
from .rows import plain_rows, quoted_breaks, read_rows, records, widths
from .scoring import TABLE_CHARS, WIDE_CHARS, begun, commonest_width, is_wide, reads_like_header

WHOLE_CHARS = 64 * 1024
"""Rows, columns and types come from a whole text of at most this size, and from TABLE_CHARS of a larger one."""
FAR_CHARS = 1024 * 1024
"""Widths are checked in all that follows if that is no more than this, else in SAMPLES pieces of it."""
SAMPLES = 64

_SAMPLE_CHARS = 4 * 1024
_CHUNK = 64 * 1024
_MOST_BREAKS = 5
_NAMING = "#fields"


class Widths(NamedTuple):
    """Rows of another width as line and width, how many rows were looked at, and whether those were all."""

    ragged: list[tuple[int, int]]
    checked: int
    exact: bool


@dataclass(slots=True)
class Table:
    """The rows of the first pages, blank lines aside.

    `lines` are the line numbers of `body`; `ragged` pairs of line and width; `before` are rows above the table;
    `blank` is the number of blank lines between the rows; `cut` says that the text goes on; `given` are the names of
    the columns where a comment above the table has them.
    """

    delimiter: str
    rows: list[list[str]]
    width: int
    header: bool
    before: list[str]
    body: list[list[str]]
    lines: Sequence[int]
    ragged: list[tuple[int, int]]
    line_breaks: bool
    unbalanced: bool
    blank: int
    cut: bool
    given: tuple[str, ...] = ()

    def names(self) -> list[str]:
        """The names of the columns; `column_3` where there is none."""
        first = self.rows[0] if self.header else list(self.given)
        cells = first + [""] * (self.width - len(first))
        return [cell.strip() or f"column_{place}" for place, cell in enumerate(cells[: self.width], 1)]


def table_head(source: Source, delimiter: str) -> str:
    """The part of a text that is read by row."""
    wide = is_wide(source, source.clean.find("\n") + 1, delimiter)
    whole, part = (WIDE_CHARS, WIDE_CHARS) if wide else (WHOLE_CHARS, TABLE_CHARS)
    return source.clean if len(source.clean) <= whole else source.clean[:part]


def read_table(source: Source, delimiter: str) -> Table:
    """The table in the first pages of the text. Raises ValueError if there is none."""
    head = table_head(source, delimiter)
    cut = len(head) < len(source.clean)
    text_lines = source.lines if head is source.head else head.removesuffix("\n").split("\n")
    rows, lines, blank = read_rows(head, text_lines, delimiter, cut=cut, known=begun(source).get(delimiter) or [])
    unbalanced = False
    if any(cell.count("\n") > _MOST_BREAKS for row in rows[-2:] for cell in row) and head.count('"') % 2:
        rows, lines, blank = plain_rows(text_lines[:-1] if cut else text_lines, delimiter)
        unbalanced = True
    width, same = commonest_width(rows) if rows else (0, 0)
    if width < 2:
        raise ValueError("no table")
    skipped = 0
    while skipped < min(6, len(rows) - 2) and len(rows[skipped]) < width and len(rows[skipped + 1]) <= width:
        skipped += 1
    if len(rows[skipped]) != width:
        skipped = 0
    noted, given = _commented(rows, width) if rows[0][0].startswith("#") else (0, ())
    skipped = noted or skipped
    before = [delimiter.join(row) for row in rows[:skipped]]
    if skipped:
        rows, lines = rows[skipped:], lines[skipped:]
    header = not given and reads_like_header(rows)
    ragged = [(line, len(row)) for line, row in zip(lines, rows) if len(row) != width] if same < len(rows) else []
    body, body_lines = (rows[1:], lines[1:]) if header else (rows, lines)
    quoted = '"' in head and not unbalanced
    line_breaks = quoted and (lines[-1] - lines[0] >= len(rows) + blank or any("\n" in cell for cell in rows[-1]))
    return Table(
        delimiter, rows, width, header, before, body, body_lines, ragged, line_breaks, unbalanced, blank, cut, given
    )


def _commented(rows: list[list[str]], width: int) -> tuple[int, tuple[str, ...]]:
    """How many comments stand above the table, and the names of the columns that one of them has, as in Zeek's logs."""
    noted = next((place for place, row in enumerate(rows) if not row[0].startswith("#")), 0)
    given = next((row[1:] for row in rows[:noted] if row[0].lower() == _NAMING and len(row) == width + 1), [])
    return (noted, tuple(given)) if given else (0, ())


def row_count(source: Source, table: Table) -> tuple[int, bool]:
    """How many rows there are, header and all, and whether that is exact and not the least there can be.

    Behind the part that is read a blank line counts as a row, as `csv.reader` has it, but not at the end.
    """
    read = len(table.before) + len(table.rows)
    if not table.cut:
        return read, True
    found = _records(source, table)
    return (found - table.blank, True) if found is not None else (read, False)


def _records(source: Source, table: Table) -> int | None:
    """How many rows `csv.reader` finds, blank lines at both ends aside; None where it finds a fault."""
    counted = _counted(source)
    if table.delimiter not in counted:
        counted[table.delimiter] = _count(source, table)
    return counted[table.delimiter]


@once
def _counted(_source: Source) -> dict[str, int | None]:
    """What `_records` has found, by delimiter."""
    return {}


def _count(source: Source, table: Table) -> int | None:
    text = source.clean
    plain = table.unbalanced or QUOTE not in source.marks
    inside = 0 if plain else quoted_breaks(text, table.delimiter + "\n") if "\r" not in text else None
    if inside is None:
        first, last = filled_span(text)
        return records(text[first:last], table.delimiter)
    return _filled_lines(source) - inside


def _filled_lines(source: Source) -> int:
    """How many lines there are, blank ones at both ends aside."""
    first, last = filled_span(source.clean)
    return source.clean_index.breaks - first - (len(source.clean) - last) + 1


def filled_span(text: str) -> tuple[int, int]:
    """Where the text begins and ends when blank lines at both ends are left out."""
    first, last = 0, len(text)
    while text.startswith("\n", first):
        first += 1
    while last > first and text[last - 1] == "\n":
        last -= 1
    return first, last


def far_widths(source: Source, table: Table) -> Widths:
    """The rows of another width behind the head, of a long text in SAMPLES evenly spread pieces and at its end."""
    text, head = source.clean, table_head(source, table.delimiter)
    if len(head) == len(text):
        return Widths([], 0, exact=True)
    if _records(source, table) != _filled_lines(source):
        return Widths([], 0, exact=False)
    sampled = len(text) - len(head) > FAR_CHARS
    places = [*(_samples(text, len(head)) if sampled else _chunks(text, len(head)))]
    pieces = [text[at:end] for at, end in places]
    odd, checked = _odd_widths("".join(pieces), table)
    if not odd:
        return Widths([], checked, exact=not sampled)
    found: list[tuple[int, int]] = []
    for (at, _), piece in zip(places, pieces, strict=True):
        if odd := _odd_widths(piece, table)[0]:
            first = source.clean_index.line_of(at)
            found += [(first + place, width) for place, width in odd]
    return Widths(found, checked, exact=not sampled)


def _odd_widths(text: str, table: Table) -> tuple[list[tuple[int, int]], int]:
    """The lines that have another number of fields, as place and width, and how many lines there are in all."""
    text = text.removesuffix("\n")
    quoted = '"' in text and not table.unbalanced
    if not quoted and (even := _even_lines(text, table)):
        return [], even
    lines = text.split("\n")
    if not quoted:
        found = [line.count(table.delimiter) + 1 if line else 0 for line in lines]
    else:
        found = widths(lines, table.delimiter) or []
    return [(place, width) for place, width in enumerate(found) if width not in (0, table.width)], len(lines)


def _even_lines(text: str, table: Table) -> int:
    """How many lines there are if each has as many delimiters as the table asks for, else 0. Nothing but those and the
    line ends is left to compare, which is sooner done than to count them line by line."""
    left = text.encode("utf-8", "surrogatepass").translate(None, _all_but(table.delimiter))
    lines = left.count(b"\n") + 1
    wanted = (table.delimiter * (table.width - 1) + "\n") * lines
    return lines if left == wanted[:-1].encode() else 0


@cache
def _all_but(delimiter: str) -> bytes:
    return bytes({*range(256)} - {ord(delimiter), ord("\n")})


def _chunks(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Whole lines from the one on in which the character before `start` stands, in pieces of one size or so."""
    at = text.rfind("\n", 0, start - 1) + 1
    while at < len(text):
        end = text.find("\n", min(at + _CHUNK, len(text) - 1)) + 1 or len(text)
        yield at, end
        at = end


def _samples(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Whole lines from places evenly spread, the last of them up to the end."""
    step = (len(text) - start) // SAMPLES
    for place in range(start, len(text) - step, step):
        at = text.find("\n", place, place + step) + 1
        end = text.rfind("\n", at, at + _SAMPLE_CHARS) + 1
        if 0 < at < end:
            yield at, end
    yield text.rfind("\n", 0, len(text) - _SAMPLE_CHARS) + 1, len(text)
