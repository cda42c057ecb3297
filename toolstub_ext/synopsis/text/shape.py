"""What a shape of text has to offer, and what several of them count by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..facts import Facts
from ..model import Source


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape that text takes: `score` looks at a few lines, from 0.0 to 1.0; `tell` adds the facts.

    `tell` returns the title, or "" for the name itself. One that is `early` shows in how the lines begin, sooner than
    whether they are rows, keys or statements; one that `holds_code` may have lines of which most are source code, and
    is asked before source code is.
    """

    name: str
    score: Callable[[Source], float]
    tell: Callable[[Source, Facts], str]
    early: bool = False
    holds_code: bool = False


def share(lines: list[str], test: Callable[[str], object]) -> float:
    """The part of `lines` that pass `test`."""
    return sum(1 for line in lines if test(line)) / len(lines) if lines else 0.0


def mostly(lines: list[str], test: Callable[[str], object], least: float) -> bool:
    """Whether at least this part of `lines` pass `test`; once too many have failed, no other is tried."""
    size = passed = len(lines)
    for line in lines:
        if not test(line):
            passed -= 1
            if passed < least * size:
                return False
    return size > 0


def spread(size: int) -> list[int]:
    """Ranks that take items from all over a list, not from its beginning: the ends, the middle, the quarters ..."""
    ranks = [32] * size
    for rank in reversed(range(min(32, size.bit_length()))):
        step = size >> rank
        ranks[::step] = [rank] * len(range(0, size, step))
    return ranks
