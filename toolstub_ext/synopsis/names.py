"""Names that a text speaks of: of several words, as programs have them. Who has read one knows how to write it.

On recorded sessions of agents a third of what was looked for in hidden files was a single name that the index of
definitions does not have: a field, a function of another file, a test that failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .wording import excerpt

_WORD = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]{4,}+")
_SEVERAL = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_LONGEST = 48
_BETWEEN = re.compile(r"\W")
_LOOKED_AT = 64 * 1024
_PAGE = 4 * 1024
"""So much is read at once: most lists of names are full behind the first pages."""


def names(text: str) -> Iterator[str]:
    """Each once, in the order in which the first 64 Ki characters have them; what is secret is no name."""
    told: set[str] = set()
    at, last = 0, min(len(text), _LOOKED_AT)
    while at < last:
        between = _BETWEEN.search(text, at + _PAGE, last)
        end = between.end() if between else last
        for word in _WORD.findall(excerpt(text, at, end)):
            if word not in told and len(word) <= _LONGEST and _SEVERAL.search(word):
                told.add(word)
                yield word
        at = end
