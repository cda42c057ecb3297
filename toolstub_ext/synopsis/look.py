"""What all detection looks at, made once for a source, so that what a kind cannot do without costs next to nothing.

Only if it is there does the kind look at lines one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

from .model import Source

_SAMPLED = 40
_FEW = 10
_START = 120


@dataclass(frozen=True, slots=True)
class Look:
    """The lines of the probe, a few of them from all over, and their beginnings.

    `firsts` are the first words of all lines (an empty one behind 60 blanks), `words` the same without repetitions;
    `short` is the beginnings of some lines in one string.
    """

    lines: list[str]
    few: list[str]
    firsts: list[str]
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
        firsts = [words[0] for line in lines if (words := line[:60].split(None, 1))]
        short = "\n".join(["", *[line[:_START] for line in sample(lines, _SAMPLED)]])
        known = Look(lines, sample(lines, _FEW), firsts, frozenset(firsts), short)
        source.memo["look"] = known
    return known


def sample(lines: list[str], most: int) -> list[str]:
    """At most `most` lines from all over."""
    return lines[:: -(-len(lines) // most)] if len(lines) > most else lines
