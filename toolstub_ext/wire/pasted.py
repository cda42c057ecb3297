"""Results that an agent pastes into what it says as the user, told by a marker with which such a text begins.

    Observation:
    total 48 ...

Everything behind the marker is the result, up to a line with which something else begins, or to the end of the text. A
text that only holds a marker somewhere is left alone: agents that paste a growing transcript would otherwise have
another result in every request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .body import Tail
from .escaped import written
from .spans import Span

_spaces = re.compile(r"\s*").match


@dataclass(frozen=True, slots=True)
class Marks:
    """What a text begins with that holds a result, and what a line begins with that is no part of it any more."""

    markers: Sequence[str] = ()
    ends: Sequence[str] = ()


NONE = Marks()


def pasted(text: Span, tail: Tail, marks: Marks) -> Span | None:
    """The result in a text of the user, which is written in `tail`; None if it begins with no marker.

    The span is a part of the text's literal, without its quotes.
    """
    said = text.value
    at = _behind_blanks(said, 0)
    marker = next((marker for marker in marks.markers if said.startswith(marker, at)), None)
    if marker is None:
        return None
    at = _behind_blanks(said, at + len(marker))
    ends = [place for end in marks.ends if (place := said.find("\n" + end, at)) >= 0]
    until = min(ends, default=len(said))
    start, end = written(tail.between(text.start + 1, text.end - 1), (at, until))
    return Span(said[at:until], text.start + 1 + start, text.start + 1 + end)


def _behind_blanks(text: str, at: int) -> int:
    found = _spaces(text, at)
    return found.end() if found else at

