"""What passes between a client and the proxy, kept as it is: the client's own view."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Self

import aiohttp
from aiohttp import web

_NOT_HANDED_ON = ("host", "content-length", "transfer-encoding", "connection", "keep-alive")


@dataclass
class Exchange:
    """A request and what was answered. `ended` says that the answer came to its end."""

    method: str
    path: str
    sent: bytes
    status: int = 0
    kind: str = ""
    got: bytes = b""
    ended: bool = False


class Tap:
    """A listener that hands everything on to `target`, for as long as it is entered."""

    def __init__(self, target: str) -> None:
        self.exchanges: list[Exchange] = []
        self.url = ""
        self._target = target
        app = web.Application(client_max_size=1024**3)
        app.router.add_route("*", "/{rest:.*}", self._pass)
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)

    async def __aenter__(self) -> Self:
        self._http = aiohttp.ClientSession(auto_decompress=False, timeout=aiohttp.ClientTimeout(total=None))
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._runner.cleanup()
        await self._http.close()

    async def _pass(self, request: web.Request) -> web.StreamResponse:
        exchange = Exchange(request.method, request.path, await request.read())
        self.exchanges.append(exchange)
        headers = [(k, v) for k, v in request.headers.items() if k.lower() not in (*_NOT_HANDED_ON, "accept-encoding")]
        async with self._http.request(request.method, self._target + request.raw_path, data=exchange.sent or None,
                                      headers=[*headers, ("Accept-Encoding", "identity")]) as answer:
            exchange.status, exchange.kind = answer.status, answer.content_type
            kept = [(k, v) for k, v in answer.headers.items() if k.lower() not in _NOT_HANDED_ON]
            response = web.StreamResponse(status=answer.status)
            response.headers.extend(kept)
            await response.prepare(request)
            async for piece in answer.content.iter_any():
                exchange.got += piece
                await response.write(piece)
            exchange.ended = True
            with suppress(ConnectionResetError):  # a client may leave once it has read the last event
                await response.write_eof()
            return response
