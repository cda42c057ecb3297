"""A dump of bytes as `xxd`, `hexdump` and `od` print it: how many, of what, and the strings in it with their lines.

00000000: 8950 4e47 0d0a 1a0a 0000 000d 4948 4452  .PNG........IHDR
00000010  00 00 00 64 00 00 00 64  08 06 00 00 00 70 e2 95  |...d...d.....p..|
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..facts import Facts
from ..look import look
from ..magic import named
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .shape import Shape

_LINE = Pattern(r"(?P<at>[0-9a-fA-F]{4,16})(?P<colon>:?) {1,3}(?P<bytes>[0-9a-fA-F]{2}.{0,400})")
_CHARACTERS = Pattern(
    r"(?P<at>[0-7]{7})(?P<cells>(?: {3}[ -~]| {2}\\[0abtnvfr]| [0-7]{3}| {2}\*\*| {3}[^\x00-\x7f]){1,16})\s*$"
)
_ESCAPED = {"0": 0, "a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_CELL, _OCTAL_CELL = 4, 3
_END = Pattern(r"(?:\*|[0-9a-fA-F]{4,16}:?)$")
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
_SHARE = 0.9
_LEAST_LINES = 4
_PRINTABLE = re.compile(rb"[\x20-\x7e]{6,200}")
_SPEAKS = re.compile(rb"[A-Za-z]{4}")
_LONGEST = 60
_MOST_ANCHORS = 24
_OCTAL_DIGITS = 6
_OCTAL = frozenset("01234567")
_WORD_DIGITS = 4


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the dump: its number, where its bytes stand in what was dumped, and the bytes."""

    line: int
    at: int
    data: bytes


def _score(source: Source) -> float:
    lines = look(source).lines
    if len(lines) < _LEAST_LINES or not _HEXADECIMAL.issuperset(lines[0][:4]):
        return 0.0
    if not any(map(_row, lines[: 4 * _LEAST_LINES])):
        return 0.0
    known = sum(1 for line in lines if _row(line) or _END.match(line))
    return 0.95 if known >= _SHARE * len(lines) and _rows(lines[: 4 * _LEAST_LINES]) else 0.0


def _row(line: str) -> re.Match[str] | None:
    """The parts of a line with bytes in any of the forms."""
    return _CHARACTERS.match(line) or _LINE.match(line)


def _rows(lines: list[str]) -> list[_Row]:
    """The rows, if their places go up by as much as they hold; else none."""
    found = [(number, match) for number, line in enumerate(lines, 1) if (match := _row(line))]
    data = [_data(match) for _, match in found]
    for base in (16, 8):
        if base == 8 and any("8" in match["at"] or not match["at"].isdigit() for _, match in found):
            break
        starts = [int(match["at"], base) if base == 16 or "9" not in match["at"] else -1 for _, match in found]
        steps = [(start + len(held), after) for start, held, after in zip(starts, data, starts[1:]) if held]
        if len(steps) >= 2 and sum(1 for behind, after in steps if behind == after) >= _SHARE * len(steps) - 1:
            return [_Row(number, at, held) for (number, _), at, held in zip(found, starts, data) if held]
    return []


def _data(match: re.Match[str]) -> bytes:
    """The bytes of a line, in the order of the file: words without a colon in front are of the other byte order."""
    if match.lastgroup == "cells":
        cells = match["cells"]
        return bytes(_byte(cells[place : place + _CELL].strip() or " ") for place in range(0, len(cells), _CELL))
    body = match["bytes"]
    for frame in ("  ",) if match["colon"] else ("|", ">"):
        body = body.partition(frame)[0]
    words = body.split()
    digits, lengths = "".join(words), {*map(len, words)}
    if not _HEXADECIMAL.issuperset(digits) or any(length % 2 for length in lengths):
        return b""
    if lengths == {_OCTAL_DIGITS}:
        if not _OCTAL.issuperset(digits):
            return b""
        return b"".join((int(word, 8) & 0xFFFF).to_bytes(2, "little") for word in words)
    if not match["colon"] and lengths == {_WORD_DIGITS}:
        return b"".join(bytes.fromhex(word)[::-1] for word in words)
    return bytes.fromhex(digits)


def _byte(cell: str) -> int:
    """What `od -c` prints as a character, an escape or three digits; of letters of several bytes only that they are."""
    if len(cell) == _OCTAL_CELL:
        return int(cell, 8) & 0xFF
    return _ESCAPED[cell[1]] if cell[0] == "\\" and len(cell) > 1 else min(ord(cell[0]), 0xFF)


def _tell(source: Source, facts: Facts) -> str:
    rows = _rows(source.lines)
    if not rows:
        raise ValueError("its lines are no rows to their ends")
    data = b"".join(row.data for row in rows)
    first, wide = rows[0].at, len(rows[0].data)
    size = count(rows[-1].at + len(rows[-1].data) - first, "byte")
    what = None if first else named(data[:32].decode("latin-1"))
    facts.say(
        f"hex dump of {size}{f' from byte {first}' if first else ''}{source.part}"
        f", {count(source.line_index.count, 'line')}{': ' + what if what else ''}"
    )
    if all(row.at - first == wide * (row.line - rows[0].line) for row in rows):
        facts.say(f"{wide} bytes a line: byte N is on line N / {wide} + {rows[0].line - first // wide}", rank=2)
    facts.say(f"{count(data.count(0), 'byte')} zero{source.part}", rank=9)
    strings = _strings(rows, data)
    facts.dense(
        "notable",
        strings,
        rank=4,
        share=0.8,
        lead="strings: ",
        of_head=True,
        tell=lambda pair: f"{source.number(pair[0])} {one_line(pair[1], _LONGEST)}",
    )
    for line, text in strings[:_MOST_ANCHORS]:
        facts.anchor_line(text, line)
    facts.anchor_line("first line", rows[0].line)
    facts.sample("\n".join(line.rstrip() for line in source.lines[:4]), 400)
    return ""


def _strings(rows: list[_Row], data: bytes) -> list[tuple[int, str]]:
    """What can be read in the bytes, with the line that it begins on."""
    lines: list[int] = []
    for row in rows:
        lines += [row.line] * len(row.data)
    found = _PRINTABLE.finditer(data)
    return [(lines[each.start()], each[0].decode("ascii")) for each in found if _SPEAKS.search(each[0])]


shape = Shape("hexdump", _score, _tell, early=True)
