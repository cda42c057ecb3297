"""The elements of one array in a JSON document, one at a time: a log of any size is never in memory as a whole.

    elements(file, ("log", "entries"))      {"log": {"version": "1.2", "entries": [ {...}, {...} ]}}

Only what stands in front of the array, and each element, is decoded; what follows the array is not looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

CHUNK = 1 << 20
"""Characters read at once."""
LONGEST = 256 * CHUNK
"""Characters of one value; a longer one is not what is looked for."""

_OPEN = 3
"""So many characters behind a number say that it has ended: `1` may go on as `1e+2`."""
_BLANKS = " \t\r\n"
_decode = json.JSONDecoder().raw_decode


class Malformed(ValueError):
    """JSON that cannot be read on; `line` is where, from 1."""

    def __init__(self, line: int, expected: str) -> None:
        super().__init__(expected)
        self.line = line


def elements(file: TextIO, path: Sequence[str]) -> Iterator[Any]:
    """The elements of the array that the members `path` lead to; nothing if there is none.

    Raises Malformed behind the last element that could be read.
    """
    cursor = _Cursor(file)
    for name in path:
        if cursor.peek() != "{" or not _enter(cursor, name):
            return
    if cursor.peek() != "[":
        return
    cursor.take()
    while cursor.peek() != "]":
        yield cursor.value()
        if cursor.peek() == ",":
            cursor.take()
        elif cursor.peek() != "]":
            raise Malformed(cursor.line, "a comma or the end of the array expected")


def _enter(cursor: _Cursor, name: str) -> bool:
    """Go to the value of a member; the values in front of it are passed over."""
    cursor.take()
    while cursor.peek() == '"':
        found = cursor.value() == name
        if cursor.peek() != ":":
            raise Malformed(cursor.line, "a colon expected")
        cursor.take()
        if found:
            return True
        cursor.value()
        if cursor.peek() == ",":
            cursor.take()
    return False


class _Cursor:
    """A place in a JSON text of which a window is in memory."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._window = ""
        self._at = 0
        self._lines_before = 0
        self._ended = False

    @property
    def line(self) -> int:
        """The line it is in."""
        return 1 + self._lines_before + self._window.count("\n", 0, self._at)

    def peek(self) -> str:
        """The next character that is no blank; nothing at the end."""
        while True:
            while self._at < len(self._window) and self._window[self._at] in _BLANKS:
                self._at += 1
            if self._at < len(self._window) or not self._more(CHUNK):
                return self._window[self._at:self._at + 1]

    def take(self) -> None:
        """Go behind the next character."""
        self._at += 1

    def value(self) -> Any:
        """The next value. The window grows to twice its size until it holds it."""
        self.peek()
        while True:
            try:
                value, end = _decode(self._window, self._at)
            except json.JSONDecodeError as error:
                reason, broken = error.msg, error.pos
            except RecursionError:
                raise Malformed(self.line, "JSON that is nested less deeply expected") from None
            else:
                if end + _OPEN <= len(self._window) or not self._more(CHUNK):
                    self._at = end
                    return value
                continue
            held = len(self._window) - self._at
            if held > LONGEST or not self._more(max(CHUNK, held)):
                line = 1 + self._lines_before + self._window.count("\n", 0, max(broken, self._at))
                raise Malformed(line, f"JSON expected: {reason}")

    def _more(self, size: int) -> bool:
        """Read on; what lies behind is forgotten."""
        read = "" if self._ended else self._file.read(size)
        self._ended = not read
        if read:
            self._lines_before += self._window.count("\n", 0, self._at)
            self._window = self._window[self._at:] + read
            self._at = 0
        return bool(read)
