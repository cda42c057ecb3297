"""An upstream that is there, and does not answer as HTTP asks: the client is told what happened, and it is counted."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest
from proxy_support import Start, asked, body_of

Serve = Callable[[bytes | None], Awaitable[str]]
JSON = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
STREAM = JSON.replace(b"application/json", b"text/event-stream")
CHUNK = b'data: {"choices": [{"index": 0, "delta": {"content": "Hm"}}]}\n\n'
RESET = None
"""In place of an answer: the connection is reset."""


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    """Start a server that reads a request, sends these bytes, and closes."""
    servers = []

    async def begin(answer: bytes | None) -> str:
        async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(length)
            if answer is RESET:
                raw = writer.get_extra_info("socket")
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            else:
                writer.write(answer)
            writer.close()

        server = await asyncio.start_server(answered, "127.0.0.1", 0)
        servers.append(server)
        return f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    yield begin
    for server in servers:
        server.close()


@pytest.mark.parametrize("tools", [True, False])
@pytest.mark.parametrize(("answer", "says"), [
    (b"", "it closed the connection without an answer"),
    (b"HTTP/1.1 200 OK\r\nContent-", "it closed the connection without an answer"),
    (RESET, "connection reset by peer"),
    (b"SSH-2.0-OpenSSH_9.2p1\r\n", "what it sent is not HTTP/1.1"),
    (b"\x15\x03\x01\x00\x02\x02P", "what it sent is not HTTP/1.1"),
    (b"\0\0\0\x04\0\0\0\0\0\0\0\x08\x07\0\0\0\0\0\0\0\0\0\0\0\0\x01", "what it sent is not HTTP/1.1"),  # HTTP/2
    (b"HTTP/2 200\r\n\r\n", "what it sent is not HTTP/1.1"),
])
async def test_no_answer_is_told_as_such(start: Start, serve: Serve, answer: bytes, says: str, tools: bool) -> None:
    """It was reached, and may have done what it was asked."""
    upstream = await serve(answer)
    behind = await start(settings={"upstream": upstream})
    status, _, said = await behind.post(body_of(asked("a")) if tools else {"messages": asked("a")})
    assert (status, json.loads(said)["error"]["message"]) == (
        502, f"toolstub: no whole answer from {upstream}: {says}")
    assert behind.gateway.counts.failures == {"upstream broke off": 1}


@pytest.mark.parametrize("answer", [
    JSON + b'Content-Length: 900\r\n\r\n{"choices": [', JSON + b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"cho\r\n',
])
async def test_half_an_answer_is_told_as_such(start: Start, serve: Serve, answer: bytes) -> None:
    """One that had to be whole to be read; the client has seen nothing of it."""
    upstream = await serve(answer)
    behind = await start(settings={"upstream": upstream})
    status, _, said = await behind.post(body_of(asked("a")))
    assert (status, json.loads(said)["error"]["message"]) == (
        502, f"toolstub: no whole answer from {upstream}: it broke off in the middle")
    assert behind.gateway.counts.failures == {"upstream broke off": 1}


@pytest.mark.parametrize("tools", [True, False])
@pytest.mark.parametrize("answer", [
    STREAM + b"Content-Length: 900\r\n\r\n" + CHUNK,
    STREAM + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(CHUNK), CHUNK),
])
async def test_half_a_stream_is_half_a_stream(start: Start, serve: Serve, answer: bytes, tools: bool) -> None:
    """What came arrives, and the connection breaks off as the upstream's did."""
    behind = await start(settings={"upstream": await serve(answer)})
    request = body_of(asked("a"), stream=True) if tools else {"messages": asked("a"), "stream": True}
    seen = b""
    async with behind.http.post(behind.url + "/v1/chat/completions", json=request) as got:
        with pytest.raises(aiohttp.ClientPayloadError):
            async for data in got.content.iter_any():
                seen += data
    assert seen == CHUNK
    assert behind.gateway.counts.failures == {"upstream broke off": 1}


@pytest.mark.parametrize("tools", [True, False])
async def test_a_header_that_cannot_be_sent_on_is_left_out(start: Start, serve: Serve, tools: bool) -> None:
    """The answer is there all the same."""
    answer = JSON + b"X-A: a\x01b\r\nX-B: c\td\r\nContent-Length: 2\r\n\r\n{}"
    behind = await start(settings={"upstream": await serve(answer)})
    request = body_of(asked("a")) if tools else {"model": "m", "messages": []}
    status, headers, said = await behind.post(request)
    assert (status, said, headers.get("X-A"), headers["X-B"]) == (200, b"{}", None, "c\td")
