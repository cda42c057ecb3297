"""Answers that are not labelled, encoded or ended as they should be: in every format our tools stay ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest
from proxy_support import ANSWER, ENCODINGS, Start
from spoken import FORMATS, Spoken

from toolstub_proxy.demo.upstream import Fault
from toolstub_proxy.demo.upstream_model import Reply

HIDDEN = ANSWER.split("=")[1].encode()
JSON = "application/json; charset=utf-8"

spoken_in_all = pytest.mark.parametrize("spoken", FORMATS, ids=lambda spoken: spoken.name)
streamed_or_not = pytest.mark.parametrize("stream", [False, True])


def _said(spoken: Spoken, body: dict[str, Any]) -> bytes:
    """What the upstream would answer."""
    app = spoken.api()
    answer = app.answer(spoken.rounds(body) + 1, body, app.decide(body))
    return b"".join(answer.events()) if body.get("stream") else json.dumps(answer.whole()).encode()


def _type_of(body: dict[str, Any]) -> dict[str, str]:
    return {"Content-Type": "text/event-stream" if body.get("stream") else "application/json"}


@spoken_in_all
@streamed_or_not
@pytest.mark.parametrize("named", ["text/plain", "text/html; charset=utf-8", "application/octet-stream"])
async def test_an_answer_that_does_not_say_what_it_is_is_what_was_asked_for(
    start: Start, spoken: Spoken, stream: bool, named: str,
) -> None:
    """Servers that people write themselves name no type, or their library's; SDKs do not look at it."""
    head = {"Content-Type": named}
    behind = await start(api=spoken.api, fault=lambda body: Fault(headers=head, body=_said(spoken, body)))
    status, headers, answer = await behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers)
    assert (status, HIDDEN in answer, b"toolstub_" in answer) == (200, True, False)
    assert headers["Content-Type"] == named
    assert len(behind.upstream.requests) > 1


@spoken_in_all
@streamed_or_not
async def test_an_answer_without_a_type_stays_without_one(start: Start, spoken: Spoken, stream: bool) -> None:
    """None is made up for it, whether it was changed or not."""
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
        said = _said(spoken, json.loads(await reader.readexactly(length)))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(said) + said)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        behind = await start(api=spoken.api, settings={"upstream": f"http://127.0.0.1:{port}"})
        for body in (spoken.body(stream=stream), spoken.hello(stream=stream)):
            status, headers, said = await behind.post(body, spoken.path, headers=spoken.headers)
            assert (status, "Content-Type" in headers, b"toolstub_" in said) == (200, False, False)


@spoken_in_all
@pytest.mark.parametrize(("stream", "answered", "named"), [
    (True, True, "text/event-stream"), (True, True, JSON), (True, True, "text/plain"),
    (True, False, JSON), (True, False, "text/plain"),
    (False, True, "text/event-stream"), (False, True, "text/plain"),
    (False, False, "text/event-stream"), (False, False, JSON), (False, False, "text/plain"),
])
@pytest.mark.parametrize("before", [b"", b"\r\n \n"])
async def test_an_answer_is_what_it_begins_as(start: Start, spoken: Spoken, stream: bool, answered: bool, named: str,
                                              before: bytes) -> None:
    """Where the type, or the request, says another thing than the answer is: our tools are hidden in what there is.

    But where both say the same, the answer is taken for that before it is there.
    """
    behind = await start(api=spoken.api, fault=lambda body: Fault(
        headers={"Content-Type": named}, body=before + _said(spoken, {**body, "stream": answered})))
    status, headers, answer = await behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers)
    assert (status, HIDDEN in answer, b"toolstub_" in answer) == (200, True, False)
    assert headers["Content-Type"] == named
    assert answer.lstrip().startswith((b"data:", b"event:") if answered else b"{")
    assert len(behind.upstream.requests) > 1


@spoken_in_all
async def test_a_stream_in_a_type_of_json_is_live(start: Start, spoken: Spoken) -> None:
    """What comes first is read before the rest is there, whatever it was called, and cut anywhere."""
    arrived = asyncio.Event()
    events = spoken.api().answer(1, spoken.body(stream=True), Reply("word " * 30)).events()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
        await reader.readexactly(length)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
        first = b"".join(events[:-3])
        for piece in (first[:2], first[2:]):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.02)
        await arrived.wait()
        writer.write(b"".join(events[-3:]))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        behind = await start(api=spoken.api, settings={"upstream": f"http://127.0.0.1:{port}"})
        async with aiohttp.ClientSession() as client, client.post(
                behind.url + spoken.path, json=spoken.body(stream=True), headers=spoken.headers) as response:
            async with asyncio.timeout(5):
                said = b""
                while b"word" not in said:
                    said += await response.content.readany()
            arrived.set()
            said += await response.content.read()
    assert said == b"".join(events)


