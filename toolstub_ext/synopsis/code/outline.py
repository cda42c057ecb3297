"""Every name that a source defines, with its line: what an editor's outline shows. And what it imports."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..patterns import holds
from .language import Language

_MOST = 3000
_QUOTED = re.compile(r""""(?:[^"\\]++|\\.|(?!))*+"|'(?:[^'\\]++|\\.|(?!))*+'""", re.DOTALL)
_LINE = 400
_CONSTANT_RANK = 3
_IMPORT = "import"
_TESTS = frozenset(("context", "describe", "it", "scenario", "specify", "subtest", "suite", "test_that"))
"""How tests and groups of them are begun, which are counted as tests."""


class Definition(NamedTuple):
    """One definition: the label to show, its place, how much it matters (0 most), and of what sort it is."""

    label: str
    offset: int
    line: int
    rank: int
    sort: str


def outline(text: str, language: Language) -> tuple[list[Definition], list[str]]:
    """The definitions of `text` in their order, at most 3,000, one for each line; and what it imports, as written."""
    found: list[Definition] = []
    imported: list[str] = []
    worded = language.worded
    declares = language.declares
    line = 1
    counted = 0
    for match in _shown(text, language):
        group = match.lastgroup or ""
        name = match[group] or match["name"]  # what is declared alone is marked behind its name
        if group == _IMPORT:
            imported.append(" ".join(name.split()))
            continue
        if len(found) == _MOST:
            continue
        indent = match[1]
        depth = len(indent.expandtabs(4)) if "\t" in indent else len(indent)
        below = match[0].rfind("\n") if declares else 0  # where the name has a line of its own
        offset = match.start() + (below or len(indent))
        line += text.count("\n", counted, offset)
        counted = offset
        if " " in name:
            name = " ".join(name.split())
        word = match[worded[group]] if group in worded else None
        if word:
            word = word.lower()
            label, sort = f"{word} {name}", "test" if word in _TESTS else word.partition(" ")[0]
        else:
            label, sort = "." + name if depth or group == "method" else name, group
        if language.clauses and found and found[-1].label == label:
            continue
        found.append(Definition(label, offset, line, _rank(group, depth), sort))
    return found, imported


def definitions(text: str, language: Language) -> list[Definition]:
    """The definitions alone."""
    return outline(text, language)[0]


def _rank(group: str, indent: int) -> int:
    """Top level before members, members before what is nested deeper, constants after all functions."""
    if group == "constant":
        return _CONSTANT_RANK
    return 0 if indent == 0 else 1 if indent <= 4 else 2 if indent <= 8 else 4


def _shown(text: str, language: Language) -> Iterable[re.Match[str]]:
    """The matches that do not stand in strings; what is declared alone only in a header, where that is most."""
    found = _spoken(text, language)
    if not language.declares:
        return found
    matches = list(found)
    groups = [match.lastgroup for match in matches]
    if groups.count("declared") > groups.count("name"):
        return matches
    return [match for match in matches if match.lastgroup != "declared"]


def _spoken(text: str, language: Language) -> Iterable[re.Match[str]]:
    """The matches that do not stand inside a string of several lines.

    A part of a file may begin inside of one; it is read so if that leaves more definitions outside.
    """
    found = language.lines.finditer("\n" + text)
    quotes = [quote for quote in language.quotes if holds(text, quote)]
    marks = sorted([(place, quote) for quote in quotes for place in _places(text, quote)])
    if not marks:
        return found
    matches = list(found)
    outer = _outside(matches, _ends(text, marks))
    if len(outer) < len(matches) and _defining(outer) < _defining(matches):
        opened = _outside(matches, [-1, marks[0][0], *_ends(text, marks[1:])])
        if _defining(opened) > _defining(outer):
            return opened
    return outer


def _defining(matches: list[re.Match[str]]) -> int:
    return sum([match.lastgroup != _IMPORT for match in matches])


def _outside(matches: list[re.Match[str]], ends: list[int]) -> list[re.Match[str]]:
    """The matches before, between and behind strings; `ends` is where these begin and end, in turn."""
    return [match for match in matches if bisect_right(ends, match.start()) % 2 == 0]


def _places(text: str, quote: str) -> Iterator[int]:
    at = text.find(quote)
    while at >= 0:
        yield at
        at = text.find(quote, at + len(quote))


def _ends(text: str, marks: list[tuple[int, str]]) -> list[int]:
    """Where strings begin and end, in turn, of the quotes that do either."""
    ends: list[int] = []
    quote, behind = "", 0
    for place, mark in marks:
        if place < behind:
            continue
        if not quote and _begins(text, max(behind, place - _LINE), place):
            quote, behind = mark, place + len(mark)
            ends.append(place)
        elif mark == quote and (text[place - 1] != "\\" or text[place - 2] == "\\"):
            quote, behind = "", place + len(mark)
            ends.append(place)
    return ends


def _begins(text: str, start: int, place: int) -> bool:
    """Whether a quote is neither in a comment nor in a string of its line."""
    before = text[max(start, text.rfind("\n", start, place) + 1) : place]
    if not before or before.isspace():
        return True
    if '"' in before or "'" in before:
        before = _QUOTED.sub("", before)
    return not ('"' in before or "'" in before or "#" in before)
