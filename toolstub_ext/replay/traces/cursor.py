"""A place in a JSON text of which a window is in memory, so that a document may be of any size."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, TextIO

CHUNK = 1 << 20
"""Characters read at once."""
LONGEST = 64 * CHUNK
"""Characters of one value that is decoded whole, and of one line: more than any API takes in a request."""

_OPEN = 3
"""So many characters behind a number say that it has ended: `1` may go on as `1e+2`."""
_BLANKS = " \t\r\n"
_decode = json.JSONDecoder().raw_decode


class Malformed(ValueError):
    """JSON that cannot be read on; `line` is where, from 1."""

    def __init__(self, line: int, expected: str) -> None:
        super().__init__(expected)
        self.line = line


class Cursor:
    """Goes through a document once, from its beginning. All that reads on raises Malformed."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._window = ""
        self._at = 0
        self._chars_before = 0
        self._lines_before = 0
        self._ended = False

    @property
    def line(self) -> int:
        """The line it is in."""
        return self._line_of(self._at)

    @property
    def passed(self) -> int:
        """The characters it has passed."""
        return self._chars_before + self._at

    def peek(self) -> str:
        """The next character that is no blank; nothing at the end."""
        while True:
            while self._at < len(self._window) and self._window[self._at] in _BLANKS:
                self._at += 1
            if self._at < len(self._window) or not self._more(CHUNK):
                return self._window[self._at:self._at + 1]

    def items(self) -> Iterator[None]:
        """Stops at each item of the array that is next; the item is to be read before it goes on."""
        self._take()
        while self.peek() != "]":
            yield
            self._separate("]", "array")
        self._take()

    def members(self) -> Iterator[str]:
        """Stops at each value of the object that is next, and says its name; the value is to be read."""
        self._take()
        while self.peek() == '"':
            name: str = self.value()
            if self.peek() != ":":
                raise Malformed(self.line, "a colon expected")
            self._take()
            yield name
            self._separate("}", "object")
        if self.peek() != "}":
            raise Malformed(self.line, "a name in double quotes or the end of the object expected")
        self._take()

    def small(self) -> tuple[Any] | None:
        """The next value if it is whole within a chunk; else None, and it is still the next."""
        self.peek()
        while len(self._window) - self._at < CHUNK and self._more(CHUNK):
            pass
        try:
            value, end = self._decoded()
        except json.JSONDecodeError:
            return None
        if end + _OPEN > len(self._window) and not self._ended:
            return None
        self._at = end
        return (value,)

    def value(self) -> Any:
        """The next value. The window grows to twice its size until it holds it."""
        self.peek()
        while True:
            try:
                value, end = self._decoded()
            except json.JSONDecodeError as error:
                reason, broken = error.msg, error.pos
            else:
                if end + _OPEN <= len(self._window) or not self._more(CHUNK):
                    self._at = end
                    return value
                continue
            held = len(self._window) - self._at
            if held > LONGEST:
                raise Malformed(self.line, f"a value of at most {LONGEST:,} characters expected")
            if not self._more(max(CHUNK, held)):
                raise Malformed(self._line_of(max(broken, self._at)), f"JSON expected: {reason}")

    def _decoded(self) -> tuple[Any, int]:
        """The next value and where it ends in the window. Raises JSONDecodeError also if the window ends in it."""
        try:
            return _decode(self._window, self._at)
        except RecursionError:
            raise Malformed(self.line, "JSON that is nested less deeply expected") from None
        except json.JSONDecodeError:
            raise
        except ValueError:
            raise Malformed(self.line, f"numbers of at most {sys.get_int_max_str_digits():,} digits expected") from None

    def _take(self) -> None:
        """Go behind the next character."""
        self._at += 1

    def _separate(self, end: str, what: str) -> None:
        """Go behind a comma, or to the end."""
        if self.peek() == ",":
            self._take()
        elif self.peek() != end:
            raise Malformed(self.line, f"a comma or the end of the {what} expected")

    def _line_of(self, place: int) -> int:
        return 1 + self._lines_before + self._window.count("\n", 0, place)

    def _more(self, size: int) -> bool:
        """Read on; what lies behind is forgotten."""
        read = "" if self._ended else self._file.read(size)
        self._ended = not read
        if read:
            self._lines_before += self._window.count("\n", 0, self._at)
            self._chars_before += self._at
            self._window = self._window[self._at:] + read
            self._at = 0
        return bool(read)
