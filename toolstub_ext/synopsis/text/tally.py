"""Counts with what was counted, one a line, as `uniq -c`, `git shortlog -s`, `wc -l` and `du` print them.

566  alice                     1204 src/main.c
 31  bob                        310 src/util.c
"""

from __future__ import annotations

from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .shape import Shape

_LINE = Pattern(r" *(?P<count>\d{1,15})(?: (?=\S)|\t)(?P<what>\S.*|$)")
_SIZE = Pattern(r"(?P<count>\d{1,9}(?:\.\d)?)(?P<unit>[KMGT]?)\t(?P<what>\.{0,2}/.*|\.)$")
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_LEAST_LINES = 5
_MOST_SHOWN = 40


class _Entry(NamedTuple):
    """A line: how many, as it stands there, and of what."""

    line: int
    size: float
    shown: str
    what: str


def _score(source: Source) -> float:
    lines = look(source).lines
    if len(lines) < _LEAST_LINES or not lines[0].lstrip()[:1].isdigit():
        return 0.0
    if all(map(_SIZE.match, lines)):
        return 0.95
    found = list(filter(None, takewhile(bool, map(_LINE.match, lines))))
    if len(found) < len(lines) or not any(line[0] == " " for line in lines):
        return 0.0
    aligned = len({match.end("count") for match in found}) == 1
    return 0.95 if aligned and any(map(str.isalpha, "".join(match["what"][:20] for match in found))) else 0.0


def _entries(lines: list[str]) -> list[_Entry]:
    entries: list[_Entry] = []
    for number, line in enumerate(lines, 1):
        if "\t" in line and (size := _SIZE.match(line)):
            amount, unit, what = size.groups()
            entries.append(_Entry(number, float(amount) * _UNITS[unit], amount + unit, what))
        elif counted := _LINE.match(line):
            shown, what = counted.groups()
            entries.append(_Entry(number, int(shown), shown, what))
    return entries


def _tell(source: Source, facts: Facts) -> str:
    entries = _entries(source.lines)
    total = next((entry for entry in entries[-1:] if entry.what == "total"), None)
    counted = [entry for entry in entries if entry is not total]
    sizes = _SIZE.match(source.probe[0]) is not None
    told = count(len(counted), "size" if sizes else "count")
    facts.say(f"{told} with names{source.part}, {count(source.line_index.count, 'line')}")
    if total:
        facts.say(f"total {total.shown}", rank=1)
    elif not sizes:
        facts.say(f"sum {sum(int(entry.size) for entry in counted)}{source.part}", rank=1)
    largest = sorted(counted, key=attrgetter("size"), reverse=True)
    lead = f"largest{source.part}: "
    facts.dense("structure", largest[:_MOST_SHOWN], rank=3, share=0.8, lead=lead, more=False, tell=_told)
    facts.notable(f"first: {_told(counted[0])}", rank=6)
    if not source.partial:
        facts.notable(f"last: {_told(counted[-1])}", rank=7)
    for entry in largest[:_MOST_SHOWN]:
        facts.anchor_line(entry.what or entry.shown, entry.line)
    return ""


def _told(entry: _Entry) -> str:
    return f"{entry.shown} {one_line(entry.what, 60)}"


shape = Shape("table", _score, _tell, early=True)
