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
from .spans import Span

_ESCAPED_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_characters = re.compile(rf'{_ESCAPED_PAIR}|\\u[0-9a-fA-F]{{4}}|\\.|[^\\"]').finditer
"""The characters of a JSON string, as they are written."""
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
    written = tail.between(text.start + 1, text.end - 1)
    start = text.start + 1 + _written(written, at)
    if not ends:
        return Span(said[at:], start, text.end - 1)
    return Span(said[at:min(ends)], start, text.start + 1 + _written(written, min(ends)))


def _behind_blanks(text: str, at: int) -> int:
    found = _spaces(text, at)
    return found.end() if found else at


def _written(literal: str, characters: int) -> int:
    """How long so many characters of a literal are written."""
    return max((match.end() for _, match in zip(range(characters), _characters(literal))), default=0)
