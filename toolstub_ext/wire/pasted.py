"""Results that an agent pastes into what it says as the user, told by a marker with which such a text begins.

    Observation:
    total 48 ...

Everything behind the marker, up to the end of the text, is the result. A text that only holds a marker somewhere is
left alone: agents that paste a growing transcript would otherwise have another result in every request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .body import Tail
from .spans import Span

_ESCAPED_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_characters = re.compile(rf'{_ESCAPED_PAIR}|\\u[0-9a-fA-F]{{4}}|\\.|[^\\"]').finditer
"""The characters of a JSON string, as they are written."""
_spaces = re.compile(r"\s*").match


def pasted(text: Span, tail: Tail, markers: Sequence[str]) -> Span | None:
    """The result in a text of the user, in which `tail` the text is written; None if it begins with no marker.

    The span is a part of the text's literal, without its quotes.
    """
    at = _length(text.value)
    marker = next((marker for marker in markers if text.value.startswith(marker, at)), None)
    if marker is None:
        return None
    at += len(marker)
    at += _length(text.value[at:])
    written = tail.between(text.start + 1, text.end - 1)
    ends = (match.end() for _, match in zip(range(at), _characters(written)))
    return Span(text.value[at:], text.start + 1 + max(ends, default=0), text.end - 1)


def _length(text: str) -> int:
    """How much blank a text begins with."""
    found = _spaces(text)
    return found.end() if found else 0
