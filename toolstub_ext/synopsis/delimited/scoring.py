"""Tells tables of delimited values from code, prose and logs, which hold the same characters."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from ..look import look
from ..model import PROBE_CHARS, Source, once
from ..patterns import Pattern
from .rows import first_lines, read, split_rows

TABLE_CHARS = 32 * 1024
WIDE_CHARS = 512 * 1024
"""What is read of a table whose rows are longer than a page."""

_CODE = Pattern(r"[{};]\s*$|[')\]}],\s*$|\w\(.*\)|=>|[\[{]$|</?\w")
_MARKS = "{};)],=[<"  # none of what _CODE matches is without one of them
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_NUMBER = Pattern(r"\s*[-+]?[\d.,]+(?:[eE][-+]?\d+)?%?\s*\Z")
_LOG = Pattern(r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\Z")
_LOGGED = Pattern(r"\ufeff?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\d]*Z? |\d{1,7}: {2}")
_COMMENTS = ("-- ", "; ", ";; ", "--\n")
"""What SQL, zones and assembly begin with, and tables never."""
_REQUIREMENT = Pattern(r"[A-Za-z][\w.-]{0,60}(?:\[[\w, -]{1,80}\])? ?[=<>~!]=?")
_ADDRESS = Pattern(r"\s*[\w ()./-]{2,60}:\s*\Z|\s*(?:export )?[A-Za-z_][\w.]*=")
_OPENED = Pattern(r"[\[{(]\s*\Z")
_WORDS = Pattern(r"[^\W\d_]+")
_DIGITS = Pattern(r"\d+")
SUREST = 0.93
"""No table is surer than that by its rows."""
_JUDGED = 48
_LONGEST_FIELD = 40
_LONGEST_NAME = 80
_MOST_BLANKS = 8
"""What names a column has no more blanks in it."""
_OPEN_ENDED = 0.8
_LOOKED_AT = 24


def score(source: Source, delimiter: str) -> float:
    """How sure it is that the text is a table with this delimiter; 0.0 for no table at all."""
    first = "".join(source.probe[:1])
    if delimiter in ";|" and delimiter not in first:
        return 0.0
    if source.clean.startswith(_COMMENTS) or (delimiter == "," and first[:1] in ("#", "-") and _requires(source)):
        return 0.0
    row = source.clean.find("\n") + 1
    wide = is_wide(source, row, delimiter)
    if not wide and not _is_regular(source, delimiter):
        return 0.0
    size = max(PROBE_CHARS, min(3 * row, WIDE_CHARS if wide else TABLE_CHARS))
    head, cut = source.clean[:size], len(source.clean) > size
    rows = begun(source)[delimiter] = split_rows(first_lines(head, _JUDGED, cut=cut), delimiter)
    if rows is None:
        try:
            rows, _ = read(head, delimiter, cut=cut)
        except ValueError:
            return 0.0
    return _score([row for row in rows[:_JUDGED] if row], delimiter)


def _requires(source: Source) -> bool:
    """Whether most lines are requirements of Python: names with bounds of their versions."""
    return sum([_REQUIREMENT.match(line) is not None for line in source.probe]) > 0.6 * len(source.probe)


@once
def begun(_source: Source) -> dict[str, list[list[str]] | None]:
    """By delimiter the rows of the first lines, from which on the table is read; None where the last one goes on."""
    return {}


def _is_regular(source: Source, delimiter: str) -> bool:
    """Whether most lines hold the delimiter; fewer where quoted fields may go over lines."""
    if delimiter not in look(source).text:
        return False
    hits = sum([delimiter in line for line in source.probe])
    regular = 0.2 if '"' in source.clean[:PROBE_CHARS] else 0.6
    return hits >= 2 and hits >= regular * len(source.probe)


def is_wide(source: Source, row: int, delimiter: str) -> bool:
    """Whether the first line is a row of so many fields that it is longer than what is read of other tables."""
    return PROBE_CHARS < row < WIDE_CHARS // 3 and source.clean.count(delimiter, 0, row) > row // _LONGEST_FIELD


def commonest_width(rows: list[list[str]]) -> tuple[int, int]:
    """The commonest number of fields, the larger one of two, and how many rows have it."""
    if len({*map(len, rows)}) == 1:
        return len(rows[0]), len(rows)
    return max(Counter(map(len, rows)).items(), key=lambda pair: (pair[1], pair[0]))


def _score(rows: list[list[str]], delimiter: str) -> float:
    if len(rows) < 2:
        return 0.0
    width, same = commonest_width(rows)
    share = same / len(rows)
    if not any(row and row[0].strip() for row in rows):
        return 0.0  # lines that are indented
    if width < 2 or share < 0.7 or not any(map(str.strip, chain.from_iterable(rows[1:_LOOKED_AT]))):
        return 0.0
    if width == 2 and sum([len(row) == 2 and not row[1].strip() for row in rows]) > _OPEN_ENDED * same:
        return 0.0
    firsts, lasts = [row[0] for row in rows], [row[-1] for row in rows]
    empty = [*map(str.strip, firsts)].count("")
    if (empty > 0.5 * len(rows) and share < 1) or _is_none(firsts, lasts) or _is_literal(rows[0], width):
        return 0.0
    named = reads_like_header(rows)
    score = 0.62 + 0.2 * share + min(width, 8) * 0.01 + (0.08 if named else -0.1)
    if len(rows[0]) != width:
        score -= 0.12
    if empty > 0.5 * len(rows):
        score -= 0.35
    if delimiter == "|" and any(map(_is_torn, rows[0])):
        return 0.0
    if delimiter == "|":
        filled = _filled(rows)
        padded = sum([cell[:1] == " " or cell[-1:] == " " for cell in filled]) / len(filled)
        score -= 0.6 * padded + (0 if named else 0.4)
    if delimiter != "\t":
        score -= _doubts(rows[:_LOOKED_AT], width, named=named)
    return max(0.0, min(SUREST, score))


def _filled(rows: list[list[str]]) -> list[str]:
    """The cells of the first rows, but for the header and blank ones."""
    return [cell for row in rows[1:_LOOKED_AT] for cell in row if cell and not cell.isspace()]


def _matching(pattern: Pattern, cells: list[str]) -> int:
    """How many cells begin as the pattern says."""
    return len(cells) - [*map(pattern.match, cells)].count(None)


def _is_literal(first: list[str], width: int) -> bool:
    """Whether the first row opens a literal, whose elements the others are."""
    return len(first) < width and _OPENED.search(first[-1]) is not None


def _is_none(firsts: list[str], lasts: list[str]) -> bool:
    """Whether most rows are lines of a log or with places, names and values, settings of lists, or end in comments."""
    most = 0.5 * len(firsts)
    first, last = "".join(firsts), "".join(lasts)
    return (
        (":" in last and _matching(_LOGGED, lasts) > most)
        or ((":" in first or "=" in first) and _matching(_ADDRESS, firsts) > most)
        or ("//" in last and sum([cell.lstrip().startswith("//") for cell in lasts]) > most)
    )


def _doubts(rows: list[list[str]], width: int, *, named: bool) -> float:
    """What speaks for code, prose or a log rather than for values between delimiters that also occur in those."""
    doubt = 0.0
    lasts = [row[-1] for row in rows]
    open_ended = [*map(str.strip, lasts)].count("")
    if open_ended > 0.6 * len(rows) and not (named and rows[0][-1].strip()):
        doubt += 0.3
    if width == 2 and not named:
        doubt += 0.25
    most = 0.5 * max(1, sum(map(len, rows)) - len(rows))
    if "\0".join(chain.from_iterable(rows)).count("\0 ") > most and _spaced(rows) > most:
        filled = _filled(rows)
        spoken = sum([cell.count(" ") >= 3 for cell in filled]) / len(filled)
        if spoken > 0.3 or width == 2:
            doubt += 0.4 if named and spoken < 0.3 else 0.65
        elif not named and _matching(_NUMBER, filled) < 0.7 * len(filled):
            doubt += 0.55
    ends = [cell[-200:] or ",".join(row)[-200:] for cell, row in zip(lasts, rows)]
    written = "".join(ends)
    if any(map(written.__contains__, _MARKS)):
        coded = len(ends) - [*map(_CODE.search, ends)].count(None)
        if coded > 0.3 * len(rows):
            doubt += 0.15 if named else 0.4
    if any(map(written.__contains__, ")]}")) and sum([any(map(_is_torn, row)) for row in rows]) > 0.5 * len(rows):
        doubt += 0.6
    if width <= 3 and sum([_LOG.match(row[0].strip()) is not None for row in rows]) > 0.5 * len(rows):
        doubt += 0.5
    return doubt


def _spaced(rows: list[list[str]]) -> int:
    """How many cells but the first of a row have a single blank in front."""
    return sum([cell[:1] == " " and cell[1:2] not in ("", " ") for row in rows for cell in row[1:]])


def _is_torn(cell: str) -> bool:
    """Whether a bracket opens in a cell and does not close in it."""
    return any(opening in cell and cell.count(opening) > cell.count(closing) for opening, closing in _BRACKETS)


def reads_like_header(rows: list[list[str]]) -> bool:
    """Whether the first row names columns: short, distinct, no numbers, unlike what is below."""
    first = [cell.strip() for cell in rows[0]]
    named = [cell for cell in first if cell]
    if len(named) < max(1, len(first) * 0.6) or len(set(named)) < len(named) * 0.8:
        return False
    if max(map(len, named)) > _LONGEST_NAME:
        return False
    written = "".join(named)
    if written.isalpha():
        return True  # words without a sign are no numbers, no code, and of no telling shape
    if _matching(_NUMBER, named) > len(named) * 0.2 and not _numbers_only_above(first, rows[1:4]):
        return False
    if any(cell.count(" ") > _MOST_BLANKS for cell in named):
        return False
    if any(map(written.__contains__, _MARKS)) and any(map(_CODE.search, named)):
        return False
    shapes = [(place, _shape(cell)) for place, cell in enumerate(first) if not cell.isalpha()]
    telling = [(place, shape) for place, shape in shapes if len(shape) > 1]
    return not telling or not all(
        _shape(row[place].strip()) == shape for row in rows[1:4] for place, shape in telling if place < len(row)
    )


def _shape(cell: str) -> str:
    """`7 a a` of `12 Main Street`: what is left of a cell when all words and all numbers are alike."""
    return _WORDS.sub("a", _DIGITS.sub("7", cell))


def _numbers_only_above(first: list[str], below: list[list[str]]) -> bool:
    """Whether distinct numbers and a name stand over cells none of which is a number."""
    if not below or len(set(first)) < len(first) or all(map(_NUMBER.match, first)):
        return False
    return not any(_NUMBER.match(cell) for row in below for cell in row)
