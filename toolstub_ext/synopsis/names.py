"""Names that a text speaks of: of several words, as programs have them. Who has read one knows how to write it.

On recorded sessions of agents a third of what was looked for in hidden files was a single name that the index of
definitions does not have: a field, a function of another file, a test that failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]{4,}+")
_SEVERAL = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_LONGEST = 48
_LOOKED_AT = 64 * 1024


def names(text: str) -> Iterator[str]:
    """Each once, in the order in which the first 64 Ki characters have them."""
    told: set[str] = set()
    for match in _WORD.finditer(text, 0, _LOOKED_AT):
        word = match[0]
        if word not in told and len(word) <= _LONGEST and _SEVERAL.search(word):
            told.add(word)
            yield word
