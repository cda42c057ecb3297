"""What goes through the pipes between a proxy and its worker: pieces of a number, a kind, a small head and large data.

Both are read for themselves, so that the data, which may be a body of many megabytes, need not be copied out.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, NamedTuple

_LENGTHS = struct.Struct(">QBIQ")
_PIPE_BYTES = 1024 * 1024
_SET_PIPE_SIZE = 1031
"""`F_SETPIPE_SZ` of Linux, which `fcntl` names only from some versions on."""


class Frame(NamedTuple):
    """One piece: `number` is that of the request it is about, or 0."""

    number: int
    kind: int
    data: bytes = b""
    head: bytes = b""


def frames(stream: IO[bytes]) -> Iterator[Frame]:
    """What comes, until the stream ends, in the middle of a piece or not."""
    while len(lengths := stream.read(_LENGTHS.size)) == _LENGTHS.size:
        number, kind, small, large = _LENGTHS.unpack(lengths)
        frame = Frame(number, kind, head=stream.read(small), data=stream.read(large))
        if len(frame.data) < large:
            return
        yield frame


def send(stream: IO[bytes], frame: Frame) -> None:
    """Write one piece. Raises OSError if nobody reads any more."""
    stream.write(_LENGTHS.pack(frame.number, frame.kind, len(frame.head), len(frame.data)) + frame.head)
    stream.write(frame.data)
    stream.flush()


def widen(stream: IO[bytes]) -> None:
    """Let a pipe hold more, where the system can, so that a large body takes fewer turns."""
    with suppress(ImportError, OSError):
        from fcntl import fcntl

        fcntl(stream.fileno(), _SET_PIPE_SIZE, _PIPE_BYTES)
