"""A small HTTP proxy, as companies have them: it tunnels and forwards, whatever the name, to one server of a test."""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from typing import Self


class HttpProxy:
    """Serves while it is entered. `heads` are the heads of the requests it got, `credentials` those it asks for."""

    def __init__(self, target: str, *, credentials: str | None = None, tls: ssl.SSLContext | None = None) -> None:
        self.heads: list[str] = []
        self._host, _, self._port = target.partition("://")[2].rpartition(":")
        self._tls = tls
        self._wanted = f"basic {b64encode(credentials.encode()).decode()}".lower() if credentials else ""
        self._server: asyncio.Server | None = None
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self.url = f"http{'s' if self._tls else ''}://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.heads.append(head)
        if self._wanted not in head.lower():
            writer.write(b"HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n")
            writer.close()
            return
        there, to_there = await asyncio.open_connection(self._host, int(self._port))
        if head.startswith("CONNECT "):
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        else:
            to_there.write(head.encode())
        ways = [asyncio.ensure_future(_carry(reader, to_there)), asyncio.ensure_future(_carry(there, writer))]
        await asyncio.wait(ways)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()
