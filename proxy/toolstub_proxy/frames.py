"""What goes through the pipes between a proxy and its worker: bytes, with a number, a kind and their length first."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import IO

_HEAD = struct.Struct(">QBQ")
_PIPE_BYTES = 1024 * 1024
_SET_PIPE_SIZE = 1031
"""`F_SETPIPE_SZ` of Linux, which `fcntl` names only from some versions on."""


def frames(stream: IO[bytes]) -> Iterator[tuple[int, int, bytes]]:
    """What comes, until the stream ends, in the middle of a piece or not."""
    while len(head := stream.read(_HEAD.size)) == _HEAD.size:
        number, kind, size = _HEAD.unpack(head)
        if len(data := stream.read(size)) < size:
            return
        yield number, kind, data


def send(stream: IO[bytes], number: int, kind: int, *parts: bytes) -> None:
    """Write one piece. Raises OSError if nobody reads any more."""
    stream.write(_HEAD.pack(number, kind, sum(map(len, parts))))
    stream.writelines(parts)
    stream.flush()


def widen(stream: IO[bytes]) -> None:
    """Let a pipe hold more, where the system can, so that a large body takes fewer turns."""
    with suppress(ImportError, OSError):
        from fcntl import fcntl

        fcntl(stream.fileno(), _SET_PIPE_SIZE, _PIPE_BYTES)
