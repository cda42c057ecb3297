"""Marks that a tool puts where it has left something out: `[... 1200 characters truncated ...]` and the like."""

from __future__ import annotations

from .patterns import Pattern
from .wording import count

_MARK = Pattern(
    r"\n(?P<mark>[ \t]*+(?=[\[<(.…])(?:[\[<(]|\.{3}|…)[\[<(. …\t-]{0,12}+(?=[\dCFORTceflort])"
    r"(?:(?:[Oo]utput|[Rr]esponse|[Cc]ontent|[Tt]ext|[Ff]ile)(?: (?:is|was|too long))?[ ,:]{1,2})?"
    r"(?:(?P<first>truncated|omitted|elided|clipped)[ :]{0,2})?"
    r"(?:(?:lines? )?\d[\d,]{0,15}(?:-\d{1,15})?(?: ?more)? ?(?:of \d[\d,]{0,15} )?"
    r"(?:characters?|chars?|lines?|bytes|tokens)?)?"
    r"(?: ?(?:were |was )?(?P<second>truncated|omitted|elided|clipped))?[ \t.…\-\])>]{0,14})(?=\n|\Z)"
)
_MOST_SHOWN = 2
_MOST_CHARS = 1 << 19
"""Whoever cuts outputs cuts them to less."""


def cuts(text: str) -> list[tuple[int, int]]:
    """Where such marks begin and end, each a line of its own."""
    if len(text) > _MOST_CHARS:
        return []
    found = [mark for mark in _MARK.finditer("\n" + text) if mark["first"] or mark["second"]]
    return [(mark.start("mark") - 1, mark.end("mark") - 1) for mark in found]


def without_marks(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with blank lines in place of the marks, and what to say of them; nothing if there are none."""
    marks = cuts(text)
    said = [
        f"left out behind line {text.count(chr(10), 0, start)}: {text[start:end].strip()}"
        for start, end in marks[:_MOST_SHOWN]
    ]
    if len(marks) > _MOST_SHOWN:
        said.append(f"{count(len(marks) - _MOST_SHOWN, 'more part')} left out")
    ends = [0, *(place for mark in marks for place in mark), len(text)]
    return "".join([text[start:end] for start, end in zip(ends[::2], ends[1::2])]), tuple(said)
