"""Text in pieces, compressed one by one, so that a slice costs its pieces and no more.

Up to 65,536 code points are one piece: most originals, which are then read and searched whole. Longer ones are cut into
smaller pieces, since what is read of them is short; they are as large as they can be without memory having to be asked
from the system, and given back to it, for each.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import zstandard

from ..errors import StoreError
from .base import encode

WHOLE_CHARS = 65_536
CHUNK_CHARS = 24_576
NUMBER_BITS = 32
_LEVEL = 1
_AT_ONCE = "multi_compress_to_buffer" in zstandard.backend_features
"""Not everywhere does the library take several chunks at once."""


class _Local(threading.local):
    """A compressor and a decompressor for each thread; neither can be shared."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self.decompressor = zstandard.ZstdDecompressor()


_local = _Local()


@dataclass(frozen=True, slots=True)
class Packed:
    """An original ready to be stored: its counts, and for each chunk the newlines before it and its UTF-8 bytes."""

    sha256: str
    chars: int
    size: int
    lines: int
    chunk_chars: int
    chunks: tuple[tuple[int, bytes], ...]

    def frames(self) -> list[bytes]:
        """All chunks, compressed: done before the write lock is taken, and not at all for a text that is known.

        They are handed over all at once, since a thread that comes back for each waits each time for its turn."""
        if len(self.chunks) <= 1 or not _AT_ONCE:
            return [compress(data) for _, data in self.chunks]
        frames = _local.compressor.multi_compress_to_buffer([data for _, data in self.chunks])
        return [frames[number].tobytes() for number in range(len(frames))]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece read back: its number in the original, the newlines before it, and its UTF-8 bytes."""

    number: int
    newlines: int
    data: bytes


def pack(text: str) -> Packed:
    """Cut, count and hash `text` in one pass."""
    digest = hashlib.sha256()
    chunks = []
    size = newlines = 0
    chunk_chars = WHOLE_CHARS if len(text) <= WHOLE_CHARS else CHUNK_CHARS
    for start in range(0, len(text), chunk_chars):
        data = encode(text[start:start + chunk_chars])
        digest.update(data)
        chunks.append((newlines, data))
        size += len(data)
        if b"\n" in data:  # to see that there is none takes a tenth of the time of counting none
            newlines += data.count(b"\n")
    unended = bool(text) and not text.endswith("\n")
    return Packed(digest.hexdigest(), len(text), size, newlines + unended, chunk_chars, tuple(chunks))


def chunk_id(original: int, number: int) -> int:
    """The row of a chunk. Chunks of one original are neighbours in the file."""
    return original << NUMBER_BITS | number


def read_chunks(connection: sqlite3.Connection, original: int, first: int, last: int) -> Iterator[Chunk]:
    """The chunks numbered `first` to `last`, both included. Raises StoreError if one is missing or damaged."""
    expected = first
    for row, newlines, frame in connection.execute(
        "SELECT id, newlines, body FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id",
        (chunk_id(original, first), chunk_id(original, last)),
    ):
        if row != chunk_id(original, expected):
            break
        yield Chunk(expected, newlines, decompress(frame))
        expected += 1
    if expected <= last:
        raise StoreError(f"chunk {expected} of an original is missing; `toolstub verify` says of which")


def chunk_before_line(connection: sqlite3.Connection, original: int, line: int, count: int) -> int:
    """The number, of `count` chunks, of the one that holds the newline in front of `line` (from 2)."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high + 1) // 2
        (newlines,) = connection.execute(
            "SELECT newlines FROM chunks WHERE id = ?", (chunk_id(original, middle),)).fetchone() or (0,)
        low, high = (middle, high) if newlines < line - 1 else (low, middle - 1)
    return low


def compress(data: bytes) -> bytes:
    """One zstd frame with a checksum."""
    frame: bytes = _local.compressor.compress(data)
    return frame


def decompress(frame: bytes) -> bytes:
    """The bytes of a frame. Raises StoreError for a damaged one."""
    try:
        data: bytes = _local.decompressor.decompress(frame)
    except (zstandard.ZstdError, TypeError) as error:  # a frame that is no blob is damaged too
        raise StoreError(f"a stored chunk is damaged ({error}); `toolstub verify` says of which original") from error
    return data


def decode(data: bytes) -> str:
    """The inverse of `encode`."""
    return data.decode("utf-8", "surrogatepass")
