"""What all shapes look at, made once: the probe as one string, so that a mark is found at the speed of C.

A shape first asks for marks that it cannot do without. Only if they are there does it look at lines.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Source

_START = 80


@dataclass(frozen=True, slots=True)
class Look:
    """The lines of the probe; `joined`, each behind a line end; and `starts`, the first 80 characters of each."""

    lines: list[str]
    joined: str
    starts: str

    def has(self, *marks: str) -> bool:
        """Whether one of the marks stands anywhere in the probe; one that begins with a line end, at a beginning."""
        return any(mark in self.joined for mark in marks)


def look(source: Source) -> Look:
    """The look at a source, remembered with it."""
    known: Look | None = source.memo.get("look")
    if known is None:
        lines = source.probe
        known = Look(lines, "\n" + "\n".join(lines), "\n".join([line[:_START] for line in lines]))
        source.memo["look"] = known
    return known


def sample(lines: list[str], most: int) -> list[str]:
    """At most `most` lines from all over."""
    return lines[:: -(-len(lines) // most)] if len(lines) > most else lines
