"""Lines of one number each, as a loop or `seq` prints them: how many, from where to where, and which lines are not."""

from __future__ import annotations

from ..facts import Facts
from ..model import Source
from ..patterns import Pattern
from ..wording import clip, count, one_line
from .shape import Shape, mostly

_NUMBER = Pattern(r"\s{0,20}[-+]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][-+]?\d{1,3})?\s{0,20}\Z")
_OF_FIGURES = frozenset("0123456789+-.eE \t")
_SHARE = 0.9
_LEAST = 5


def _score(source: Source) -> float:
    probe = source.probe
    if len(probe) < _LEAST or not _NUMBER.match(probe[-1]):
        return 0.0
    return 0.97 if mostly(probe, _NUMBER.match, _SHARE) else 0.0


def _tell(source: Source, facts: Facts) -> str:
    lines = source.lines
    figures: list[str] = []
    others: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if _NUMBER.match(line):
            figures.append(line.strip())
        elif line.strip():
            others.append((number, line))
    whole = all(figure.lstrip("+-").isdecimal() for figure in figures)
    what = "integer" if whole else "number"
    size = count(len(lines), "line")
    where = f"in the first {size}" if source.partial else f"in {size}"
    if source.partial:
        facts.say(f"{count(source.line_index.count, 'line')}, of numbers as far as read")
    if len(figures) == len(lines):
        each = f"{where}, each " if source.partial else f"{size}, each "
        facts.say(f"{each}{'an' if whole else 'a'} {what}: {_told(figures, whole=whole)}")
    else:
        facts.say(f"{count(len(figures), what)} {where}: {_told(figures, whole=whole)}")
    at_least = "at least " if source.partial else ""
    if others:
        facts.say(f"{at_least}{count(len(others), 'line')} of something else", rank=1)
    for number, line in others[:3]:
        facts.notable(f"line {source.number(number)}: {one_line(line, 200)}", rank=2)
        facts.anchor_line(line, number)
    last = source.clean.rstrip("\n").rpartition("\n")[2]
    facts.notable(f"first: {one_line(lines[0], 60)}; last: {one_line(last[-400:], 60)}", rank=8)
    return "numbers"


def _told(figures: list[str], *, whole: bool) -> str:
    """`1..9000, each 1 more than the one before`."""
    read = int if whole else float
    values = [read(figure) for figure in figures]
    span = f"{clip(figures[values.index(min(values))], 30)}..{clip(figures[values.index(max(values))], 30)}"
    first, step = (int(values[0]), int(values[1] - values[0])) if whole else (0, 0)
    if step and values == list(range(first, first + step * len(values), step)):
        way = f"{abs(step)} {'more' if step > 0 else 'less'} than the one before"
        return f"{span}, each {way}"
    different = len(set(values))
    return span + ("" if different == len(values) else f", {count(different, 'different value')}")


def are_rows(probe: list[str]) -> bool:
    """Whether all lines have as many figures and nothing else, two at least."""
    size = len(probe[0].split())
    return size > 1 and mostly(probe, lambda line: _is_row(line, size), 1.0)


def _is_row(line: str, size: int) -> bool:
    """Whether it is so many figures."""
    return _OF_FIGURES.issuperset(line) and len(cells := line.split()) == size and all(map(_NUMBER.match, cells))


def tell_rows(facts: Facts, source: Source, lines: list[tuple[int, str]]) -> None:
    """From where to where the figures of each column go."""
    size = len(lines[0][1].split())
    columns = list(zip(*[line.split() for _, line in lines if _is_row(line, size)]))
    lead = f"{count(size, 'column')} of figures{source.part}: "
    facts.dense(
        "structure",
        columns,
        lead=lead,
        rank=4,
        share=0.8,
        tell=lambda column: f"{one_line(min(column, key=float), 20)}..{one_line(max(column, key=float), 20)}",
    )


shape = Shape("numbers", _score, _tell, early=True)
