"""A JSON document of any size, of which never more than a part is in memory.

    outline(file)                           what it is: the document, with long arrays cut short
    elements(file, ("log", "entries"))      {"log": {"version": "1.2", "entries": [ {...}, {...} ]}}

The elements of an array come one at a time; what follows the array is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TextIO

from .cursor import Cursor, Malformed

ITEMS_KEPT = 4 << 20
"""Characters of an array that an outline keeps."""
MEMBERS_KEPT = 4 * ITEMS_KEPT
"""Characters of an object that it keeps: what stands behind a long array in it is kept, too."""


def elements(file: TextIO, path: Sequence[str]) -> Iterator[Any]:
    """The elements of the array that the members `path` lead to; nothing if there is none.

    Raises Malformed behind the last element that could be read.
    """
    cursor = Cursor(file)
    for name in path:
        if cursor.peek() != "{" or not _enter(cursor, name):
            return
    if cursor.peek() == "[":
        for _ in cursor.items():
            yield cursor.value()


@dataclass(frozen=True, slots=True)
class Outline:
    """What a file holds first: `value` as far as it can be read, and in `fault` why not further.

    Of an array that is longer than that, the first `ITEMS_KEPT` characters are in it, of an object the first
    `MEMBERS_KEPT`; what was cut in a member does not count. It begins in line `first` and ends in `last`, counted from
    1; `more` says whether something stands behind it.
    """

    value: Any
    fault: Malformed | None
    first: int
    last: int
    more: bool


def outline(file: TextIO) -> Outline:
    """The outline of the first value of a file."""
    cursor = Cursor(file)
    cursor.peek()
    first, found = cursor.line, list[Any]()
    fault = None
    try:
        _keep(cursor, found.append)
    except Malformed as malformed:
        fault = malformed
    except RecursionError:
        fault = Malformed(cursor.line, "JSON that is nested less deeply expected")
    last = fault.line if fault else cursor.line
    return Outline(next(iter(found), None), fault, first, last, more=bool(cursor.peek()))


def _enter(cursor: Cursor, name: str) -> bool:
    """Go to the value of a member; the values in front of it are passed over."""
    for found in cursor.members():
        if found == name:
            return True
        _pass(cursor)
    return False


def _keep(cursor: Cursor, keep: Callable[[Any], None]) -> int:
    """Read the next value and give it to `keep` as soon as it has begun; how many characters of it are kept.

    What is larger than a chunk is entered, so that whatever is in it is never in memory together.
    """
    began, kept, what = cursor.passed, 0, cursor.peek()
    if small := cursor.small():
        keep(small[0])
    elif what == "[":
        items: list[Any] = []
        keep(items)
        for _ in cursor.items():
            kept += _keep(cursor, items.append) if kept < ITEMS_KEPT else _pass(cursor)
        return kept
    elif what == "{":
        members: dict[str, Any] = {}
        keep(members)
        for name in cursor.members():
            kept += _keep(cursor, partial(members.__setitem__, name)) if kept < MEMBERS_KEPT else _pass(cursor)
        return kept
    else:
        keep(cursor.value())
    return cursor.passed - began


def _pass(cursor: Cursor) -> int:
    """Read the next value and keep nothing of it."""
    _keep(cursor, lambda _: None)
    return 0
