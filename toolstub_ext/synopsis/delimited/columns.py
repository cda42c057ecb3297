"""What a column of a table holds: its type, its range or commonest values, and the cells that do not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress

from ..patterns import Pattern
from ..wording import MASK, clip, may_name_secret, names_secret, one_line
from .table import Table

_DATE = Pattern(r"\d{4}[-/]\d\d?[-/]\d\d?(?:[T ]\d\d:\d\d[\d:.]{0,12}(?:Z|[+-]\d\d:?\d\d)?)?\Z")
_NUMBER = Pattern(r"[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?\Z")
_DIGIT = Pattern(r"\d")
_ANY_DIGIT = bytes.maketrans(b"123456789", b"0" * 9)
_DECIMAL_COMMA = Pattern(r"[-+]?\d+,\d+\Z")
_DECIMAL_COMMAS = Pattern(r"[-+]?\d++,\d++(?:\n[-+]?\d++,\d++|(?!))*+")
_BLANKS = " \t\n\v\f\r\x1c\x1d\x1e\x1f"
MOST_ROWS = 4000
"""How many rows of the part that is read are looked at by column."""
MOST_COLUMNS = 200
_FIRST = 50
_FEW = 8
_GLANCED_AT = 24
_ODD_SHARE = 0.05


@dataclass
class Column:
    """A column: its cells that are filled, those of them that are numbers, and those that are text among numbers.

    `secret` says whether what stands in it is secret by its name.
    """

    name: str
    filled: Sequence[str]
    empty: int
    figures: Figures | None
    odd: tuple[tuple[int, str], ...]
    secret: bool = False

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each of the cells occurs, in the order of the first."""
        return Counter(self.filled)

    @cached_property
    def few(self) -> bool:
        """Whether the same few cells come again and again; mostly not, which the first ones tell."""
        if len({*self.filled[:_GLANCED_AT]}) > _FEW:
            return False
        different = len(self.counts)
        return different <= min(_FEW, len(self.filled) - different)

    @property
    def brief(self) -> str:
        """`price number`: the name and the type."""
        if not self.filled:
            return f"{one_line(self.name, 40)} empty"
        if self.figures:
            return f"{one_line(self.name, 40)} {self.figures.sort}"
        return f"{one_line(self.name, 40)} {'date' if _are_dates(self.filled) else 'string'}"

    @property
    def told(self) -> str:
        """`price number 4.2..998, 3 empty`: the name, and what is worth knowing of the cells."""
        name = one_line(self.name, 60)
        if not self.filled:
            return f"{name} empty" if self.empty else name
        words = self.figures.told if self.figures else MASK if self.secret else self._words()
        told = f"{name} {words}"
        if not self.empty:
            return told
        share = 100 * self.empty // (len(self.filled) + self.empty)
        return told + (f", {self.empty} empty" if share < 30 else f", {share} % empty")

    def _words(self) -> str:
        filled, first = self.filled, self.filled[0]
        if first == filled[-1] and filled.count(first) == len(filled):
            return f"always {one_line(first, 40)}"
        if _DATE.match(first) and _are_dates(dates := set(filled)):
            return f"date {min(dates)}..{max(dates)}"
        if self.few:
            shown = ", ".join(f"{one_line(value, 24)} {number}" for value, number in self.counts.most_common())
            return f"string {shown}"
        there: set[str] = set()
        add: Callable[[str], object] = there.add
        again = [value for value in filled if value in there or add(value)]  # sooner found than how often each occurs
        if not again:
            return "string unique"
        told = f"string {len(there)} values"
        if len({*again}) == len(again):
            return told  # none more than twice
        further = Counter(again)
        most = max(further.values())
        top = next(value for value in filled if further.get(value) == most)
        return f"{told} ({one_line(top, 20)} {most + 1})"


@dataclass(slots=True)
class Figures:
    """Cells that are numbers, with their values, and whether all of them are whole."""

    cells: Sequence[str]
    values: list[float]
    whole: bool

    @property
    def sort(self) -> str:
        """`int` where all are whole, else `number`."""
        return "int" if self.whole else "number"

    @property
    def told(self) -> str:
        """`int 1..9 unique`, with the extremes as they are written."""
        cells, values = self.cells, self.values
        ordered = sorted(values)
        low, high = cells[values.index(ordered[0])].strip(), cells[values.index(ordered[-1])].strip()
        span = low if low == high else f"{clip(low, 20)}..{clip(high, 20)}"
        unique = " unique" if self.whole and len(cells) > 3 and len(set(cells)) == len(cells) else ""
        return f"{self.sort} {span}{unique}"


