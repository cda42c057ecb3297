"""A gateway with its store and an upstream that plays, and a client that takes answers as the bytes they are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import aiohttp
from aiohttp import web

from toolstub_ext.rewriting import Rewritten
from toolstub_ext.settings import load_settings
from toolstub_ext.store import Store, open_store
from toolstub_proxy.gateway import Gateway
from toolstub_proxy.upstreams import Upstreams

from .upstream import Played, Player

_HEADERS = {"Content-Type": "application/json", "Authorization": "Bearer k"}


@dataclass
class Room:
    """`rewritten` is what became of the last request that was read, as the gateway tells it."""

    gateway: Gateway
    player: Player
    store: Store
    url: str
    http: aiohttp.ClientSession
    rewritten: list[Rewritten]

    async def post(self, body: bytes, path: str, *, session: str = "", played: Played | None = None) -> bytes:
        """The answer, which `played` is told of as it comes."""
        self.rewritten.clear()
        self.player.received.clear()
        self.player.stream = played
        answer = b""
        headers = {**_HEADERS, "x-session-id": session} if session else _HEADERS
        async with self.http.post(self.url + path, data=BytesIO(body), headers=headers) as response:
            async for data in response.content.iter_any():
                answer += data
                if played is not None:
                    played.take(data)
        return answer


@asynccontextmanager
async def opened(preset: str, store: Path) -> AsyncIterator[Room]:
    """One for as long as the context lasts."""
    rewritten: list[Rewritten] = []

    def told(_: web.BaseRequest, one: Rewritten) -> None:
        rewritten.append(one)

    async with AsyncExitStack() as stack:
        player = await stack.enter_async_context(Player())
        settings = load_settings(preset=preset, upstream=player.url)
        kept = stack.enter_context(open_store(store))
        gateway = Gateway(settings, kept, Upstreams(settings), on_rewritten=told, drain_seconds=0.1)
        stack.push_async_callback(gateway.stop)
        port = await gateway.start("127.0.0.1", 0)
        http = await stack.enter_async_context(aiohttp.ClientSession(auto_decompress=False))
        yield Room(gateway, player, kept, f"http://127.0.0.1:{port}", http, rewritten)
