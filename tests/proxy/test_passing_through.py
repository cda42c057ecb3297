"""What the gateway does not change, it does not touch: bytes, encodings, headers, times of arrival."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import zstandard
from aiohttp import web
from proxy_support import TOOL, Start, asked, body_of, log_of
from yarl import URL

from toolstub_ext.retrieval import definitions
from toolstub_proxy.demo.upstream import Fault

ODD_BODIES = [
    b'{"model":"m","messages":[{"role":"user","content":"hi"}],"x_a":1.0,"x_b":1e5,"x_c":-0,"x_d":1E+2}',
    b'{"model":"m","messages":[{"role":"user","content":"hi"}],"x_n":1234567890123456789012345678901234567890}',
    b'{"model":"m","model":"n","messages":[],"messages":[{"role":"user","content":"hi","content":"ho"}]}',
    b'\n{ "model" :\t"m" ,\r\n "messages":[ {"role":"user","content":"hi"} ] }  \n',
    b'{"model":"m","messages":[{"role":"user","content":"\\ud83d \\/ \\u00e9 \\u0000"}]}',
    '{"model":"m","messages":[{"role":"user","content":"\u00e9\u2028\U0001f600"}]}'.encode(),
    b'{"model":"m","messages":[{"role":"user","content":[{"type":"x_new","deep":{"a":[1,2,{}]}}]}],"x_u":null}',
]
DEEP = b'{"model":"m","x_deep":' + b"[" * 3000 + b"]" * 3000 + b',"messages":[{"role":"user","content":"hi"}]}'


@pytest.mark.parametrize("body", ODD_BODIES)
async def test_a_request_without_tools_arrives_byte_for_byte(start: Start, body: bytes) -> None:
    """Numbers, duplicate keys, blanks, escapes, lone surrogates, deep nesting and fields nobody knows."""
    behind = await start()
    status, headers, _ = await behind.post(body)
    assert (status, behind.upstream.requests) == (200, [body])
    assert "x-toolstub" not in headers


async def test_deep_nesting_arrives_byte_for_byte(start: Start) -> None:
    """Also where it is too deep for us to follow."""
    behind = await start()
    await behind.post(DEEP)
    assert behind.upstream.requests == [DEEP]


@pytest.mark.parametrize("body", ODD_BODIES)
async def test_with_tools_only_our_definitions_are_added(start: Start, body: bytes) -> None:
    """In front of the client's."""
    behind = await start()
    tools = f',"tools":[{json.dumps(TOOL)}]'.encode()
    at = body.rindex(b"}")
    await behind.post(body[:at] + tools + body[at:])
    ours = tools.replace(b"[", b"[" + definitions("chat").encode() + b",", 1)
    assert behind.upstream.requests == [body[:at] + ours + body[at:]]


@pytest.mark.parametrize("body", [
    b"", b"{", b"[]", b"\xff\xfe", b'{"model":"m"}', b'{"model":"m","messages":7}', b"[" * 100_000, b"null",
    b'{"model":"m","messages":[{"role":"wizard"}],"tools":[]}',
])
async def test_a_request_that_makes_no_sense_gets_the_upstreams_own_error(start: Start, body: bytes) -> None:
    """Its words, its status."""
    behind = await start()
    status, _, answer = await behind.post(body)
    assert behind.upstream.requests == [body]
    assert (status, json.loads(answer)["error"]["type"]) == (400, "invalid_request_error")


@pytest.fixture
async def echo() -> AsyncIterator[str]:
    """An upstream that answers with what it got."""

    async def answer(request: web.Request) -> web.Response:
        told = {"method": request.method, "path": request.raw_path, "headers": list(request.headers.items())}
        body = await request.read()
        return web.Response(status=207, reason="Odd", body=body, headers=[
            ("X-Told", json.dumps(told)), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("X-Request-Id", "r1"),
            ("Content-Encoding", request.headers.get("X-Answer-Encoding", "identity")),
        ])

    app = web.Application(client_max_size=1 << 30)
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, auto_decompress=False)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])
async def test_any_method_and_path_goes_through(start: Start, echo: str, method: str) -> None:
    """With its query as it was written, status, reason, repeated headers and all."""
    behind = await start(settings={"upstream": echo + "/api"})
    url = URL(behind.url + "/v1/a%2Fb?x=%7e&y=", encoded=True)
    async with behind.http.request(method, url, headers={"X-Mine": "1"}) as answer:
        assert (answer.status, answer.reason) == (207, "Odd")
        assert answer.headers.getall("Set-Cookie") == ["a=1", "b=2"]
        assert "aiohttp" not in json.dumps(list(answer.headers.getall("Server", []))[1:])
        told = json.loads(answer.headers["X-Told"])
    assert (told["method"], told["path"]) == (method, "/api/v1/a%2Fb?x=%7e&y=")
    assert ["X-Mine", "1"] in told["headers"]


