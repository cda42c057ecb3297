"""Server-sent events, cut out of a byte stream as it arrives.

    splitter = Splitter()
    splitter.feed(b"data: 1\n\nda") == [b"data: 1\n\n"]
    splitter.flush() == b"da"

An event is returned with the bytes it came in, blank line included, so that it can be passed on as it was.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from typing import Any

EVENT_BYTES = 32 * 1024 * 1024
"""The longest event that is held together; a longer one comes out in pieces."""

BLANK = b"\n\n"
"""What ends an event."""
_blank_line = re.compile(rb"\n\n|\n\r\n|\r\r")
_line_end = re.compile(rb"\r\n|\n|\r")


class Splitter:
    """Cuts a stream after every blank line. Linear, however small the pieces are it is fed with."""

    def __init__(self, limit: int = EVENT_BYTES) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._searched = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The events that `data` completes."""
        buffer = self._buffer
        buffer += data
        ends = [match.end() for match in _blank_line.finditer(buffer, max(0, self._searched - 2))]
        events = []
        start = 0
        for end in ends:
            events.append(bytes(buffer[start:end]))
            start = end
        del buffer[:start]
        if len(buffer) > self._limit:
            events.append(self.flush())
        self._searched = len(buffer)
        return events

    def flush(self) -> bytes:
        """What is left over at the end of the stream."""
        rest = bytes(self._buffer)
        self._buffer.clear()
        self._searched = 0
        return rest


def data_of(event: bytes) -> bytes | None:
    """The data of an event, its lines joined; None if it has none (a comment, a ping). The first event of a stream may
    begin with a byte order mark."""
    lines = [line[5:].removeprefix(b" ") for line in _line_end.split(event.removeprefix(BOM_UTF8))
             if line.startswith(b"data:")]
    return b"\n".join(lines) if lines else None


def is_whole(event: bytes) -> bool:
    """Whether an event without its blank line is all there, as far as that can be told."""
    data = data_of(event)
    if data is None or data.strip() == b"[DONE]":
        return data is not None
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def event_of(data: bytes) -> bytes:
    """An event with one line of data."""
    return b"data: " + data + BLANK


def written(event: dict[str, Any]) -> bytes:
    """An event that is named by its `type`, as JSON."""
    name = str(event["type"]).encode("utf-8", "replace")
    return b"event: " + name + b"\n" + event_of(json.dumps(event, separators=(",", ":")).encode())


KEEP_ALIVE_LINE = b": keep-alive\n"
KEEP_ALIVE = KEEP_ALIVE_LINE + b"\n"
"""A comment, which every client skips; it keeps idle timeouts on the way from cutting a silent stream. Once events have
had ids, OpenAI's SDK takes one with a blank line for an event without data, and so its line alone has to do."""
