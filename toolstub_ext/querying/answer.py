"""What a query answers with: an exact passage of the original, or a listing of what was selected from it.

`str(answer)` is all of it. `reply(limit)` has at most that many characters, and a first line that says what is shown,
of how much, and how to go on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..phrases import clipped

_CUT = "…"
_NOTE_CHARS = 120


@dataclass(frozen=True, slots=True)
class Passage:
    """Consecutive text of the original: `offset` in code points, lines from 1."""

    ref: str
    what: str
    text: str
    offset: int
    first_line: int

    @property
    def value(self) -> dict[str, Any]:
        """Where it stands, and the text."""
        return {"what": self.what, "offset": self.offset, "first_line": self.first_line, "text": self.text}

    def reply(self, limit: int) -> str:
        """The text from its beginning, in whole lines where they fit."""
        head = f"{self.ref} {clipped(self.what)}: chars {self.offset}"
        shown = whole_lines(self.text, limit - len(head) - _NOTE_CHARS)
        end, left = self.offset + len(shown), len(self.text) - len(shown)
        last_line = self.first_line + shown.count("\n", 0, -1)
        onward = f'; cut, {left} more: toolstub_read(ref="{self.ref}", offset={end}, limit={left})' if left else ""
        return f"{head}..{end} (lines {self.first_line}..{last_line}){onward}\n{shown}"[:max(0, limit)]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Listing:
    """Selected pieces, one a line. `onward(n)` says how to go on behind the first `n`; `value` is all as JSON."""

    ref: str
    what: str
    pieces: tuple[str, ...]
    value: Any
    onward: Callable[[int], str] = field(repr=False, compare=False)
    heading: str | None = None

    def reply(self, limit: int) -> str:
        """As many pieces as fit; the first one cut where it alone does not."""
        head = f"{self.ref} {clipped(self.what)}"
        heading = "" if self.heading is None else f"\n{self.heading}"
        room = limit - len(head) - len(heading)
        count = _fitting(self.pieces, room)
        if count < len(self.pieces):
            room -= _NOTE_CHARS + len(self.onward(count))
            count = _fitting(self.pieces, room)
        shown = self.pieces[:count]
        if not shown and self.pieces:
            shown = (self.pieces[0][:max(0, room - 2)] + _CUT,)
            head += f"; cut: the first alone has {len(self.pieces[0]):,} chars"
        if len(shown) < len(self.pieces):
            head += f"; {len(shown):,} shown, go on with {self.onward(len(shown))}"
        return "\n".join([head + heading, *shown])[:max(0, limit)]

    def __str__(self) -> str:
        return "\n".join(self.pieces if self.heading is None else (self.heading, *self.pieces))


Answer = Passage | Listing


def _fitting(pieces: tuple[str, ...], room: int) -> int:
    """How many pieces, each on its line, fit."""
    for count, piece in enumerate(pieces):
        room -= len(piece) + 1
        if room < 0:
            return count
    return len(pieces)


def whole_lines(text: str, room: int) -> str:
    """The beginning of `text`, without a last line that is cut off, if that is not much."""
    if len(text) <= room:
        return text
    cut = text[:max(0, room)]
    end = cut.rfind("\n") + 1
    return cut[:end] if end > len(cut) // 2 else cut
