"""The rows of a table whose state says that something has gone wrong."""

from __future__ import annotations

from collections import Counter

from ..delimited.columns import MOST_COLUMNS
from ..facts import Facts
from ..model import Source
from ..patterns import Words
from ..wording import count, first_word, one_line
from .grid import Grid

_ALARMS = frozenset((
    "error", "failed", "failure", "fail", "fatal", "critical", "crashed", "exited", "dead", "down", "unhealthy",
    "degraded", "notready", "evicted", "timeout", "offline", "faulted", "unreachable", "refused", "err",
    "not-found",
))  # fmt: skip
"""Words for a state that something is in when it has gone wrong."""
_ALARMING = ("backoff", "killed")
"""How other such words end."""
_ANY_ALARM = Words((*sorted(_ALARMS), *_ALARMING))
_NAMING = frozenset(("command", "cmd", "comm", "args", "name", "names", "process", "path", "file", "title"))
"""Columns of what may be called like a state."""
_RARE = 0.35
"""Rows are few up to that share of all."""
_MOST_ALARMS = 3


def tell_alarming(facts: Facts, source: Source, found: Grid) -> None:
    """The first rows of what has gone wrong, of the rarest states as far as those are few."""
    states = _alarms(found)
    left = _RARE * len(found.rows)
    rare: set[str] = set()
    for state, times in sorted(Counter(states.values()).items(), key=lambda pair: (pair[1], pair[0])):
        left -= times
        if left >= 0:
            rare.add(state)
    alarming = [found.lines[place] for place in sorted(states) if states[place] in rare]
    for number in alarming[:_MOST_ALARMS]:
        row = one_line(source.lines[number - 1], 160)
        facts.notable(f"line {source.number(number)}: {row}", rank=3)
        facts.anchor_line(row, number)
    if len(alarming) > _MOST_ALARMS:
        facts.notable(f"{count(len(alarming) - _MOST_ALARMS, 'more row')} like that{source.part}", rank=5)


def _alarms(found: Grid) -> dict[int, str]:
    """The rows that begin a cell with such a state, by their places, each with its first one."""
    states: dict[int, str] = {}
    for name, cells in zip(found.names[:MOST_COLUMNS], zip(*found.rows)):
        different = [] if name.lower() in _NAMING else [*set(cells)]
        lowered = "\n".join(different).lower()
        if lowered.isascii() and not lowered.islower():
            continue  # there is not one letter
        words = _ANY_ALARM.within(lowered)
        speaking = [cell for word in words for cell, low in zip(different, lowered.split("\n")) if word in low]
        if told := {cell: state for cell in speaking if (state := _alarm(cell))}:
            for place, cell in enumerate(cells):
                if cell in told:
                    states.setdefault(place, told[cell])
    return states


def _alarm(cell: str) -> str:
    """The word that a cell begins with, if it is such a state; or nothing."""
    word = first_word(cell).strip(":()[]").lower()
    return word if word in _ALARMS or word.endswith(_ALARMING) else ""
