"""Text in pieces: 65,536 code points each, compressed one by one, so that a slice costs its pieces and no more."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import zstandard

from .base import encode

CHUNK_CHARS = 65_536
_NUMBER_BITS = 32
_LEVEL = 3

_local = threading.local()


@dataclass(frozen=True, slots=True)
class Packed:
    """An original ready to be stored: its counts, and for each chunk the newlines before it and its UTF-8 bytes."""

    sha256: str
    chars: int
    bytes: int
    lines: int
    chunks: tuple[tuple[int, bytes], ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece read back: its place in the original, the newlines before it, and its bytes."""

    number: int
    newlines: int
    data: bytes

    @property
    def offset(self) -> int:
        """The code points before it."""
        return self.number * CHUNK_CHARS

    @property
    def text(self) -> str:
        return decode(self.data)


def pack(text: str) -> Packed:
    """Count, hash and cut `text`; compression is left to `compress`, since most texts turn out to be known."""
    digest = hashlib.sha256()
    chunks = []
    size = newlines = 0
    for start in range(0, len(text), CHUNK_CHARS):
        data = encode(text[start:start + CHUNK_CHARS])
        digest.update(data)
        chunks.append((newlines, data))
        size += len(data)
        newlines += data.count(b"\n")
    return Packed(digest.hexdigest(), len(text), size, newlines + 1, tuple(chunks))


def chunk_id(original: int, number: int) -> int:
    """The row of a chunk. Chunks of one original are neighbours in the file."""
    return original << _NUMBER_BITS | number


def read_chunks(connection: sqlite3.Connection, original: int, first: int, last: int) -> Iterator[Chunk]:
    """The chunks numbered `first` to `last`, both included; fewer where the original ends earlier."""
    base = chunk_id(original, 0)
    for row, newlines, body in connection.execute(
        "SELECT id, newlines, body FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id", (base + first, base + last)
    ):
        yield Chunk(row - base, newlines, decompress(body))


def chunk_of_line(connection: sqlite3.Connection, original: int, line: int, count: int) -> int:
    """The number, among `count` chunks, of the one in which the line (from 1) begins, or whose end it follows."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high + 1) // 2
        (newlines,) = connection.execute(
            "SELECT newlines FROM chunks WHERE id = ?", (chunk_id(original, middle),)).fetchone()
        low, high = (middle, high) if newlines < line - 1 else (low, middle - 1)
    return low


def compress(data: bytes) -> bytes:
    """One zstd frame. Compressors are not shared between threads."""
    if not hasattr(_local, "compressor"):
        _local.compressor = zstandard.ZstdCompressor(level=_LEVEL)
    return bytes(_local.compressor.compress(data))


def decompress(frame: bytes) -> bytes:
    """The bytes of a frame. Raises zstandard.ZstdError for a damaged one."""
    if not hasattr(_local, "decompressor"):
        _local.decompressor = zstandard.ZstdDecompressor()
    return bytes(_local.decompressor.decompress(frame))


def decode(data: bytes) -> str:
    """The inverse of `encode`."""
    return data.decode("utf-8", "surrogatepass")
