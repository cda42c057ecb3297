"""What stands in the first column of YAML behind the part that is followed, and how much is under it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ..model import Source
from ..patterns import Pattern
from .document import LONG, Branch, named

_MOST = 120
_KEY = Pattern(
    r"\n(?P<key>[\w.$/@][^\n:#]{0,120}|-(?! )[^\n:#]{0,120}|\"[^\"\n]{1,120}\"):(?=[ \n])(?P<value>[^\n]*)"
)  # fmt: skip
_COUNTED = Pattern(r"\n(?:[\w.$/@][^\n:#]{0,120}|-(?! )[^\n:#]{0,120}|\"[^\"\n]{1,120}\"):(?=[ \n])")
_NAME = Pattern(r"(?P<key>[\w.$/@*<{-][^\n:#]{0,80}|\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'):(?=[ \n])")
_BLANK = Pattern(r"(?:[ \t]*(?:#[^\n]*)?\n|(?!))*+")
_FIRST = Pattern(r"(?P<indent> *)(?P<item>-(?=[ \n]))?")
_NO_KEY = " #-}]?\n\t"
_NAMED = 5


def far_keys(source: Source, start: int, last: Branch) -> tuple[list[Branch], int]:
    """The first keys in the first column behind `start`, and how many there are; `last` is the key before them."""
    text = source.clean
    before, end = [last], source.clean_index.end_of(last.line)
    counted = max(0, start - 1)
    line = source.clean_index.line_of(counted)
    for match in islice(_KEY.finditer(text, counted), _MOST):
        before[-1].size = _under(text, end, match.start() + 1)
        line += text.count("\n", counted, match.start("key"))
        counted, end = match.start("key"), match.end()
        before.append(Branch(match["key"].strip("\"'"), line, _value(match["value"])))
    found = before[1:]
    if len(found) == _MOST:
        return found, _MOST + len(_COUNTED.findall(text, end))
    before[-1].size = _under(text, end, len(text))
    return found, len(found)


def far_items(source: Source, start: int) -> int:
    """How many items begin in the first column behind the part that was followed."""
    return source.clean.count("\n- ", max(0, start - 1)) + source.clean.count("\n-\n", max(0, start - 1))


def _value(written: str) -> str:
    """A value that stands behind its key; empty where it is below."""
    value = written.partition(" #")[0].strip()
    if value[:1] in ("|", ">"):
        return "string"
    return value if len(value) <= LONG else f"string {len(value)}"


def _under(text: str, start: int, end: int) -> str:
    """`list ~84`, `object ~3`: how many lines stand where the first one below a key does, between the two offsets."""
    blank = _BLANK.match(text, start + 1, end)
    first = _FIRST.match(text, blank.end() if blank else start + 1, end)
    if not first or first.end() >= end:
        return ""
    indent = "\n" + first["indent"]
    if first["item"]:
        items = text.count(indent + "- ", start, end) + text.count(indent + "-\n", start, end)
        return f"list ~{items}"
    if len(indent) == 1:
        return ""
    size = text.count(indent, start, end) - sum([text.count(indent + no, start, end) for no in _NO_KEY])
    return f"object ~{size}{named([*islice(_names(text, indent, start, end), _NAMED)], size)}"


def _names(text: str, indent: str, start: int, end: int) -> Iterator[str]:
    """The keys behind this much of blanks."""
    at = text.find(indent, start, end)
    while at >= 0:
        key = _NAME.match(text, at + len(indent), end)
        if key:
            yield key["key"].strip("\"'")
        at = text.find(indent, at + 1, end)
