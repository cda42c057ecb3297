"""How much a word or a sign tells that a text is in one language, or that it is no source at all.

`tells.txt` has a paragraph for each language and one, `-`, for texts that are not source. Behind each word stands its
weight: how much more or less likely it is in a source of that language, in hundredths of a power of e. `⇥` before a
word says that it begins a line, `↵` behind it that it ends one; `·` is what speaks for the language beforehand.
`scripts/tells.py` weighs the words of folders of sources. Weights that are multiples of ten are mostly given by hand:
whole paragraphs of languages of which there were too few sources, and words that others lacked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import sqrt
from operator import mul
from pathlib import Path
from struct import unpack

OTHER = "-"
"""The name of the paragraph for what is not source code."""

_MOST = 8
_DAMPED = tuple(sqrt(times) for times in range(_MOST + 1))
_UNIT = 1 << 12
_FINE = tuple(round(counted * _UNIT) for counted in _DAMPED)
_FIELD = 32
"""Bits; the sum of all weights of a language, the heaviest, takes 29 of them."""
_HALF = bytes(3) + b"\x80"
"""What makes all that a field may hold positive."""
BEFORE = "·"
"""The word that has what speaks for a language before any is read."""


@dataclass(frozen=True, slots=True)
class Table:
    """`names` of the languages, what speaks for each `before` any word is read, and of each word the `weights`.

    The weights for all languages are one number, with a field of 32 bits for each, so that those of many words are
    added up as fast as those of one language. `speaking` has the words with letters that speak for a language.
    """

    names: tuple[str, ...]
    before: int
    weights: dict[str, int]
    speaking: dict[str, frozenset[str]]


@cache
def table() -> Table:
    """What the file says, read when a text is first looked at."""
    names: list[str] = []
    weights: dict[str, int] = {}
    speaking: dict[str, frozenset[str]] = {}
    text = Path(__file__).with_name("tells.txt").read_text(encoding="utf-8")
    for place, paragraph in enumerate(text.split("\n\n")):
        name, *entries = paragraph.split()
        words = [word.replace("⇥", "\0").replace("↵", "\n") for word in entries[::2]]
        told = dict(zip(words, map(int, entries[1::2]), strict=True))
        names.append(name)
        for word, weight in told.items():
            weights[word] = weights.get(word, 0) + (weight << _FIELD * place)
        told.pop(BEFORE, None)
        speaking[name] = frozenset(word for word, weight in told.items() if weight > 0 and any(map(str.isalpha, word)))
    return Table(tuple(names), weights.pop(BEFORE), weights, speaking)


def damped(times: int) -> float:
    """What a word counts that stands in a text so many times."""
    return _DAMPED[min(times, _MOST)]


def known(words: list[str]) -> Iterator[str]:
    """Those of the words that have weights, as often as they stand among these."""
    return filter(table().weights.__contains__, words)


def weighed(words: Counter[str]) -> dict[str, float]:
    """How much speaks for each language, and for none, in powers of e. A word that stands there often counts less each
    time, and no more beyond eight."""
    told = table()
    weights = told.weights
    sums = [0] * (_MOST + 1)  # of what stands there so often: one product for each of these, not for each word
    for word, times in words.items():
        sums[times if times < _MOST else _MOST] += weights[word]  # noqa: FURB136 - a call less for each word
    total = sum(map(mul, sums, _FINE), told.before * _UNIT)
    return {
        name: number / (100 * _UNIT) for name, number in zip(told.names, _fields(total, len(told.names)), strict=True)
    }


def _fields(total: int, size: int) -> Iterator[int]:
    """The numbers in the fields of one, any of which may be negative and then borrows from the next field."""
    lifted = total + int.from_bytes(_HALF * size, "little")
    return (field - (1 << _FIELD - 1) for field in unpack(f"<{size}I", lifted.to_bytes(len(_HALF) * size, "little")))


def speaking(words: Counter[str], name: str) -> int:
    """How many different words, signs aside, speak for a language."""
    return len(table().speaking[name].intersection(words))
