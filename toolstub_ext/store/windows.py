"""Originals in windows of bounded size, for searching them.

A window is some millions of characters, a chunk more in front as context and some behind as look-ahead. A match belongs
to the window it begins in, so one that crosses chunks is found once and whole; only a regex match of more than 65,536
characters can be cut.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from itertools import accumulate

from .base import encode
from .chunks import decode, read_chunks
from .originals import Original

WINDOW_CHARS = 1 << 22


class Window:
    """Consecutive chunks as bytes. Matches that begin before `end` count; the next window begins at `next_offset`."""

    def __init__(self, chunk_chars: int, first: int, parts: list[bytes], inside: int) -> None:
        self.data = parts[0] if len(parts) == 1 else b"".join(parts)
        self._chunk_chars = chunk_chars
        self._first = first
        self._starts = list(accumulate(map(len, parts), initial=0))
        whole = inside >= len(parts)
        self.end = len(self.data) + 1 if whole else self._starts[inside]
        self.next_offset = None if whole else (first + inside) * chunk_chars
        self._known = (0, first * chunk_chars)

    def byte_of(self, offset: int) -> int:
        """Where the code point `offset`, counted in the original, begins."""
        number, within = divmod(offset, self._chunk_chars)
        index = number - self._first
        if index >= len(self._starts) - 1:
            return len(self.data)
        start = self._starts[index]
        return start + len(encode(decode(self.data[start:self._starts[index + 1]])[:within])) if within else start

    def offset_of(self, byte: int) -> int:
        """The inverse of `byte_of`; cheap if asked in rising order."""
        index = min(bisect_right(self._starts, byte), len(self._starts) - 1) - 1
        chunk = (self._starts[index], (self._first + index) * self._chunk_chars)
        start, offset = max(chunk, self._known) if self._known[0] <= byte else chunk
        offset += len(decode(self.data[start:byte]))
        self._known = (byte, offset)
        return offset


class Windows:
    """Reads windows and counts their bytes; the last one is kept, for a query that is tried in several forms."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.bytes_read = 0
        self._connection = connection
        self._last: tuple[int, int, Window] | None = None
        self._offered = (0, b"")

    def offer(self, original: Original, data: bytes) -> None:
        """Take the only chunk of an original, which was read already."""
        self._offered = (original.id, data)

    def read(self, original: Original, offset: int, lookahead: int) -> Window:
        """The window of the chunk that holds `offset`, and `lookahead` more characters."""
        number = offset // original.chunk_chars
        if self._last is not None and self._last[:2] == (original.id, number):
            return self._last[2]
        if self._offered[0] == original.id:
            return self._keep(original, number, Window(original.chunk_chars, 0, [self._offered[1]], 1))
        first = max(0, number - 1)
        inside = number - first + WINDOW_CHARS // original.chunk_chars
        last = min(first + inside - (-lookahead // original.chunk_chars), original.chunks) - 1
        parts = [chunk.data for chunk in read_chunks(self._connection, original.id, first, last)]
        self.bytes_read += sum(map(len, parts))
        return self._keep(original, number, Window(original.chunk_chars, first, parts, inside))

    def _keep(self, original: Original, number: int, window: Window) -> Window:
        self._last = (original.id, number, window)
        return window
