"""Lines of one number each, as a loop or `seq` prints them: how many, from where to where, and which lines are not."""

from __future__ import annotations

from ..facts import Facts
from ..model import Source
from ..patterns import Pattern
from ..wording import clip, count, one_line
from .shape import Shape, mostly

NUMBER = Pattern(r"\s{0,20}[-+]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][-+]?\d{1,3})?\s{0,20}\Z")
_SHARE = 0.9
_LEAST = 5


def _score(source: Source) -> float:
    probe = source.probe
    if len(probe) < _LEAST or not NUMBER.match(probe[-1]):
        return 0.0
    return 0.97 if mostly(probe, NUMBER.match, _SHARE) else 0.0


def _tell(source: Source, facts: Facts) -> str:
    lines = source.lines
    figures: list[str] = []
    others: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if NUMBER.match(line):
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


shape = Shape("numbers", _score, _tell, early=True)
