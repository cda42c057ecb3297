"""How much a word or a sign tells that a text is in one language, or that it is no source at all.

`tells.txt` has a paragraph for each language and one, `-`, for texts that are not source. Behind each word stands its
weight: how much more or less likely it is in a source of that language, in hundredths of a power of e. `⇥` before a
word says that it begins a line, `↵` behind it that it ends one; `·` is what speaks for the language beforehand.
`scripts/tells.py` weighs the words of folders of sources; a paragraph written by hand does as well.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path

OTHER = "-"
"""The name of the paragraph for what is not source code."""

_MOST = 8
_DAMPED = tuple(sqrt(times) for times in range(_MOST + 1))
BEFORE = "·"
"""The word that has what speaks for a language before any is read."""


@dataclass(frozen=True, slots=True)
class Table:
    """`names` of the languages, what speaks for each `before` any word is read, and of each word the `weights` by place
    among the names; `speaking` has the words with letters that speak for a language."""

    names: tuple[str, ...]
    before: tuple[int, ...]
    weights: dict[str, tuple[tuple[int, int], ...]]
    speaking: dict[str, frozenset[str]]


@cache
def table() -> Table:
    """What the file says, read when a text is first looked at."""
    names: list[str] = []
    before: list[int] = []
    weights: dict[str, list[tuple[int, int]]] = {}
    speaking: dict[str, frozenset[str]] = {}
    text = Path(__file__).with_name("tells.txt").read_text(encoding="utf-8")
    for place, paragraph in enumerate(text.split("\n\n")):
        name, *entries = paragraph.split()
        words = [word.replace("⇥", "\0").replace("↵", "\n") for word in entries[::2]]
        told = dict(zip(words, map(int, entries[1::2]), strict=True))
        names.append(name)
        before.append(told.pop(BEFORE, 0))
        for word, weight in told.items():
            weights.setdefault(word, []).append((place, weight))
        speaking[name] = frozenset(word for word, weight in told.items() if weight > 0 and any(map(str.isalpha, word)))
    return Table(tuple(names), tuple(before), {word: tuple(pairs) for word, pairs in weights.items()}, speaking)


def damped(times: int) -> float:
    """What a word counts that stands in a text so many times."""
    return _DAMPED[min(times, _MOST)]


def known(words: list[str]) -> Counter[str]:
    """How often each of the words that have weights stands among these."""
    return Counter(filter(table().weights.__contains__, words))


def weighed(words: Counter[str]) -> dict[str, float]:
    """How much speaks for each language, and for none, in powers of e. A word that stands there often counts less each
    time, and no more beyond eight."""
    told = table()
    sums: list[float] = list(told.before)
    weights = told.weights
    for word, times in words.items():
        counted = damped(times)
        for place, weight in weights[word]:
            sums[place] += counted * weight
    return {name: total / 100 for name, total in zip(told.names, sums, strict=True)}


def speaking(words: Counter[str], name: str) -> int:
    """How many different words, signs aside, speak for a language."""
    return len(table().speaking[name].intersection(words))
