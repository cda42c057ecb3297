"""The levels of messages in a log: how many of each, and the warnings that are not alike."""

from __future__ import annotations

import re
from collections import Counter

from ..facts import Facts
from ..model import Source
from ..patterns import Pattern, holds
from ..wording import one_line
from .findings import template

_LEVEL_WORDS = (
    "TRACE", "DEBUG", "INFO", "NOTICE", "WARN(?:ING)?", "ERR(?:OR)?", "FATAL", "CRITICAL", "SEVERE",
    "trace", "debug", "info", "warn(?:ing)?", "error", "fatal",
)  # fmt: skip
_IN_PROSE = "(?<![a-z,.] {0})(?<![A-Za-z][A-Z] {0})"


_BEHIND = r"\b(?=[\]:|\s)\x1b,=]|$)"


def _alone(word: str, begin: str) -> str:
    """The word behind its `begin`, which the search is for: in lower case not within a sentence."""
    return rf"{begin}(?<!\w{begin}){_IN_PROSE.format(begin) if word.islower() else ''}{word.removeprefix(begin)}"


LEVEL = re.compile(rf"(?:{'|'.join(_alone(word, word[0]) for word in _LEVEL_WORDS)}){_BEHIND}")
_BY_BEGIN = [
    (begin, Pattern(_alone(word, begin) + _BEHIND)) for word in _LEVEL_WORDS for begin in (word.partition("(")[0],)
]
"""Each word with what it begins with, which is sooner looked for than all words are at each letter."""
_LED_BY_LEVEL = re.compile(rf"\n[^A-SU-Ya-z\n]{{0,60}}+({LEVEL.pattern})[^\n]*")
"""The lines with nothing but figures before their level, and the T and the Z of a time."""
_LEVEL_NAMES = {"WARN": "WARNING", "ERR": "ERROR"}
LEVEL_STEMS = (
    "INFO", "DEBUG", "WARN", "ERR", "TRACE", "NOTICE", "FATAL", "CRIT", "SEVERE",
    "info", "debug", "warn", "rror", "trace", "fatal",
)  # fmt: skip
"""Whatever is a level holds one of these."""
_LEVEL_CHARS = 100
"""A level stands no further from the beginning of its line."""
_MOST_WARNINGS = 2


def levels_in(head: str) -> Counter[str]:
    """How often each level is named at the beginnings of lines, by the longer of its names."""
    levels: Counter[str] = Counter()
    if not holds(head, *LEVEL_STEMS):
        return levels
    pieces = _LED_BY_LEVEL.split("\n" + head)  # the levels, and what is between such lines
    others = [line[:_LEVEL_CHARS] for piece in pieces[::2] if piece for line in piece.split("\n")]
    found = pieces[1::2] + _first_of_lines("\n".join(others))
    for level, number in Counter(found).items():
        levels[_LEVEL_NAMES.get(level.upper(), level.upper())] += number
    return levels


def _first_of_lines(text: str) -> list[str]:
    """The first level in each line that has one."""
    hits = [(hit.start(), hit[0]) for begin, word in _BY_BEGIN if holds(text, begin) for hit in word.finditer(text)]
    found: list[str] = []
    end = -1
    for start, level in sorted(hits):
        if start > end:
            found.append(level)
            end = text.find("\n", start)
            if end < 0:
                break
    return found


def tell_warnings(source: Source, facts: Facts) -> None:
    """The first warnings that are not alike, with their lines."""
    distinct: dict[bytes, tuple[int, str]] = {}
    for number, line in enumerate(source.lines, 1):
        level = LEVEL.search(line, 0, _LEVEL_CHARS)
        if level and level[0].upper().startswith("WARN"):
            distinct.setdefault(template(line), (number, line))
        if len(distinct) == _MOST_WARNINGS:
            break
    for number, line in distinct.values():
        facts.notable(f"line {source.number(number)}: {one_line(line, 160)}", rank=4)