def columns(names: list[str], table: Table) -> list[Column]:
    """The first MOST_COLUMNS columns, from those of the first MOST_ROWS rows that have them all."""
    rows, lines = table.body[:MOST_ROWS], table.lines
    if table.ragged:
        fitting = [*map(table.width.__eq__, map(len, rows))]
        rows, lines = [*compress(rows, fitting)], [*compress(lines, fitting)]
    names = names[:MOST_COLUMNS]
    found = [_column(name, values, lines, table) for name, values in zip(names, zip(*rows))]
    found = found or [Column(name, [], 0, None, ()) for name in names]
    if may_name_secret("\n".join(names)):
        for column in found:
            column.secret = names_secret(column.name) and (not column.figures or bool(column.odd))
    return found


def _are_dates(cells: Collection[str]) -> bool:
    """Whether all are dates, which is asked but once of those that differ in nothing but their digits."""
    alike = "\n".join(cells).encode("utf-8", "surrogatepass").translate(_ANY_DIGIT).split(b"\n")
    return len(alike) == len(cells) and all(_DATE.match(form.decode("utf-8", "surrogatepass")) for form in {*alike})


def _column(name: str, values: tuple[str, ...], lines: Sequence[int], table: Table) -> Column:
    written = "".join(values)
    filled: Sequence[str] = values
    if not all(values) or _has_blanks(written):  # else none is empty or has blanks around it
        filled = list(filter(None, map(str.strip, values)))
    empty = len(values) - len(filled)
    if not filled:
        return Column(name, filled, empty, None, ())
    odd: tuple[tuple[int, str], ...] = ()
    cells = filled
    if table.delimiter != "," and "," in written and any(map(_DECIMAL_COMMA.match, filled[:_FIRST])):
        cells = _with_points(filled)
    figures = _figures(cells)
    if figures is None and len(filled) >= 10 and (words := _among_numbers(cells)):
        there = [(line, value) for line, value in zip(lines, values) if value.strip()]
        odd = tuple(pair for pair, cell in zip(there, cells) if cell in words)
        figures = _figures([cell for cell in cells if cell not in words])
    return Column(name, filled, empty, figures, odd)


def _with_points(cells: Sequence[str]) -> Sequence[str]:
    """The cells with a point in the numbers that have a decimal comma; all at once where all of them are such."""
    together = "\n".join(cells)
    if _DECIMAL_COMMAS.fullmatch(together) and together.count("\n") == len(cells) - 1:
        return together.replace(",", ".").split("\n")
    return [value.replace(",", ".") if _DECIMAL_COMMA.match(value) else value for value in cells]


def _among_numbers(values: Sequence[str]) -> set[str]:
    """What is no number, if that is one value in twenty at most, or a single one; else nothing."""
    left = max(1, int(len(values) * _ODD_SHARE))
    words: set[str] = set()
    if not _DIGIT.search("".join(values[: left + 1])):
        return words
    numbers: set[str] = set()
    for value in values:
        if value in numbers:
            continue
        if value not in words and _NUMBER.match(value):
            numbers.add(value)
            continue
        words.add(value)
        left -= 1
        if left < 0:
            return set()
    return words


def _has_blanks(text: str) -> bool:
    """Whether there is anything that `str.strip` takes away."""
    return any(map(text.__contains__, _BLANKS)) if text.isascii() else text.split(None, 1) != [text]


def _figures(cells: Sequence[str]) -> Figures | None:
    """The cells as numbers, or None if one of them is none."""
    if not _NUMBER.match(cells[0]):
        return None
    written = ",".join(cells)
    whole = not ("." in written or "e" in written or "E" in written)
    try:
        values = _floats()(f"[{written}]")
        if len(values) == len(cells):
            return Figures(cells, values, whole)
    except ValueError:
        pass  # numbers of another spelling than that of JSON
    try:
        values = list(map(float, cells))
    except ValueError:
        return None
    # float() also takes "nan", "Infinity", "1_000" and digits of other scripts
    plain = written.isascii() and not ("_" in written or "n" in written or "N" in written)
    return Figures(cells, values, whole) if plain else None


@cache
def _floats() -> Callable[[str], list[float]]:
    """What reads an array of numbers, several times as fast as float() reads each of them."""
    import msgspec

    return msgspec.json.Decoder(list[float]).decode
