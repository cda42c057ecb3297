"""A table drawn with characters: psql, DuckDB, Markdown, pandas, or columns kept apart by blanks."""

from __future__ import annotations

import re
from collections import Counter
from operator import itemgetter

from ..delimited.columns import Column
from ..facts import Facts
from ..look import look
from ..model import Source, once
from ..wording import count, one_line
from .figure_rows import are_figure_rows, tell_figure_rows
from .findings import say_findings
from .fixed import fixed
from .gaps import blanks, gapped, outer
from .grid import BARS, Grid, barred, grid
from .shape import Shape, share, spread
from .states import tell_alarming

_RULE = re.compile(r"[\s|+:=\-\u2500-\u257f]{3,}$")
_BOXED = re.compile(r"\s*[|│┃║].{1,2000}[|│┃║]\s*$")
_FRAME = re.compile(r"\[(?P<rows>\d+) rows x (?P<columns>\d+) columns\]")
_SERIES = re.compile(r"\n(?:Freq: [\w-]{1,20}, )?(?:Name: .{1,100}, )?(?:Length: \d{1,12}, )?dtype: \w{1,40}\s*$")
_INDEXED = re.compile(r"(?:\d{1,9}|\.\.\.?|\S{1,40}) {2,}\S")
_TAIL_CHARS = 4000
_TELLING = 0.5
_TITLES = 10
_HEADING = 4
_LEAST_WORDS, _LEAST_ROWS = 4, 3
_FITTING = 0.8
_FIGURES = 0.6
_WORDED = 0.8
_FIRST = itemgetter(0)
_DOTS = frozenset(" .…·⋮|│")


def evident(source: Source) -> bool:
    """Whether all lines are drawn, or all but the first are the rows of a data frame: those of nothing else are."""
    probe = source.probe
    return _all_drawn(source) or (len(probe) > 2 and _counted(probe) and all(map(_is_indexed, probe[1:])))


def _is_indexed(line: str) -> bool:
    return bool(_INDEXED.match(line) or _FRAME.match(line))


@once
def _all_drawn(source: Source) -> bool:
    """Whether all lines are between bars or are a border."""
    return len(source.probe) > 2 and all(map(_is_drawn, source.probe)) and _lined(source)


def _lined(source: Source) -> bool:
    """Whether there is anything that a table is drawn with."""
    return look(source).has("|", "│", "┃", "║", "--", "==", "──", "━━")


def _is_drawn(line: str) -> bool:
    return bool(_BOXED.match(line) or _RULE.match(line))


def _mostly_drawn(source: Source) -> bool:
    """Whether all lines are that, or most lines, and one of the first is a border."""
    return _all_drawn(source) or (any(map(_RULE.match, source.probe[:6])) and share(source.probe, _is_drawn) > 0.7)


def _score(source: Source) -> float:
    probe = source.probe
    if len(probe) < 3:
        return 0.0
    seen = look(source)
    lined = _lined(source)
    if lined and _mostly_drawn(source):
        return 0.94
    ruled = [
        line
        for line in probe[:6]
        if lined and _RULE.match(line) and ("-+-" in line or line.count("- -") > 1 or line.count("  -") > 1)
    ]
    if ruled and not source.head.lstrip().startswith("#"):
        return 0.93
    end = source.clean[-400:]
    if _FRAME.search(end) or ("dtype: " in end and _SERIES.search(end)) or _counted(probe):
        return 0.93
    if seen.has("  ") and _headed(probe):
        return 0.86
    if _worded(probe) or are_figure_rows(probe):
        return _WORDED
    if sum(1 for line in probe if "  " in line.strip()) < 0.7 * len(probe):
        return 0.0
    aligned = _aligned(probe)
    indexed = share(probe[1:], _INDEXED.match)
    return (
        min(0.85, 0.3 + 0.35 * aligned + 0.2 * indexed) if aligned > 0.4 or (indexed > 0.8 and aligned > 0.25) else 0.0
    )


def _counted(probe: list[str]) -> bool:
    """Whether rows are numbered from 0 under a header without a number, as a printed data frame has them."""
    numbers = [word for line in probe[1:12] for word in line.split(None, 1)[:1]]
    return probe[0][:1].isspace() and len(numbers) >= 2 and numbers == [str(place) for place in range(len(numbers))]


