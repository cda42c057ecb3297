"""Content encodings, undone within a bound: a few kilobytes of gzip can hold gigabytes."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from io import BytesIO
from typing import Any

import zstandard

DECODED_BYTES = 256 * 1024 * 1024
"""The largest body that is decoded in order to be read."""

brotli: Any = None
"""The library, which comes with mitmproxy; without it a body in that encoding passes as it is."""
with suppress(ImportError):
    brotli = import_module("brotli")

_BROTLI_BYTES = 16
"""So few are decoded at once, because up to 16 MB come out of a handful, and not every version can be told to stop."""
_DEFLATE_BYTES = 16 * 1024
"""The same for deflate, from which a thousand times as much comes out; and what is behind a member is copied."""
_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32
_GZIP_BEGINS = 0x1F
_METHOD, _ZLIB_METHOD = 0x0F, 8
"""The bits of the first byte that name the method in the header of zlib, and the only one there is."""


def decoded(body: bytes, encoding: str, limit: int = DECODED_BYTES) -> bytes | None:
    """`body` without its content encoding, or None if that cannot be undone, or only to more than `limit` bytes."""
    match encoding.strip().lower():
        case "" | "identity":
            return body
        case "gzip" | "x-gzip" | "deflate":
            return _inflated(body, limit)
        case "zstd":
            return _unzstd(body, limit)
        case "br":
            return _unbrotli(body, limit)
        case _:
            return None


def undoing(encoding: str) -> Callable[[bytes], bytes] | None:
    """What undoes an encoding piece by piece, as a stream comes, or None for one that cannot be undone.

    It raises ValueError for what is not in this encoding.
    """
    match encoding.strip().lower():
        case "" | "identity":
            return bytes
        case "gzip" | "x-gzip" | "deflate":
            return _as_value_error(_Inflating().decompress, zlib.error)
        case "zstd":
            return _as_value_error(
                zstandard.ZstdDecompressor().decompressobj(read_across_frames=True).decompress, zstandard.ZstdError)
        case "br" if brotli is not None:
            return _as_value_error(brotli.Decompressor().process, brotli.error)
        case _:
            return None


def _as_value_error(undo: Callable[[bytes], bytes], error: type[Exception]) -> Callable[[bytes], bytes]:
    """The same, which raises ValueError in place of the library's own `error`."""
    def undone(piece: bytes) -> bytes:
        try:
            return undo(piece)
        except error as fault:
            raise ValueError(str(fault)) from fault

    return undone


class _Inflating:
    """Undoes gzip, in one member or several, and both meanings of deflate: with the header of zlib, and without."""

    def __init__(self) -> None:
        self._stream: Any = None
        self._behind = b""

    @property
    def is_finished(self) -> bool:
        """Whether all of it was there, and nothing else."""
        return self._stream is not None and self._stream.eof and not self._behind

    def decompress(self, piece: bytes) -> bytes:
        """What there is in the next piece. Raises zlib.error."""
        plain = b""
        while piece and (self._stream is None or not self._stream.eof or piece[0] == _GZIP_BEGINS):
            if self._stream is None or self._stream.eof:
                headed = piece[0] == _GZIP_BEGINS or piece[0] & _METHOD == _ZLIB_METHOD
                self._stream = zlib.decompressobj(_GZIP_OR_ZLIB if headed else -zlib.MAX_WBITS)
            plain += self._stream.decompress(piece)
            piece = self._stream.unused_data
        self._behind = self._behind or piece
        return plain


def _inflated(body: bytes, limit: int) -> bytes | None:
    stream = _Inflating()
    plain = _together(stream.decompress, body, _DEFLATE_BYTES, zlib.error, limit)
    return plain if stream.is_finished else None


def _together(undo: Callable[[bytes], bytes], body: bytes, size: int, error: type[Exception],
              limit: int) -> bytes | None:
    """What there is in all pieces of a `size`, or None if there is an error or more than `limit` bytes."""
    pieces, length = [], 0
    try:
        for at in range(0, len(body), size):
            pieces.append(undo(body[at:at + size]))
            length += len(pieces[-1])
            if length > limit:
                return None
    except error:
        return None
    return b"".join(pieces)


def _unzstd(body: bytes, limit: int) -> bytes | None:
    try:
        with zstandard.ZstdDecompressor().stream_reader(BytesIO(body), read_across_frames=True) as stream:
            plain = stream.read(limit + 1)
    except zstandard.ZstdError:
        return None
    return plain if len(plain) <= limit else None


def _unbrotli(body: bytes, limit: int) -> bytes | None:
    if brotli is None:
        return None
    stream = brotli.Decompressor()
    plain = _together(stream.process, body, _BROTLI_BYTES, brotli.error, limit)
    return plain if plain is not None and stream.is_finished() else None