async def test_no_header_is_added_on_the_way(start: Start, echo: str) -> None:
    """The upstream sees the client's, and its own name as the host."""
    behind = await start(settings={"upstream": echo})
    reader, writer = await asyncio.open_connection(*behind.url.removeprefix("http://").split(":"))
    writer.write(b"GET /v1/models HTTP/1.1\r\nHost: elsewhere\r\nauthorization: Bearer k\r\nConnection: close\r\n\r\n")
    head = (await reader.read()).partition(b"\r\n\r\n")[0].decode()
    writer.close()
    told = json.loads(next(line for line in head.split("\r\n") if line.startswith("X-Told")).partition(": ")[2])
    assert told["headers"] == [["Host", echo.removeprefix("http://")], ["Authorization", "Bearer k"]]


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "unheard-of"])
async def test_an_encoded_answer_stays_encoded(start: Start, echo: str, encoding: str) -> None:
    """Whether we could read it or not."""
    behind = await start(settings={"upstream": echo})
    sent = gzip.compress(b"answer")
    async with behind.http.post(behind.url + "/v1/other", data=sent, headers={"X-Answer-Encoding": encoding}) as answer:
        assert (await answer.read(), answer.headers["Content-Encoding"]) == (sent, encoding)


async def test_a_large_upload_in_chunks_goes_through(start: Start, echo: str) -> None:
    """There is no limit on what passes."""
    behind = await start(settings={"upstream": echo})
    piece = bytes(range(256)) * 4096

    async def upload() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield piece

    async with behind.http.post(behind.url + "/v1/files", data=upload()) as answer:
        assert await answer.read() == piece * 20


@pytest.mark.parametrize(("encoding", "encode"), [("gzip", gzip.compress), ("zstd", zstandard.compress)])
async def test_an_encoded_request_that_is_not_changed_stays_encoded(
    start: Start, echo: str, encoding: str, encode: Any,
) -> None:
    """The very bytes, not the same text encoded again."""
    behind = await start(settings={"upstream": echo})
    body = encode(ODD_BODIES[0])
    _, headers, answer = await behind.post(body, headers={"Content-Encoding": encoding})
    assert answer == body
    assert ["Content-Encoding", encoding] in json.loads(headers["X-Told"])["headers"]


async def test_an_encoded_request_that_is_changed_goes_out_plain(start: Start) -> None:
    """With the headers that fit it."""
    behind = await start()
    plain = json.dumps(body_of(asked("a"))).encode()
    status, headers, _ = await behind.post(gzip.compress(plain), headers={"Content-Encoding": "gzip"})
    assert status == 200
    assert headers["x-toolstub"].startswith("stubs=1; chars=")
    assert "Content-Encoding" not in behind.upstream.headers[0]
    assert log_of("a") not in behind.upstream.bodies[0]["messages"][2]["content"]


async def test_an_encoding_that_cannot_be_undone_is_forwarded(start: Start, echo: str) -> None:
    """Not ours to judge."""
    behind = await start(settings={"upstream": echo})
    _, _, answer = await behind.post(b"not really brotli", headers={"Content-Encoding": "br"})
    assert answer == b"not really brotli"


async def test_a_redirect_is_the_clients_to_follow(start: Start) -> None:
    """Its credentials must not wander."""
    there = {"Location": "http://elsewhere.invalid/"}
    behind = await start(fault=lambda body: Fault(status=307, headers=there))
    async with behind.http.post(behind.url + "/v1/chat/completions", json=body_of([{"role": "user", "content": "hi"}]),
                                allow_redirects=False) as answer:
        assert (answer.status, answer.headers["Location"]) == (307, "http://elsewhere.invalid/")


