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
    """Counts of `\\n` at every 16 Ki code points of one text, made as far as they are used.

    Lines count from 1, offsets from 0.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._before = [0]
        self._opened: dict[int, list[int]] = {}

    @cached_property
    def breaks(self) -> int:
        """How many `\\n` there are: counted in one go, which takes two thirds of the time that all steps do."""
        return self._text.count("\n") if "\n" in self._text else 0

    @cached_property
    def count(self) -> int:
        """The number of pieces between `\\n`; 0 for an empty text, and a closing `\\n` opens no further line.

        Who has taken the text apart may set it.
        """
        return self.breaks + (1 if self._text and not self._text.endswith("\n") else 0)

    def line_of(self, offset: int) -> int:
        """The line that the character at `offset` stands in."""
        if offset < _STEP:
            return self._text.count("\n", 0, offset) + 1
        size, step = len(self._text), min(offset, len(self._text)) // _STEP
        if "breaks" in vars(self) and size - offset < offset - len(self._before) * _STEP:
            return self.breaks - self._text.count("\n", offset) + 1
        return self._counted(step, size)[step] + self._text.count("\n", step * _STEP, offset) + 1

    def _counted(self, steps: int, breaks: int) -> list[int]:
        """How many `\\n` stand before each of so many steps and the next, or until there are as many as `breaks`."""
        before = self._before
        if len(before) <= steps and before[-1] < breaks:
            none = len(before) == 1 and "\n" not in self._text  # mostly sooner told than counted
            before = [0] * (steps + 1) if none else before.copy()  # any number of threads may ask
            while len(before) <= steps and before[-1] < breaks:
                at = (len(before) - 1) * _STEP
                before.append(before[-1] + self._text.count("\n", at, at + _STEP))
            self._before = before
        return before

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
        before = self._counted(len(self._text) // _STEP + 1, missing)
        if missing > before[-1]:
            return len(self._text)
        step = bisect_left(before, missing) - 1
        within = missing - before[step]
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
