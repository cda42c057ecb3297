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
            return _as_value_error(_inflating(), zlib.error)
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


def _inflating() -> Callable[[bytes], bytes]:
    """Undoes gzip, in one member or several, and both meanings of deflate: with the header of zlib, and without."""
    stream: Any = None

    def undone(piece: bytes) -> bytes:
        nonlocal stream
        plain = b""
        while piece and (stream is None or not stream.eof or piece[0] == _GZIP_BEGINS):
            if stream is None or stream.eof:
                headed = piece[0] == _GZIP_BEGINS or piece[0] & _METHOD == _ZLIB_METHOD
                stream = zlib.decompressobj(_GZIP_OR_ZLIB if headed else -zlib.MAX_WBITS)
            plain += stream.decompress(piece)
            piece = stream.unused_data
        return plain

    return undone


def _inflated(body: bytes, limit: int) -> bytes | None:
    for window in (_GZIP_OR_ZLIB, -zlib.MAX_WBITS):
        stream = zlib.decompressobj(window)
        try:
            plain = stream.decompress(body, limit)
        except zlib.error:
            continue
        return plain if stream.eof and not stream.unused_data else None
    return None


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
    stream, pieces, size = brotli.Decompressor(), [], 0
    try:
        for at in range(0, len(body), _BROTLI_BYTES):
            pieces.append(stream.process(body[at:at + _BROTLI_BYTES]))
            size += len(pieces[-1])
            if size > limit:
                return None
    except brotli.error:
        return None
    return b"".join(pieces) if stream.is_finished() else None