def _headed(probe: list[str]) -> bool:
    """Whether one of the first lines names columns, and lines below it have as many cells, with figures among them."""
    first = enumerate(map(gapped, probe[:_TITLES]))
    headers = [(place, len(names)) for place, names in first if len(names) > 2 and all(map(_names, names))]
    if not headers:
        return False
    rows = [*map(gapped, probe)]
    sizes = [*map(len, rows)]
    figures = [sum(map(str.isdigit, map(_FIRST, row))) for row in rows]
    for place, size in headers:
        slack = max(1, size // 4)
        below = zip(sizes[place + 1 :], figures[place + 1 :])
        fitting = [number for cells, number in below if abs(cells - size) <= slack]
        with_figures = sum([number >= slack for number in fitting])
        if len(fitting) >= max(5, 0.4 * (len(rows) - place - 1)) and with_figures >= 0.7 * len(fitting):
            return True
    return False


def _names(cell: str) -> bool:
    """Whether a cell is what a column is called."""
    return cell[:1].isalpha() or cell[:1] in "%#" or cell[-1] == "%"


def _worded(probe: list[str]) -> bool:
    """Whether one of the first lines has as many words as nearly all below it, which are mostly figures."""
    rows: list[list[str]] = []
    for place, line in enumerate(probe[:_HEADING]):
        names = line.split()
        if len(names) < _LEAST_WORDS or not all(name[0].isalpha() or name[0] in "%#" for name in names):
            continue
        rows = rows or [line.split() for line in probe]
        below = rows[place + 1 :]
        fitting = [row for row in below if row and len(row) - len(names) == row[0].endswith(":")]
        if len(fitting) >= max(_LEAST_ROWS, _FITTING * len(below)):
            figures = sum([cell[0].isdigit() for row in fitting for cell in row])
            return figures >= _FIGURES * len(fitting) * len(names)
    return False


def _aligned(probe: list[str]) -> float:
    """The part of the blank columns of one line that are blank in the others too, at the best."""
    lines = [line for line in probe[:40] if len(line) > 12]
    if len(lines) < 3:
        return 0.0
    width = min(200, sorted(map(len, lines))[len(lines) // 2])
    filled = [len(lines) - blank for blank in blanks(lines, width)]
    free = [place for place in range(1, width - 1) if filled[place] <= 0.08 * len(lines)]
    ends = [place for place in free if filled[place + 1] > 0.3 * len(lines)]
    return min(1.0, len(ends) / 3)


def _ends(line: str) -> tuple[str, str]:
    """The first and the last cell of a line: between bars, where it has them, or between wide gaps."""
    stripped = line.strip()
    if stripped[0] not in BARS and " | " not in stripped:
        return outer(stripped)
    cells = barred(f"{stripped}|" if stripped[0] in BARS and stripped[-1] not in BARS else stripped)
    return cells[0], cells[-1]


def _tell(source: Source, facts: Facts) -> str:
    lines = [(number, line) for number, line in enumerate(source.lines, 1) if _has_cells(line)]
    boxed = _mostly_drawn(source) or any(_RULE.match(line) and "-+-" in line for line in source.probe[:6])
    found = grid(lines, drawn=boxed)
    facts.say(_size(source, lines, found, drawn=boxed))
    columns = found.columns() if found else []
    if found:
        _tell_columns(facts, source, found, columns)
        if any(column.secret for column in columns):
            return _tell_header_alone(facts, source, found)
        tell_alarming(facts, source, found)
        _tell_odd(facts, source, columns)
    say_findings(source, facts, most=3, rank=5)
    for number, line in lines[: 2 if found else 4]:
        facts.notable(f"{source.number(number)}: {one_line(line, 200)}", rank=8)
    number, last = _last(source)
    if len(lines) > (2 if found else 4):
        facts.notable(f"last: {one_line(last[:1000], 200)}", rank=9)
    if found:
        facts.anchor_line("first row", found.lines[0])
        facts.anchor_line("last row", number if source.partial else found.lines[-1])
    elif lines:
        facts.anchor_line("first line", lines[0][0])
        facts.anchor_line("last line", number)
    if not found and are_figure_rows(source.probe):
        tell_figure_rows(facts, source, lines)
    elif not found and lines:
        placed = None if boxed else fixed(lines)
        if placed:
            others = f", {count(placed.others, 'line')} without them" if placed.others else ""
            lead = f"{count(len(placed.columns), 'column')} by their place in the line{source.part}{others}: "
            facts.dense("structure", placed.columns, lead=lead, rank=7, share=0.7, tell=lambda span: span.told)
        else:
            _tell_rows(facts, source, lines)
    facts.sample("\n".join(line.rstrip()[:160] for _, line in lines[4:40]), 800)
    return ""


def _has_cells(line: str) -> bool:
    return line.lstrip()[:1].isalnum() or bool(line.strip() and not _RULE.match(line) and not _FRAME.match(line))


def _last(source: Source) -> tuple[int, str]:
    """The last line that is neither blank nor a border nor dots, and its number."""
    filled = source.clean.rstrip("\n")
    number = source.line_index.count - max(0, len(source.clean) - len(filled) - 1)
    lines = filled[-_TAIL_CHARS:].split("\n")
    for back, line in enumerate(reversed(lines)):
        if _has_cells(line) and not _DOTS.issuperset(line):
            return number - back, line
    return number, lines[-1]


def _size(source: Source, lines: list[tuple[int, str]], found: Grid | None, *, drawn: bool) -> str:
    """What table it is, and how many rows it has or shows."""
    size = count(source.line_index.count, "line")
    frame = _FRAME.search(source.clean[-400:])
    if frame:
        return f"data frame of {frame['rows']} rows and {frame['columns']} columns, shown in {size}"
    what = "drawn table" if drawn else "columns of text"
    if not found:
        blank = len(lines) < len(source.lines)
        return f"{what}, {size}" + (f", {len(lines)} of them with cells{source.part}" if blank else "")
    rows = f"{count(len(found.rows) + found.unfit, 'row')} under a header"
    unfit = f", {found.unfit} of them without these columns" if found.unfit else ""
    return f"{what}, {size}: {rows}{unfit}{source.part}"


def _tell_header_alone(facts: Facts, source: Source, found: Grid) -> str:
    """For rows, and names in them, would show the cells of a column that is secret."""
    facts.names("")
    facts.notable(f"{source.number(found.header)}: {one_line(source.lines[found.header - 1], 200)}", rank=8)
    facts.anchor_line("first row", found.lines[0])
    return ""


def _tell_columns(facts: Facts, source: Source, found: Grid, columns: list[Column]) -> None:
    """Types, ranges and commonest values."""
    lead = f"{count(len(found.names), 'column')}{source.part}: "
    facts.dense("structure", columns, lead=lead, rank=4, share=0.8, tell=lambda column: column.told)


def _tell_odd(facts: Facts, source: Source, columns: list[Column]) -> None:
    """Cells that are text among figures."""
    for column in columns:
        if column.odd:
            line, value = column.odd[0]
            first = f"first: line {source.number(line)}, {one_line(value, 40)}"
            facts.notable(
                f"{one_line(column.name, 40)} is text in {count(len(column.odd), 'row')}{source.part} ({first})"
            )


def _tell_rows(facts: Facts, source: Source, lines: list[tuple[int, str]]) -> None:
    """The first cells of rows from all over, or the last ones where those say more, if they are words."""
    shown, lasts = zip(*[_ends(line) for _, line in lines])
    if len(set(shown)) < _TELLING * len(lines) < len(set(lasts)):
        shown = lasts
    counted = Counter(filter(None, shown))
    if len(counted) < _TELLING * len(lines):
        told = [f"{one_line(cell, 40)} {number}" for cell, number in counted.most_common()]
        facts.dense("structure", told, lead=f"rows begin with{source.part}: ", rank=7, share=0.6)
        return
    further = [(number, cell) for (number, _), cell in zip(lines[4:], shown[4:]) if cell]
    if sum(1 for _, cell in further if any(map(str.isalpha, cell))) > len(further) // 2:
        facts.dense(
            "notable",
            further,
            rank=14,
            of_head=True,
            lead="rows: ",
            ranks=spread,
            tell=lambda pair: f"{source.number(pair[0])} {one_line(pair[1], 40)}",
        )


shape = Shape("table", _score, _tell)
