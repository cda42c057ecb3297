"""Prose: how much, under which headers, and how it begins and ends."""

from __future__ import annotations

import re
from itertools import accumulate

from ..facts import Facts
from ..model import Source
from ..wording import clip, count, ending, excerpt, one_line
from .course import tell_course
from .embedded import say_embedded
from .findings import say_findings

_MOST_HEADERS = 18
_FEW_HEADERS = 3
_HEADER = re.compile(
    r"\n(?:#{1,6}[ \t]++(?P<marked>[^\n]{1,200}+)|(?P<capitals>[A-Z0-9][A-Z0-9 \t:_-]{6,120}+))[ \t]*+(?=\n|\Z)"
)
_IN_CAPITALS = re.compile(r"[A-Z0-9 \t:_-]{7,121}[ \t]*\Z")
_CAPITALS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_LONGEST_CAPITALS = 160
_CHUNK = 1 << 16
_LEAST_ROOM = 120
_BLANK_OR_NOT = bytes(32 if chr(code).isspace() else 120 for code in range(128)) + bytes(128)
_WIDE = re.compile("[\u3040-\u9fff]+")


def words(text: str) -> int:
    """How many runs between blanks, without a list of them."""
    if text.isascii():
        marked = text.encode("ascii").translate(_BLANK_OR_NOT)
        return marked.count(b" x") + marked.startswith(b"x")
    total = 0
    for start in range(0, len(text), _CHUNK):
        end = min(start + _CHUNK, len(text))
        total += len(text[start:end].split())
        if end < len(text) and not text[end - 1].isspace() and not text[end].isspace():
            total -= 1
    return total


def told_words(source: Source) -> str:
    """`1234 words`; of a text of which only the head is read, about how many, marked so."""
    if not source.partial:
        return count(words(source.clean), "word")
    number = words(source.head) * len(source.clean) // len(source.head)
    digits = max(0, len(str(number)) - 2)
    return f"~{round(number, -digits)} words"


def headers(text: str) -> list[tuple[str, int]]:
    """The first distinct headers with their lines: marked with `#`, or a line of capitals with a word in it."""
    found: dict[str, int] = {}
    for match in _HEADER.finditer("\n" + text):
        header = (match["marked"] or match["capitals"]).strip()
        if match["capitals"] and not _speaks(header):
            continue
        if header not in found:
            found[header] = text.count("\n", 0, match.start()) + 1
            if len(found) == _MOST_HEADERS:
                break
    return list(found.items())


def capital_headers(lines: list[str]) -> list[tuple[str, int]]:
    """The first distinct lines of capitals with a word in them, and their numbers."""
    found: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if len(line) >= _LONGEST_CAPITALS or line[:1] not in _CAPITALS or not line.isupper():
            continue
        if _IN_CAPITALS.match(line) and _speaks(line):
            found.setdefault(line.rstrip(), number)
    return list(found.items())[:_MOST_HEADERS]


def _speaks(capitals: str) -> bool:
    """Whether a line of capitals is words: not an identifier, a number or a run of one letter."""
    letters = [character for character in capitals if character.isalpha()]
    digits = sum(character.isdigit() for character in capitals)
    return len(letters) >= 4 and len(set(letters)) >= 3 and digits <= len(letters) // 3


def tell(source: Source, facts: Facts) -> str:
    """Size, findings, headers and both ends."""
    told = "mostly Chinese or Japanese" if wide_script(source.clean) else told_words(source)
    facts.say(f"{count(len(source.text), 'character')}, {told}, {count(source.line_index.count, 'line')}")
    say_findings(source, facts)
    say_embedded(source, facts, rank=8)
    found = headers(source.head)
    if found:
        items = [f"{source.number(line)} {one_line(header, 160)}" for header, line in found]
        facts.dense("structure", items, lead="headers: ", rank=12)
        for header, line in found:
            facts.anchor_line(header, line)
    long = source.rules != "openviking" and len(source.clean) > 2 * _room(source)
    say_ends(source, facts, short=long and len(found) < _FEW_HEADERS and tell_course(source, facts, rank=12))
    return ""


def say_ends(source: Source, facts: Facts, *, short: bool = False) -> None:
    """How the text begins and ends, in few words if `short`; exactly 500 characters each under OpenViking's rules."""
    text = source.clean
    if source.rules == "openviking":
        facts.notable("Opening excerpt: " + clip(" ".join(excerpt(text, 0, 500).split()), 500), rank=14)
        facts.ends(ending(text, 500), rank=15, lead="Closing excerpt: ")
        return
    room = _LEAST_ROOM if short else _room(source)
    if len(text) <= 2 * room:
        facts.notable("whole text: " + one_line(text, 2 * room), rank=14)
        return
    facts.notable("begins: " + one_line(text[: room * 2], room), rank=14)
    facts.ends(ending(text, room), rank=15)


def _room(source: Source) -> int:
    return max(_LEAST_ROOM, (source.budget - 400) * 2 // 5)


def wide_script(text: str) -> bool:
    """Whether it is mostly Chinese or Japanese, where words are not what is between blanks."""
    head = text[:2000]
    runs = () if head.isascii() else _WIDE.finditer(head)
    return any(wide > len(head) * 0.2 for wide in accumulate(run.end() - run.start() for run in runs))
