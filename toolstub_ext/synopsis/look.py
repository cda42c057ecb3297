"""What all detection looks at, made once for a source, so that what a kind cannot do without costs next to nothing.

Only if it is there does the kind look at lines one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .model import Source, once
from .patterns import holds

_SAMPLED = 40
_FEW = 10
_START = 120


@dataclass(frozen=True)
class Look:
    """The lines of the probe, a few of them from all over, and their beginnings."""

    lines: list[str]
    few: list[str]

    @cached_property
    def text(self) -> str:
        """All lines in one string, a line end in front of each."""
        return "\n".join(["", *self.lines])

    @cached_property
    def first(self) -> str:
        """The first of `firsts`, if there is any."""
        words = self.lines[0].split(None, 1) if self.lines else ()
        return words[0] if words else next(iter(self.firsts), "")

    @cached_property
    def firsts(self) -> list[str]:
        """The first words of all lines but those that begin with 300 blanks."""
        return [words[0] for line in self.lines if (words := line.split(None, 1))]

    @cached_property
    def words(self) -> frozenset[str]:
        """The same without repetitions."""
        return frozenset(self.firsts)

    @cached_property
    def short(self) -> str:
        """The beginnings of some lines in one string."""
        return "\n".join(["", *[line[:_START] for line in sample(self.lines, _SAMPLED)]])

    def has(self, *marks: str) -> bool:
        """Whether one of the marks stands in the beginnings; one that begins with a line end, at the very beginning."""
        return holds(self.short, *marks)

    def begins(self, *words: str) -> bool:
        """Whether one of the words is the first of a line."""
        return not self.words.isdisjoint(words)


@once
def look(source: Source) -> Look:
    """The look at a source."""
    return Look(source.probe, sample(source.probe, _FEW))


def sample(lines: list[str], most: int) -> list[str]:
    """At most `most` lines from all over, at uneven distances: what repeats is not seen at one place."""
    size = len(lines)
    return [lines[place * size // most] for place in range(most)] if size > most else lines
