"""Content encodings are undone exactly, within a bound, or not at all."""

from __future__ import annotations

import gzip
import zlib

import pytest
import zstandard

from toolstub_proxy.encodings import decoded, undoing

TEXT = b'{"messages": []}' * 100


def _raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return stream.compress(data) + stream.flush()


@pytest.mark.parametrize(("encoding", "body"), [
    ("", TEXT), ("identity", TEXT), ("gzip", gzip.compress(TEXT)), (" GZIP ", gzip.compress(TEXT)),
    ("deflate", zlib.compress(TEXT)), ("deflate", _raw_deflate(TEXT)), ("zstd", zstandard.compress(TEXT)),
    ("gzip", gzip.compress(TEXT[:90]) + gzip.compress(TEXT[90:])),
    ("zstd", zstandard.compress(TEXT[:90]) + zstandard.compress(TEXT[90:])),
])
def test_a_known_encoding_is_undone(encoding: str, body: bytes) -> None:
    """Both meanings of deflate are met in practice."""
    assert decoded(body, encoding) == TEXT


@pytest.mark.parametrize(("encoding", "pieces"), [
    ("", [TEXT]), ("gzip", [gzip.compress(TEXT)]), ("gzip", [gzip.compress(TEXT[:90]), gzip.compress(TEXT[90:])]),
    ("x-gzip", [gzip.compress(TEXT), b"\0\0"]), ("deflate", [zlib.compress(TEXT)]), ("deflate", [_raw_deflate(TEXT)]),
    ("zstd", [zstandard.compress(TEXT)]), ("zstd", [zstandard.compress(TEXT[:90]), zstandard.compress(TEXT[90:])]),
])
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_stream_is_undone_however_it_is_cut(encoding: str, pieces: list[bytes], size: int) -> None:
    """Whoever compresses each event by itself sends one member, or frame, behind another."""
    undo, body = undoing(encoding), b"".join(pieces)
    assert undo is not None
    assert b"".join(undo(body[at:at + size]) for at in range(0, len(body), size)) == TEXT


@pytest.mark.parametrize(("encoding", "body"), [
    ("br", b"anything"), ("gzip, br", gzip.compress(TEXT)), ("gzip", TEXT), ("gzip", gzip.compress(TEXT)[:-9]),
    ("gzip", gzip.compress(TEXT) + b"x"), ("gzip", gzip.compress(TEXT) + gzip.compress(TEXT)[:-9]), ("gzip", b""),
    ("deflate", zlib.compress(TEXT) * 2), ("zstd", TEXT),
])
def test_what_cannot_be_undone_is_left_alone(encoding: str, body: bytes) -> None:
    """Then the body is forwarded as it came."""
    assert decoded(body, encoding) is None


@pytest.mark.parametrize(("encoding", "bomb"), [
    ("gzip", gzip.compress(bytes(1_000_000))), ("zstd", zstandard.compress(bytes(1_000_000))),
])
def test_a_bomb_is_left_alone(encoding: str, bomb: bytes) -> None:
    """A small body cannot take all memory."""
    assert decoded(bomb, encoding, limit=999_999) is None
    assert decoded(bomb, encoding, limit=1_000_000) == bytes(1_000_000)
