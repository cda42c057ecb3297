"""Websockets, passed through message by message; what they carry is not looked into."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, WSServerHandshakeError, web

from . import headers
from .provider_errors import refusal
from .upstreams import Route

Socket = web.WebSocketResponse | ClientWebSocketResponse


def opens_websocket(request: web.BaseRequest) -> bool:
    """Whether a client asks for a websocket."""
    return request.headers.get("upgrade", "").lower() == "websocket"


def need_not_be_opened(request: web.BaseRequest) -> bool:
    """Whether the client would say the same over HTTP, where it can be understood.

    Codex does so at once where its websocket is answered with 426.
    """
    path = request.path.rstrip("/")
    return path.endswith("/responses") and request.headers.get("originator", "").lower().startswith("codex")


async def tunnelled(request: web.Request, session: ClientSession, route: Route) -> web.StreamResponse:
    """Open the upstream's websocket, then the client's, and carry messages both ways until either closes."""
    protocols = [p.strip() for p in request.headers.get("sec-websocket-protocol", "").split(",") if p.strip()]
    try:
        opened = await session.ws_connect(
            route.url, headers=headers.for_websocket(request.headers), protocols=protocols, proxy=route.proxy,
            ssl=route.tls, max_msg_size=0, autoping=False,
        )
    except WSServerHandshakeError as error:
        refused = error.status >= HTTPStatus.BAD_REQUEST  # any other answer is no websocket either
        status = error.status if refused else HTTPStatus.BAD_GATEWAY
        return refusal(request, status, f"the upstream opened no websocket: {error.message}", "api_error")
    async with opened as upstream:
        client = web.WebSocketResponse(protocols=[upstream.protocol] if upstream.protocol else (), max_msg_size=0,
                                       autoping=False)
        await client.prepare(request)
        ways = [asyncio.ensure_future(_carried(client, upstream)), asyncio.ensure_future(_carried(upstream, client))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
    return client


async def _carried(source: Socket, sink: Socket) -> None:
    """Hand on what `source` says; when it closes, close `sink` with the same code."""
    async for message in source:
        match message.type:
            case WSMsgType.TEXT:
                await sink.send_str(message.data)
            case WSMsgType.BINARY:
                await sink.send_bytes(message.data)
            case WSMsgType.PING:
                await sink.ping(message.data)
            case WSMsgType.PONG:
                await sink.pong(message.data)
    await sink.close(code=source.close_code or 1000)
