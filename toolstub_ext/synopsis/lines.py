"""Line numbers from offsets and back, without keeping the place of every line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

_STEP = 1 << 14
_FIRST = 32
"""The places of so few lines at the beginning are not worth to count any others."""
_NEAR = 128
"""The place of a line so near behind a step is not worth to look for all lines of the step."""


class LineIndex:
    """Counts of `\\n` at every 16 Ki code points of one text, made on first use. Lines count from 1, offsets from 0."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._opened: dict[int, list[int]] = {}

    @cached_property
    def _before(self) -> list[int]:
        """How many `\\n` stand before each step, and in the whole text."""
        starts = range(0, len(self._text), _STEP)
        if "\n" not in self._text:
            return [0] * (len(starts) + 1)
        return list(accumulate((self._text.count("\n", at, at + _STEP) for at in starts), initial=0))

    @property
    def breaks(self) -> int:
        """How many `\\n` there are."""
        return self._before[-1]

    @cached_property
    def count(self) -> int:
        """The number of pieces between `\\n`; 0 for an empty text, and a closing `\\n` opens no further line.

        Who has taken the text apart may set it.
        """
        return self._before[-1] + (1 if self._text and not self._text.endswith("\n") else 0)

    def line_of(self, offset: int) -> int:
        """The line that the character at `offset` stands in."""
        if offset < _STEP:
            return self._text.count("\n", 0, offset) + 1
        step = min(offset // _STEP, len(self._before) - 1)
        return self._before[step] + self._text.count("\n", step * _STEP, offset) + 1

    def lines_of(self, offsets: list[int]) -> Iterator[int]:
        """The lines of several characters in the order in which they stand, each counted from the one before."""
        before = 0
        line = 1
        for offset in offsets:
            if offset - before < _STEP:
                line += self._text.count("\n", before, offset)
            else:
                line = self.line_of(offset)
            before = offset
            yield line

    def start_of(self, line: int) -> int:
        """The offset of the first character of `line`; the end of the text for a line beyond it."""
        missing = line - 1
        if missing <= 0:
            return 0
        if missing <= _FIRST:
            return self._behind(0, missing)
        if missing > self._before[-1]:
            return len(self._text)
        step = bisect_left(self._before, missing) - 1
        within = missing - self._before[step]
        if step in self._opened or within > _NEAR:
            return self._starts(step)[within - 1]
        return self._behind(step * _STEP, within)

    def _behind(self, at: int, breaks: int) -> int:
        """The offset behind so many of the `\\n` from `at` on; the end of the text if there are fewer."""
        for _ in range(breaks):
            at = self._text.find("\n", at) + 1
            if not at:
                return len(self._text)
        return at

    def _starts(self, step: int) -> list[int]:
        """Where the lines begin whose `\\n` in front stands in this step."""
        if step not in self._opened:
            at = step * _STEP
            lengths = map(len, self._text[at : at + _STEP].split("\n"))
            self._opened[step] = [start + place for place, start in enumerate(accumulate(lengths, initial=0), at)][1:]
        return self._opened[step]

    def end_of(self, line: int) -> int:
        """The offset behind the last character of `line`, its `\\n` not counted."""
        return self.end_behind(self.start_of(line))

    def end_behind(self, offset: int) -> int:
        """The offset behind the last character of the line that the character at `offset` stands in."""
        end = self._text.find("\n", offset)
        return len(self._text) if end < 0 else end
