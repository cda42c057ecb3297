"""Marks that a tool puts where it has left something out: `[... 1200 characters truncated ...]` and the like."""

from __future__ import annotations

from collections.abc import Iterator

from .patterns import Pattern, holds
from .wording import count

_WORDS = ("truncated", "omitted", "elided", "clipped")
_MARK = Pattern(
    r"[ \t]*(?:[\[<(]|\.{3}|…)[\[<(. …\t-]{0,12}"
    r"(?:(?:[Oo]utput|[Rr]esponse|[Cc]ontent|[Tt]ext|[Ff]ile)(?: (?:is|was|too long))?[ ,:]{1,2})?"
    r"(?:(?P<first>truncated|omitted|elided|clipped)[ :]{0,2})?"
    r"(?:(?:lines? )?\d[\d,]{0,15}(?:-\d{1,15})?(?: ?more)? ?(?:of \d[\d,]{0,15} )?"
    r"(?:characters?|chars?|lines?|bytes|tokens)?)?"
    r"(?: ?(?:were |was )?(?P<second>truncated|omitted|elided|clipped))?[ \t.…\-\])>]{0,14}$"
)
_LONGEST_MARK = 120
_MOST_LOOKED_AT = 20
_MOST_SHOWN = 2
_MOST_CHARS = 1 << 19
"""Whoever cuts outputs cuts them to less."""


def cuts(text: str) -> list[tuple[int, int]]:
    """Where such marks begin and end, each a line of its own."""
    if len(text) > _MOST_CHARS or not holds(text, *_WORDS):
        return []
    return sorted(set(_marks(text)))


def without_marks(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with blank lines in place of the marks, and what to say of them; nothing if there are none."""
    marks = cuts(text)
    said = [
        f"left out behind line {text.count(chr(10), 0, start)}: {text[start:end].strip()}"
        for start, end in marks[:_MOST_SHOWN]
    ]
    if len(marks) > _MOST_SHOWN:
        said.append(f"{count(len(marks) - _MOST_SHOWN, 'more part')} left out")
    for start, end in reversed(marks):
        text = text[:start] + text[end:]
    return text, tuple(said)


def _marks(text: str) -> Iterator[tuple[int, int]]:
    for word in _WORDS:
        at = text.find(word)
        for _ in range(_MOST_LOOKED_AT):
            if at < 0:
                break
            start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
            end = len(text) if end < 0 else end
            found = _MARK.match(text, start, end) if end - start <= _LONGEST_MARK else None
            if found and (found["first"] or found["second"]):
                yield start, end
            at = text.find(word, end)
