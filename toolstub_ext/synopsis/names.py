"""Names that a text speaks of: of several words, as programs have them. Who has read one knows how to write it.

On recorded sessions of agents a third of what was looked for in hidden files was a single name that the index of
definitions does not have: a field, a function of another file, a test that failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

from .private_keys import holds_private_key, without_key_lines
from .wording import without_secrets

_WORD = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]{4,}+")
_SEVERAL = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_SHORTEST, _LONGEST = 5, 48
_BETWEEN = re.compile(r"\W")
_LOOKED_AT = 64 * 1024
_LONGEST_KEY = 16 * 1024
"""So far behind what is looked at a private key may end that begins in it or before."""
_PAGE = 4 * 1024
"""So much is read at once: most lists of names are full behind the first pages."""
_BLANKED = bytes(code if chr(code) in ascii_letters + digits + "_" else ord(" ") for code in range(256))
_CASES = bytes.maketrans(
    (ascii_lowercase + ascii_uppercase).encode(), b"a" * len(ascii_lowercase) + b"A" * len(ascii_uppercase)
)
_JOINS = (b"_", b"aA", b"AAaa")
"""What a name of several words holds, all letters of a case being the same one."""


def names(text: str) -> Iterator[str]:
    """Each once, in the order in which the first 64 Ki characters have them; what is secret is no name."""
    told: set[str] = set()
    at, last = 0, min(len(text), _LOOKED_AT)
    keyed = holds_private_key(text[: last + _LONGEST_KEY])
    while at < last:
        between = _BETWEEN.search(text, at + _PAGE, last)
        end = between.end() if between else last
        cases = text[at:end].encode("ascii", "replace").translate(_CASES)
        if any(map(cases.__contains__, _JOINS)):
            said = without_secrets(text, at, end)
            for word in _words(without_key_lines(said) if keyed else said):
                if word not in told and len(word) <= _LONGEST and _SEVERAL.search(word):
                    told.add(word)
                    yield word
        at = end


def _words(text: str) -> Iterable[str]:
    """The words of a text that may be names: what is but one word in small letters cannot."""
    if not text.isascii():
        return _WORD.findall(text)
    words = dict.fromkeys(text.encode().translate(_BLANKED).decode().split())
    return [
        word
        for word in words
        if (not word.islower() or "_" in word) and len(word) >= _SHORTEST and not word[0].isdigit()
    ]