@pytest.mark.parametrize(("origin", "status"), [
    ("https://evil.example", 403), ("http://127.0.0.1.evil.example", 403), ("null", 403), ("http://[bad", 403),
    ("http://localhost:3000", 200), ("http://127.0.0.1:8888", 200), ("vscode-webview://abc", 200),
])
async def test_web_pages_of_other_sites_are_refused(start: Start, origin: str, status: int) -> None:
    """What is stored on this machine is none of their business."""
    behind = await start()
    got, _, _ = await behind.post(body_of([{"role": "user", "content": "hi"}]), headers={"Origin": origin})
    assert got == status
    assert len(behind.upstream.requests) == (status == 200)


async def test_an_upstream_that_is_not_there_is_a_502_in_the_providers_shape(start: Start) -> None:
    """With the address, so that a mistyped one is seen."""
    behind = await start(settings={"upstream": "http://127.0.0.1:1"})
    status, _, answer = await behind.post(body_of([{"role": "user", "content": "hi"}]))
    error = json.loads(answer)["error"]
    assert (status, error["type"]) == (502, "api_connection_error")
    assert "http://127.0.0.1:1" in error["message"]
    status, _, answer = await behind.post(b"{}", path="/v1/messages")
    assert (status, json.loads(answer)["type"]) == (502, "error")


async def test_codex_is_asked_to_speak_http(start: Start) -> None:
    """Its websocket says what its requests say; it goes on with those, in which results can be stubbed."""
    behind = await start()
    for path, originator, status in [("/v1/responses", "codex_exec", 426), ("/v1/realtime", "codex_exec", 404),
                                     ("/v1/responses", "other", 404)]:
        with pytest.raises(aiohttp.WSServerHandshakeError) as error:
            await behind.http.ws_connect(behind.url + path, headers={"originator": originator})
        assert error.value.status == status


@pytest.mark.parametrize("path", ["/v1/responses", "/v1/chat/completions", "/v1/messages", "/v1/realtime"])
async def test_what_a_websocket_carries_is_not_looked_into(start: Start, path: str) -> None:
    """A request in it passes as it is, long result and all, in whatever pieces, and its results are not stored."""
    said = json.dumps({"type": "response.create", "tools": [TOOL], "messages": asked("a"), "x": 1.0}).encode()

    async def echo(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        async for message in socket:
            await socket.send_bytes(message.data.encode() if isinstance(message.data, str) else message.data)
        return socket

    app = web.Application()
    app.router.add_get("/{path:.*}", echo)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    behind = await start(settings={"upstream": f"http://127.0.0.1:{runner.addresses[0][1]}"})
    async with behind.http.ws_connect(behind.url + path, max_msg_size=0) as socket:
        await socket.send_str(said.decode())
        await socket.send_bytes(said)
        assert [await socket.receive_bytes(), await socket.receive_bytes()] == [said, said]
    await runner.cleanup()
    assert behind.store.list(limit=1).total == 0


async def test_websockets_pass_through_both_ways(start: Start) -> None:
    """Text, bytes, the protocol that was agreed on, and the closing code."""

    async def talk(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(protocols=["realtime"])
        await socket.prepare(request)
        async for message in socket:
            if message.data == "bye":
                await socket.close(code=4001)
            elif message.type is aiohttp.WSMsgType.TEXT:
                await socket.send_str(message.data + request.headers["Authorization"])
            else:
                await socket.send_bytes(message.data[::-1])
        return socket

    app = web.Application()
    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=request.path)

    app.router.add_get("/v1/realtime", talk)
    app.router.add_get("/v1/models", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    behind = await start(settings={"upstream": f"http://127.0.0.1:{runner.addresses[0][1]}"})
    async with behind.http.ws_connect(behind.url + "/v1/realtime?model=m", protocols=["other", "realtime"],
                                      headers={"Authorization": "k"}) as socket:
        assert socket.protocol == "realtime"
        await socket.send_str("hello ")
        assert await socket.receive_str() == "hello k"
        await socket.send_bytes(b"ab")
        assert await socket.receive_bytes() == b"ba"
        await socket.send_str("bye")
        assert (await socket.receive()).type is aiohttp.WSMsgType.CLOSE
        assert socket.close_code == 4001
    for path, status in (("/v1/nothing", "404"), ("/v1/models", "502")):
        with pytest.raises(aiohttp.WSServerHandshakeError, match=status):
            await behind.http.ws_connect(behind.url + path)
    await runner.cleanup()
