"""What a client may begin a conversation with, and what it waits for before it goes on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from proxy_support import ANSWER, Behind, Start, asked, body_of

PATHS = ("/v1/chat/completions", "/v1/files")
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


async def _opened(behind: Behind) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(*behind.url.removeprefix("http://").split(":"))


def _head(path: str, body: bytes, *more: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
             f"Content-Length: {len(body)}", "Connection: close", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@pytest.mark.parametrize("path", PATHS)
async def test_who_waits_to_be_told_to_go_on_is_told(start: Start, path: str) -> None:
    """As curl waits with every long body. The upstream is not asked to, for it gets head and body at once."""
    behind = await start()
    body = json.dumps(body_of(asked("a"))).encode()
    reader, writer = await _opened(behind)
    writer.write(_head(path, body, "Expect: 100-continue"))
    assert await reader.readexactly(len(CONTINUE)) == CONTINUE
    writer.write(body)
    answer = await reader.read()
    writer.close()
    assert (ANSWER.encode() in answer) is (path == PATHS[0]), answer
    assert not {"expect"} & {name.lower() for head in behind.upstream.headers for name in head}


async def test_an_expectation_that_nobody_knows_is_no_reason_to_refuse(start: Start) -> None:
    """It is one of this connection, and goes no further."""
    behind = await start()
    body = json.dumps(body_of(asked("a"))).encode()
    reader, writer = await _opened(behind)
    writer.write(_head(PATHS[0], body, "Expect: 200-maybe") + body)
    answer = await reader.read()
    writer.close()
    assert answer.startswith(b"HTTP/1.1 200 OK"), answer


@pytest.mark.parametrize("opening", [
    ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"],
    ["Connection: keep-alive, Upgrade", "Upgrade: TLS/1.0"],
])
async def test_who_offers_another_protocol_is_answered_in_this_one(start: Start, opening: list[str]) -> None:
    """As an offer of HTTP/2 may be answered; it is one of this connection, and goes no further."""
    behind = await start()
    body = json.dumps(body_of(asked("a"))).encode()
    reader, writer = await _opened(behind)
    writer.write(_head(PATHS[0], body, *opening).replace(b"Connection: close\r\n", b"") + body)
    head = await reader.readuntil(b"\r\n\r\n")
    writer.close()
    assert head.startswith(b"HTTP/1.1 200 OK")
    sent: dict[str, Any] = {name.lower(): value for name, value in behind.upstream.headers[0].items()}
    assert not {"upgrade", "http2-settings"} & sent.keys()


async def test_who_begins_with_http_2_is_told_that_this_is_not_spoken(start: Start) -> None:
    """At once, and not by silence."""
    behind = await start()
    reader, writer = await _opened(behind)
    writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0")
    async with asyncio.timeout(10):
        answer = await reader.read()
    writer.close()
    assert answer.startswith((b"HTTP/1.0 400 ", b"HTTP/1.1 400 ")), answer
    assert behind.upstream.requests == []
