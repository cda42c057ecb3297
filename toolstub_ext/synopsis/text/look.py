"""What all shapes look at, made once, so that what a shape cannot do without is asked for at next to no cost.

Only if it is there does the shape look at lines.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Source

_SAMPLED = 40
_START = 120


@dataclass(frozen=True, slots=True)
class Look:
    """The lines of the probe, the first words of all of them, and the beginnings of some of them in one string."""

    lines: list[str]
    words: frozenset[str]
    short: str

    def has(self, *marks: str) -> bool:
        """Whether one of the marks stands in the beginnings; one that begins with a line end, at the very beginning."""
        return any(mark in self.short for mark in marks)

    def begins(self, *words: str) -> bool:
        """Whether one of the words is the first of a line."""
        return not self.words.isdisjoint(words)


def look(source: Source) -> Look:
    """The look at a source, remembered with it."""
    known: Look | None = source.memo.get("look")
    if known is None:
        lines = source.probe
        words = frozenset([line[:60].split(None, 1)[0] for line in lines if line[:60].strip()])
        known = Look(lines, words, "\n" + "\n".join([line[:_START] for line in sample(lines, _SAMPLED)]))
        source.memo["look"] = known
    return known


def sample(lines: list[str], most: int) -> list[str]:
    """At most `most` lines from all over."""
    return lines[:: -(-len(lines) // most)] if len(lines) > most else lines
