"""The levels of messages in a log: how many of each, and the warnings that are not alike."""

from __future__ import annotations

import re
from collections import Counter

from ..facts import Facts
from ..model import Source
from ..patterns import holds
from ..wording import one_line
from .findings import template

_LEVEL_WORDS = (
    "TRACE", "DEBUG", "INFO", "NOTICE", "WARN(?:ING)?", "ERR(?:OR)?", "FATAL", "CRITICAL", "SEVERE",
    "trace", "debug", "info", "warn(?:ing)?", "error", "fatal",
)  # fmt: skip
_IN_PROSE = "(?<![a-z,.] {0})(?<![A-Za-z][A-Z] {0})"


def _levels_by_letter() -> str:
    """Each word behind its first letter, so that the search is for letters: in lower case not within a sentence."""
    words = [
        rf"{word[0]}(?<!\w{word[0]}){_IN_PROSE.format(word[0]) if word.islower() else ''}{word[1:]}"
        for word in _LEVEL_WORDS
    ]
    return rf"(?:{'|'.join(words)})\b(?=[\]:|\s)\x1b,=]|$)"


LEVEL = re.compile(_levels_by_letter())
_LEVELLED = re.compile(rf"({LEVEL.pattern})[^\n]*")
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
    found = pieces[1::2] + _LEVELLED.findall("\n".join(others))
    for level, number in Counter(found).items():
        levels[_LEVEL_NAMES.get(level.upper(), level.upper())] += number
    return levels


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
