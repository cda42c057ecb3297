"""Reading a part of an original: by offset, by lines, or by JSON pointer."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import replace

from .base import Slice
from .chunks import Chunk, chunk_before_line, decode, read_chunks
from .originals import Original
from .pointer import find_value

Reader = Callable[[sqlite3.Connection, int, int, int], Iterable[Chunk]]
"""`read_chunks`, or something that remembers what it read."""

_LINES = re.compile(r"\s*([0-9]{0,100})\s*(?:(:)\s*([0-9]{0,100})\s*)?")


def read_slice(connection: sqlite3.Connection, original: Original, *, offset: int, limit: int,
               lines: str | None, pointer: str | None) -> Slice:
    """The part that was asked for. Raises ValueError, in one line, for a request that makes no sense."""
    if limit < -1:
        raise ValueError(f"limit is {limit}; give a number of characters, or -1 to read to the end")
    if lines is not None and pointer is not None:
        raise ValueError("give lines or pointer, not both")
    if lines is not None:
        return _read_lines(connection, original, *parse_lines(lines), limit)
    if pointer is not None:
        start, end = find_value(read_span(connection, original, 0, original.chars).text, pointer)
        return read_span(connection, original, start, _limited(end - start, limit))
    if offset < 0:
        return Slice("", offset, original.chars, 1, original.lines, 0 if original.chars else None)
    return read_span(connection, original, offset, _limited(original.chars - offset, limit))


def read_span(connection: sqlite3.Connection, original: Original, offset: int, length: int,
              reader: Reader = read_chunks) -> Slice:
    """`length` code points from `offset`, or as many as there are; an empty slice says on which line it stands."""
    if offset >= original.chars:
        return Slice("", offset, original.chars, max(1, original.lines), original.lines, None)
    end = min(offset + length, original.chars)
    first = offset // original.chunk_chars
    chunks = list(reader(connection, original.id, first, max(first, (end - 1) // original.chunk_chars)))
    text = "".join([decode(chunk.data) for chunk in chunks])
    start = offset - first * original.chunk_chars
    return Slice(text=text[start:start + end - offset], offset=offset, total_chars=original.chars,
                 first_line=chunks[0].newlines + text.count("\n", 0, start) + 1, total_lines=original.lines,
                 next_offset=end if end < original.chars else None)


def parse_lines(lines: str) -> tuple[int, int | None]:
    """The first and last line of "A:B", "A:", ":B" or "A"; None for an open end."""
    match = _LINES.fullmatch(lines)
    if match is None or not any(match.groups()):
        raise ValueError(f"lines is {lines[:40]!r}; write it as 'A:B', 'A:', ':B' or 'A', counting from 1")
    first = int(match[1] or 1)
    last = int(match[3]) if match[3] else None if match[2] else first
    if first == 0 or last == 0:
        raise ValueError(f"lines is {lines[:40]!r}, but lines count from 1")
    if last is not None and last < first:
        raise ValueError(f"lines is {lines[:40]!r}, which ends before it begins")
    return first, last


def _read_lines(connection: sqlite3.Connection, original: Original, first: int, last: int | None, limit: int) -> Slice:
    """Whole lines without the newline behind the last of them; `next_offset` is then the line after it."""
    if first > original.lines:
        return read_span(connection, original, original.chars, 0)
    start = _start_of(connection, original, first)
    if last is None:
        return read_span(connection, original, start, _limited(original.chars - start, limit))
    after = _start_of(connection, original, last + 1) if last < original.lines else original.chars
    part = read_span(connection, original, start, _limited(after - start, limit))
    if len(part.text) < after - start:
        return part
    return replace(part, text=part.text.removesuffix("\n"), next_offset=after if after < original.chars else None)


def _start_of(connection: sqlite3.Connection, original: Original, line: int) -> int:
    if line == 1:
        return 0
    number = chunk_before_line(connection, original.id, line, original.chunks)
    (chunk,) = read_chunks(connection, original.id, number, number)
    text = decode(chunk.data)
    rest = text.split("\n", line - 1 - chunk.newlines)[-1]
    return number * original.chunk_chars + len(text) - len(rest)


def _limited(length: int, limit: int) -> int:
    return max(0, length if limit == -1 else min(length, limit))
