"""Two files side by side, as `diff -y` prints them: a sign between the halves where they differ.

import re                               import re
                                      > from functools import cache
WIDTH = 80                            | WIDTH = 120
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .shape import Shape, mostly

_SIGN = Pattern(r"[^\n]{0,400}?(?:[ \t]|^)(?P<sign>[|<>])(?:\t| |$)")
_BETWEEN = Pattern(r"\t+| {2,}")
_SIGNS = ("|", "<", ">")
_HINTS = ("|\t", ">\t", "  | ", "  > ", "<\n")
_SHARE = 0.9
_LEAST = 2
_SURE = 0.96


def _column(line: str, at: int) -> int:
    """Where a place in a line is shown, tabs being eight wide."""
    return len(line[:at].expandtabs())


def _same(line: str) -> bool:
    """Whether the line is one twice, as what both files have is printed; a blank one is."""
    bare = line.strip()
    middle = len(bare) // 2
    return not bare or any(
        bare[: gap.start()].rstrip() == bare[gap.end() :][: gap.start()]
        for gap in _BETWEEN.finditer(bare)
        if gap.end() > middle // 2
    )


def _may_be(line: str) -> bool:
    """Whether it is of such a text; what has more bars is of a table."""
    return line[0] != "|" and line.count(" | ") < _LEAST and (_SIGN.match(line) is not None or _same(line))


def _signs(lines: list[str]) -> dict[int, str]:
    """The lines that differ, from 0, with their signs: those that stand in the commonest place."""
    found = [(place, match) for place, line in enumerate(lines) if (match := _SIGN.match(line))]
    columns = [_column(match.string, match.start("sign")) for _, match in found]
    most = Counter(columns).most_common(1)
    return {place: match["sign"] for (place, match), column in zip(found, columns) if column == most[0][0]}


def _score(source: Source) -> float:
    seen = look(source)
    if not (seen.has(*_SIGNS) and seen.has(*_HINTS)) or not mostly(seen.few, _may_be, _SHARE):
        return 0.0
    lines = seen.lines
    signs = _signs(lines)
    same = [_same(line) for place, line in enumerate(lines) if place not in signs]
    if len(signs) < _LEAST or sum(same) < _LEAST:
        return 0.0
    return _SURE if len(signs) + sum(same) >= _SHARE * len(lines) else 0.0


def _tell(source: Source, facts: Facts) -> str:
    lines = source.lines
    signs = _signs(lines)
    number = Counter(signs.values())
    facts.say(
        f"two files side by side: {count(number['|'], 'line')} changed, {number['>']} only on the right, "
        f"{number['<']} only on the left{source.part}; {count(source.line_index.count, 'line')}"
    )
    hunks = [
        (places[0], places[-1])
        for _, group in groupby(enumerate(sorted(signs)), key=lambda pair: pair[1] - pair[0])
        if (places := [place for _, place in group])
    ]
    facts.dense(
        "structure", hunks, rank=3, share=0.5, of_head=True, lead="differences: ", tell=lambda each: _told(source, each)
    )
    for first, _ in hunks[:4]:
        facts.notable(f"{source.number(first + 1)}: {one_line(lines[first], 160)}", rank=6)
    for first, _ in hunks[:20]:
        facts.anchor_line(lines[first], first + 1)
    return ""


def _told(source: Source, hunk: tuple[int, int]) -> str:
    first, last = (source.number(place + 1) for place in hunk)
    return f"{first}-{last}" if last > first else str(first)


shape = Shape("diff", _score, _tell, early=True, holds_code=True)
