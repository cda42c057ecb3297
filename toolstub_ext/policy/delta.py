"""A text said by what it shares with texts that the model can see.

    [lines 1-87: as A 1-87]
        88	    return total
    [lines 89-140: as A 88-139]

Every delta is read back before it is used, so what it stands for can be told from it and its sources alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from .sources import Lines, Source

LEAST_LINES = 4
LEAST_CHARS = 160
"""A run of shared lines is at least so long."""
LEAST_SHARED = 0.4
"""Less shared than that is another text."""
MOST_CHARS = 400_000
"""Longer texts are not compared: no source is nearly as long."""

_NAMES = "AB"
_MARKER = re.compile(r"\[lines [0-9]+-[0-9]+: as ([AB]) ([0-9]+)-([0-9]+)\]")
_PLACES = 4
_STEPS_PER_LINE = 40


def delta(text: str, lines: Lines, sources: Sequence[Source]) -> str | None:
    """`text`, the runs it shares with the sources replaced by where they stand there; None if that says too little."""
    raw = text.split("\n")
    if any(_MARKER.match(line) for line in raw):
        return None
    runs = _runs(lines.lines, sources)
    shared = sum(len(line) + 1 for start, count, _, _ in runs for line in raw[start:start + count])
    if shared < LEAST_SHARED * len(text):
        return None
    out: list[str] = []
    at = 0
    for start, count, name, place in runs:
        source = sources[_NAMES.index(name)].lines
        out += raw[at:start]
        out.append(f"[lines {lines.span(start, count)}: as {name} {source.span(place, count)}]")
        at = start + count
    out += raw[at:]
    said = "\n".join(out)
    return said if read_back(said, sources) == lines.lines else None


def read_back(said: str, sources: Sequence[Source]) -> tuple[str, ...]:
    """The lines that a delta stands for, without line numbers and trailing blanks."""
    back: list[str] = []
    for line in said.split("\n"):
        marker = _MARKER.fullmatch(line)
        if marker is None:
            back += Lines.of(line).lines
        else:
            source = sources[_NAMES.index(marker[1])].lines
            back += source.lines[int(marker[2]) - source.first:int(marker[3]) - source.first + 1]
    return tuple(back)


def _runs(lines: Sequence[str], sources: Sequence[Source]) -> list[tuple[int, int, str, int]]:
    """Each run: where it starts, how many lines, the name of its source, and where it starts there."""
    places = _windows(sources)
    runs: list[tuple[int, int, str, int]] = []
    steps = _STEPS_PER_LINE * len(lines)
    at = 0
    while at <= len(lines) - LEAST_LINES and steps > 0:
        best, name, start = 0, "", 0
        for number, place in places.get(tuple(lines[at:at + LEAST_LINES]), ()):
            count = _alike(lines, at, sources[number].lines.lines, place)
            steps -= count
            if count > best:
                best, name, start = count, _NAMES[number], place
        if best and sum(len(line) + 1 for line in islice(lines, at, at + best)) >= LEAST_CHARS:
            runs.append((at, best, name, start))
            at += best
        else:
            at += 1
            steps -= 1
    return runs


def _windows(sources: Sequence[Source]) -> dict[tuple[str, ...], list[tuple[int, int]]]:
    """Where each run of the fewest lines stands: the number of the source, and the place in it."""
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for number, source in enumerate(sources):
        lines = source.lines.lines
        for place in range(len(lines) - LEAST_LINES + 1):
            if not lines[place]:
                continue
            known = places.setdefault(lines[place:place + LEAST_LINES], [])
            if len(known) < _PLACES * (number + 1):
                known.append((number, place))
    return places


def _alike(lines: Sequence[str], at: int, others: Sequence[str], place: int) -> int:
    """How many lines from `at` on are the others from `place` on."""
    most = min(len(lines) - at, len(others) - place)
    return next((count for count in range(most) if lines[at + count] != others[place + count]), most)
