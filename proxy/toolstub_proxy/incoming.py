"""An upstream's answer as it comes in: what it is can be told by how it begins, and is read from there all the same."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from aiohttp import ClientPayloadError, ClientResponse

from . import headers
from .encodings import undoing

_FIELDS = (b":", b"data:", b"event:", b"id:", b"retry:")
_blanks = re.compile(rb"[ \t\r\n]*")


class Incoming:
    """One answer of an upstream."""

    def __init__(self, upstream: ClientResponse) -> None:
        self.upstream = upstream
        self.encoding = upstream.headers.get("content-encoding", "")
        self._start = b""

    @property
    def is_answer(self) -> bool:
        """Whether the upstream did what it was asked for."""
        return HTTPStatus.OK <= self.upstream.status < HTTPStatus.MULTIPLE_CHOICES

    @property
    def is_readable(self) -> bool:
        """Whether it is an answer in an encoding that can be undone."""
        return self.is_answer and undoing(self.encoding) is not None

    async def streams(self, *, wanted: bool) -> bool:
        """Whether it is a stream of events. Where what it says of itself is not what was `wanted`, its first bytes
        count before both; so a stream that was asked for and is one is not waited for. Raises ClientError."""
        said = headers.is_event_stream(self.upstream.headers)
        if said is wanted and (said or headers.is_json(self.upstream.headers)):
            return said
        found = await self._begins_as_stream()
        return found if found is not None else wanted and not headers.is_json(self.upstream.headers)

    async def whole(self) -> bytes:
        """All of it, as it was sent. Raises ClientError."""
        return self._start + await self.upstream.read()

    def reader(self) -> Callable[[], Coroutine[Any, Any, bytes]]:
        """Reads the next piece without its encoding, nothing at the end. Raises ClientError."""
        plain = undoing(self.encoding) or bytes

        async def read() -> bytes:
            while data := await self._piece():
                try:
                    if piece := plain(data):
                        return piece
                except ValueError as error:
                    raise ClientPayloadError(str(error)) from error
            return b""

        return read

    async def _piece(self) -> bytes:
        start, self._start = self._start, b""
        return start or await self.upstream.content.readany()

    async def _begins_as_stream(self) -> bool | None:
        """Whether it begins as a stream of events does or, if False, as JSON; None if as neither."""
        plain, seen = undoing(self.encoding) or bytes, b""
        while _is_open(seen):
            data = await self.upstream.content.readany()
            if not data:
                return None
            self._start += data
            try:
                seen = _beginning(seen + plain(data))
            except ValueError:
                return None
        return False if seen.startswith(b"{") else True if seen.startswith(_FIELDS) else None


def _beginning(data: bytes) -> bytes:
    """Of what has come so far, what is not blank, as far as that counts."""
    bare = data.removeprefix(BOM_UTF8)
    found = _blanks.match(bare)
    return bare[found.end() if found else 0:][:len(_FIELDS[-1])]


def _is_open(seen: bytes) -> bool:
    """Whether more has to come before it can be told what this is."""
    return any(sign.startswith(seen) and seen != sign for sign in (*_FIELDS, BOM_UTF8))
