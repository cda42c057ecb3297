"""What can be written into an expression that selects something: plain names, and values that stand out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .patterns import Pattern

_NAME = Pattern(r"[A-Za-z_]\w{0,30}\Z")
_FEW = 8
_GLANCED_AT = 24
_LONGEST = 24
_QUOTES = frozenset("'\\")


def is_plain(name: str) -> bool:
    """Whether a name can be asked for as it stands, without quotes."""
    return _NAME.match(name) is not None


def rarest(values: Sequence[Any]) -> str:
    """The rarest text among values that take a few again and again, if it can stand in single quotes; else none."""
    if len({value for value in values[:_GLANCED_AT] if type(value) is str}) > _FEW:
        return ""  # mostly so, and sooner told than counted
    return rarest_of(Counter([value for value in values if type(value) is str]), len(values))


def rarest_of(times: Mapping[str, int], number: int) -> str:
    """The same of so many values, with how often each text among them occurs."""
    if not 2 <= len(times) <= _FEW or number < 2 * len(times):
        return ""
    found = min(times, key=lambda value: (times[value], value))
    return found if len(found) <= _LONGEST and found.isprintable() and _QUOTES.isdisjoint(found) else ""
