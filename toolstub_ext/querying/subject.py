"""The original a query is about: its text, what kind it is, and how places inside a tool's frame become its own."""

from __future__ import annotations

from dataclasses import dataclass

from ..synopsis.kinds import FRAMES, described
from ..synopsis.lines import LineIndex
from ..synopsis.model import Source, Synopsis
from ..synopsis.wrapping import unwrapped
from .answer import Passage


@dataclass(frozen=True, slots=True)
class Subject:
    """One original. `source` is the text that was described: the whole, or what stands inside a frame.

    Its lines are those of the whole, `first_line` - 1 further on, and its places `offset`; None where it has no places
    of the whole, because line numbers were taken off.
    """

    ref: str
    text: str
    source: Source
    synopsis: Synopsis
    first_line: int
    offset: int | None
    lines: LineIndex

    def line(self, inside: int) -> int:
        """The line in the whole of a line inside."""
        return inside + self.first_line - 1

    def passage(self, what: str, first: int, last: int) -> Passage:
        """Whole lines, given by their numbers inside, both included."""
        start = self.lines.start_of(self.line(first))
        end = self.lines.end_of(self.line(last))
        return Passage(self.ref, what, self.text[start:end], start, self.line(first))


def subject_of(ref: str, text: str) -> Subject:
    """What the text is, as its stub says."""
    whole = source = Source(text)
    line, offset = 1, 0
    by_line = False
    for _ in range(FRAMES):
        wrapping = None if by_line else unwrapped(source)
        if wrapping is None:
            break
        source, by_line = wrapping.inner, wrapping.by_line
        line, offset = line + wrapping.line - 1, offset + wrapping.offset
    return Subject(ref, text, source, described(source), line, None if by_line else offset, whole.line_index)
