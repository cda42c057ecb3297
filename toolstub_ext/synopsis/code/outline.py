"""Every name that a source defines, with its line: what an editor's outline shows."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .language import Language

_MOST = 3000
_QUOTED = re.compile(r""""(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'""", re.DOTALL)
_LINE = 400
_NAMES = ("name", "type", "function", "method", "bound", "exported", "target", "constant")
_CONSTANT_RANK = 3


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition: the label to show, its place, and how much it matters (0 most)."""

    label: str
    offset: int
    line: int
    rank: int
    group: str


def definitions(text: str, language: Language) -> list[Definition]:
    """The definitions of `text` in their order, at most 3,000, one for each line."""
    found: list[Definition] = []
    line = 1
    counted = 0
    for match in _spoken(language.definitions, text, language):
        groups = match.groupdict()
        group = next((name for name in _NAMES if groups.get(name)), None)
        if group is None:
            continue
        offset = match.end("indent") - 1
        line += text.count("\n", counted, offset)
        counted = offset
        indent = len(groups["indent"].expandtabs(4))
        found.append(Definition(_label(groups, group, indent), offset, line, _rank(group, indent), group))
        if len(found) == _MOST:
            break
    return found


def _spoken(pattern: re.Pattern[str], text: str, language: Language) -> Iterable[re.Match[str]]:
    """The matches that do not stand inside a string of several lines.

    A part of a file may begin inside of one; it is read so if that leaves more definitions outside.
    """
    found = pattern.finditer("\n" + text)
    if not any(quote in text for quote in language.quotes):
        return found
    matches = list(found)
    marks = sorted((place, quote) for quote in language.quotes for place in _places(text, quote))
    ends = _ends(text, marks)
    judges = matches if pattern is language.definitions else list(language.definitions.finditer("\n" + text))
    outer = _outside(judges, ends)
    if len(outer) < len(judges):
        opened = [-1, marks[0][0], *_ends(text, marks[1:])]
        ends = opened if len(_outside(judges, opened)) > len(outer) else ends
    return _outside(matches, ends)


def _outside(matches: list[re.Match[str]], ends: list[int]) -> list[re.Match[str]]:
    """The matches before, between and behind strings; `ends` is where these begin and end, in turn."""
    return [match for match in matches if bisect(ends, match.start()) % 2 == 0]


def _places(text: str, quote: str) -> Iterator[int]:
    place = text.find(quote)
    while place >= 0:
        yield place
        place = text.find(quote, place + len(quote))


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
    return not any(mark in _QUOTED.sub("", before) for mark in "\"'#")


def _label(groups: dict[str, str | None], group: str, indent: int) -> str:
    """`class Runner`, `.start` for what is inside another definition, else the bare name."""
    name = " ".join((groups[group] or "").split())
    word = groups.get("what") or groups.get("block")
    if word:
        return f"{word.lower()} {name}"
    return ("." if group == "method" or indent else "") + name


def _rank(group: str, indent: int) -> int:
    """Top level before members, members before what is nested deeper, constants after all functions."""
    if group == "constant":
        return _CONSTANT_RANK
    return 0 if indent == 0 else 1 if indent <= 4 else 2 if indent <= 8 else 4


def imports(text: str, language: Language) -> list[str]:
    """What `text` imports, as written."""
    return [" ".join(match["import"].split()) for match in _spoken(language.imports, text, language)]