@spoken_in_all
@streamed_or_not
@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_an_answer_may_be_compressed_though_nobody_asked_for_it(
    start: Start, spoken: Spoken, stream: bool, encoding: str,
) -> None:
    """The client gets it plain, as it was asked for."""
    def fault(body: dict[str, Any]) -> Fault:
        return Fault(headers=_type_of(body) | {"Content-Encoding": encoding},
                     body=ENCODINGS[encoding](_said(spoken, body)))

    behind = await start(api=spoken.api, fault=fault)
    status, headers, answer = await behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers)
    assert (status, HIDDEN in answer, b"toolstub_" in answer) == (200, True, False)
    assert "Content-Encoding" not in headers


@spoken_in_all
@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_a_compressed_stream_that_is_damaged_breaks_off(start: Start, spoken: Spoken, encoding: str) -> None:
    """As it would for a client that reads it itself."""
    head = {"Content-Type": "text/event-stream", "Content-Encoding": encoding}
    behind = await start(api=spoken.api, fault=lambda body: Fault(headers=head, body=b"\x00\xff" * 200))
    with pytest.raises(aiohttp.ClientPayloadError):
        await behind.post(spoken.body(stream=True), spoken.path, headers=spoken.headers)


@spoken_in_all
async def test_an_encoding_that_nobody_knows_stays(start: Start, spoken: Spoken) -> None:
    """What cannot be read is not ours to judge."""
    head = {"Content-Type": "text/event-stream", "Content-Encoding": "unheard-of"}
    behind = await start(api=spoken.api, fault=lambda body: Fault(headers=head, body=b"\x00\xff"))
    _, headers, answer = await behind.post(spoken.body(stream=True), spoken.path, headers=spoken.headers)
    assert (answer, headers["Content-Encoding"]) == (b"\x00\xff", "unheard-of")


@spoken_in_all
@streamed_or_not
@pytest.mark.parametrize(("status", "spoil"), [
    (201, lambda said: said), (200, lambda said: b"\xef\xbb\xbf" + said), (200, lambda said: b"\n\n \n" + said),
], ids=["201", "BOM", "blank lines"])
async def test_a_success_is_a_success(start: Start, spoken: Spoken, stream: bool, status: int,
                                      spoil: Callable[[bytes], bytes]) -> None:
    """Some frameworks answer what was posted with 201, and some providers send blanks while they think."""
    behind = await start(api=spoken.api, fault=lambda body: Fault(
        status=status, headers=_type_of(body), body=spoil(_said(spoken, body))))
    got, _, answer = await behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers)
    assert (got, HIDDEN in answer, b"toolstub_" in answer) == (status, True, False)


ERRORS = {
    "chat": {"error": {"message": "overloaded"}},
    "messages": {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}},
    "responses": {"type": "error", "code": "busy", "message": "overloaded", "param": None},
}


@spoken_in_all
@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("ended", [False, True])
async def test_an_error_in_a_stream_is_told_once_and_ends_it(start: Start, spoken: Spoken, number: int,
                                                             ended: bool) -> None:
    """In the upstream's words, and nothing is asked for behind it, though there was a call of ours."""
    def fault(body: dict[str, Any]) -> Fault | None:
        if spoken.rounds(body) < number:
            return None
        reply = Reply("Hm.", (("toolstub_list", json.dumps({"tool": str(number)})),))
        events = spoken.api().answer(9, body, reply).events()
        events.insert(-3, f"data: {json.dumps(ERRORS[spoken.name])}\n\n".encode())
        return Fault(headers=_type_of(body), body=b"".join(events if ended else events[:-2]))

    behind = await start(api=spoken.api, fault=fault)
    _, _, answer = await behind.post(spoken.body(stream=True), spoken.path, headers=spoken.headers)
    assert (answer.count(b'overloaded"'), b"toolstub" in answer) == (1, False)
    assert len(behind.upstream.requests) == number + 1


@spoken_in_all
async def test_an_error_behind_half_an_event_can_be_read(start: Start, spoken: Spoken) -> None:
    """An upstream may end its answer in the middle as if that was its end; of a later round nothing half is shown."""
    def fault(body: dict[str, Any]) -> Fault | None:
        if spoken.rounds(body) < 1:
            return None
        whole = _said(spoken, body)
        return Fault(headers=_type_of(body), body=whole[:whole.index(b"data: ", len(whole) // 2) + 20])

    behind = await start(api=spoken.api, fault=fault)
    _, _, answer = await behind.post(spoken.body(stream=True), spoken.path, headers=spoken.headers)
    events = [line.removeprefix(b"data: ") for line in answer.split(b"\n") if line.startswith(b"data: ")]
    assert spoken.is_error(events[-1])
    for event in events:
        json.loads(event)
