"""An upstream that notes what it receives, and answers with what it is told to: whole, or streamed in pieces of which
each is sent only when the client has what came before."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from itertools import pairwise
from types import TracebackType
from typing import Self

from aiohttp import web

SECONDS = 5.0
"""What a piece may take to the client; more means that something waits for what comes later."""
_blank_line = re.compile(rb"\r?\n\r?\n")


class Player:
    """Serves on a loopback port for as long as it is entered. `received` are the bodies, `answers` what comes next."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self.answers: deque[bytes] = deque()
        self.stream: Played | None = None
        self.url = ""
        app = web.Application(client_max_size=1 << 30)
        app.router.add_route("*", "/{path:.*}", self._answered)
        self._runner = web.AppRunner(app)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        await self._runner.cleanup()

    async def _answered(self, request: web.Request) -> web.StreamResponse:
        self.received.append(await request.read())
        if self.stream is None:
            return web.Response(body=self.answers.popleft(), content_type="application/json")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for piece in self.stream.pieces:
            await response.write(piece)
            if not await self.stream.has_arrived(len(piece)):
                break
        return response


class Played:
    """A stream on its way, in pieces. `late` is what stood in the last event that did not arrive before the next one
    was to be sent, if there was such a one."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = pieces
        self.late = b""
        self.got = b""
        self._sent = 0
        self.ends = [found.end() for found in _blank_line.finditer(b"".join(pieces))]
        self._more = asyncio.Event()

    def take(self, data: bytes) -> None:
        """The client has read some more."""
        self.got += data
        self._more.set()

    async def has_arrived(self, size: int) -> bool:
        """Wait until the client has all events that are complete, now that `size` more bytes are sent."""
        self._sent += size
        whole = max((end for end in self.ends if end <= self._sent), default=0)
        try:
            async with asyncio.timeout(SECONDS):
                while len(self.got) < whole:
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError:
            self.late = b"".join(self.pieces)[len(self.got):whole]
        return not self.late


def by_event(body: bytes) -> list[bytes]:
    """A stream cut behind every event."""
    ends = [0, *(found.end() for found in _blank_line.finditer(body)), len(body)]
    return [body[start:end] for start, end in pairwise(ends) if start < end]


def by_size(body: bytes, size: int) -> list[bytes]:
    """A stream cut anywhere."""
    return [body[at:at + size] for at in range(0, len(body), size)]
