"""What a synopsis shows of a private key: lines out of its middle have nothing about them that tells what they are."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from .model import Synopsis
from .patterns import Pattern, holds
from .wording import MASK

_MARKS = ("PRIVATE KEY-----", "PRIVATE KEY BLOCK-----")
_RUN = Pattern(r"[A-Za-z0-9+/]{16,}={0,2}")
_SHORT = 64 * 1024
"""Whether there is a key in a text of this size is sooner told than whether anything that is shown may be of one."""
_CASES_OF_WORDS = 1 / 3
"""In so large a part of its places at most does a name of several words go from small letters to capitals or back."""


def without_private_keys(synopsis: Synopsis, text: str) -> Synopsis:
    """The synopsis with what may be of a key masked, if there is a private key in the text."""
    if len(text) <= _SHORT and not holds_private_key(text):
        return synopsis
    shown = "\n".join((*synopsis.summary, *synopsis.structure, *synopsis.notable_items, synopsis.sample or ""))
    if not any(map(_is_mixed, _RUN.findall(shown))) or not holds_private_key(text):
        return synopsis
    return replace(
        synopsis,
        summary=tuple(map(without_key_lines, synopsis.summary)),
        structure=tuple(map(without_key_lines, synopsis.structure)),
        notable_items=tuple(map(without_key_lines, synopsis.notable_items)),
        sample=without_key_lines(synopsis.sample) if synopsis.sample else synopsis.sample,
        anchors=tuple(replace(anchor, label=without_key_lines(anchor.label)) for anchor in synopsis.anchors),
    )


def holds_private_key(text: str) -> bool:
    """Whether a private key begins or ends in it."""
    return holds(text, *_MARKS)


def without_key_lines(text: str) -> str:
    """What of a text with a private key may be shown: no line, and no part of one, that may be of the key."""
    return _RUN.sub(lambda run: MASK if _is_mixed(run[0]) else run[0], text)


def _is_mixed(run: str) -> bool:
    """Whether it is no word, number or path: letters of both kinds with digits or in no order."""
    if run.islower() or run.isupper():
        return False
    return any(map(str.isdigit, run)) or _changes(run) > _CASES_OF_WORDS * len(run)


def _changes(run: str) -> int:
    return sum(one.isupper() != other.isupper() for one, other in pairwise(run))
