"""The faults of an upstream, of a model and of a client, in every format: the client is told, and nothing leaks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest
from proxy_support import ANSWER, Start
from spoken import FORMATS, Spoken

from toolstub_proxy.demo.upstream import Fault
from toolstub_proxy.demo.upstream_model import Reply

JSON = {"Content-Type": "application/json"}
STREAM = {"Content-Type": "text/event-stream"}
ERROR = b'{"type":"error","error":{"type":"some_error","message":"no","code":null}}'
FAULTS = {
    "400": Fault(status=400, headers=JSON, body=ERROR),
    "401": Fault(status=401, headers=JSON | {"WWW-Authenticate": "Bearer"}, body=ERROR),
    "429": Fault(status=429, headers=JSON | {"Retry-After": "7", "x-ratelimit-reset": "1s"}, body=ERROR),
    "500": Fault(status=500, headers=JSON, body=ERROR),
    "529": Fault(status=529, headers=JSON | {"Retry-After": "1"}, body=ERROR),
    "502 in HTML": Fault(status=502, headers={"Content-Type": "text/html"}, body=b"<html>Bad Gateway</html>"),
    "empty 200": Fault(headers=JSON, body=b""),
    "empty stream": Fault(headers=STREAM, body=b""),
    "garbage": Fault(headers=JSON, body=b"garbage \xff"),
    "JSON that is no answer": Fault(headers=JSON, body=b'{"choices": 3, "content": 4, "output": 5}'),
    "garbage in a stream": Fault(headers=STREAM, body=b"data: garbage\n\ndata: \xff\n\n: x\n\ndata: []\n\ndata: 7\n\n"),
    "text": Fault(headers={"Content-Type": "text/plain"}, body=b"plain"),
}
HIDDEN = ANSWER.split("=")[1].encode()

spoken_in_all = pytest.mark.parametrize("spoken", FORMATS, ids=lambda spoken: spoken.name)
streamed_or_not = pytest.mark.parametrize("stream", [False, True])
every_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)


def _in_round(spoken: Spoken, number: int, fault: Fault) -> Callable[[dict[str, Any]], Fault | None]:
    """The fault in the answer to the request that has so many hidden rounds."""
    return lambda body: fault if spoken.rounds(body) == number else None


def _last(stream: bytes) -> bytes:
    """The data of the last event."""
    return [line for line in stream.split(b"\n") if line.startswith(b"data: ")][-1].removeprefix(b"data: ")


@spoken_in_all
@every_fault
@streamed_or_not
@pytest.mark.parametrize("number", [0, 1])
async def test_what_the_client_can_still_be_told_it_is_told_as_it_was_sent(
    start: Start, spoken: Spoken, fault: Fault, stream: bool, number: int,
) -> None:
    """Status, headers and body, without a second try; in a later round of a stream, an event says that it failed."""
    behind = await start(api=spoken.api, fault=_in_round(spoken, number, fault))
    status, headers, answer = await behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers)
    assert len(behind.upstream.requests) == number + 1
    assert b"toolstub_" not in answer
    if stream and number:
        assert status == 200
        assert spoken.is_error(_last(answer))
    else:
        assert (status, answer) == (fault.status, fault.body)
        assert {name: headers[name] for name in fault.headers} == fault.headers


@spoken_in_all
@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("events", [1, 3])
async def test_a_stream_that_is_torn_in_an_event(start: Start, spoken: Spoken, number: int, events: int) -> None:
    """In the first round the client's is cut as well; in a later one its own is well, and it is told."""
    fault = Fault(cut=True, events=events, torn=True)
    whole = await start(api=spoken.api, script=lambda body: Reply("word " * 20))
    _, _, full = await whole.post(spoken.hello(stream=True), spoken.path, headers=spoken.headers)
    behind = await start(api=spoken.api, fault=lambda body: fault if spoken.rounds(body) in (-1, number) else None)
    if number:
        _, _, answer = await behind.post(spoken.body(stream=True), spoken.path, headers=spoken.headers)
        assert spoken.is_error(_last(answer))
        assert b"toolstub_" not in answer
        return
    seen = b""
    async with behind.http.post(behind.url + spoken.path, json=spoken.hello(stream=True),
                                headers=spoken.headers) as cut:
        with pytest.raises(aiohttp.ClientPayloadError):
            async for data in cut.content.iter_any():
                seen += data
    assert 0 < len(seen) < len(full)
    assert seen.count(b"data: ") >= events


@spoken_in_all
@streamed_or_not
@pytest.mark.parametrize("number", [0, 1])
async def test_a_slow_first_byte_is_waited_for(start: Start, spoken: Spoken, stream: bool, number: int) -> None:
    """However long; in a later round of a stream, the client hears from us meanwhile."""
    comments = []
    for keep_alive in (0.05, 3600.0):
        behind = await start(api=spoken.api, fault=_in_round(spoken, number, Fault(delay=0.3)),
                             gateway={"keep_alive": keep_alive})
        status, _, answer = await behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers)
        assert (status, HIDDEN in answer) == (200, True)
        comments.append(answer.count(b": keep-alive") + answer.count(b"event: ping"))
    assert (comments[0] > comments[1]) is bool(stream and number)


def _calls_again(spoken: Spoken) -> Callable[[dict[str, Any]], Reply]:
    return lambda body: Reply("Hm.", (("toolstub_list", json.dumps({"tool": str(spoken.rounds(body))})),))


@spoken_in_all
@streamed_or_not
@pytest.mark.parametrize("number", [0, 1, 2])
async def test_when_the_client_leaves_in_any_round_the_upstream_request_ends(
    start: Start, spoken: Spoken, stream: bool, number: int,
) -> None:
    """Whether it was silent or, where it streams, in the middle of its answer."""
    for fault in (Fault(delay=3600), Fault(stall=True, events=1))[:1 + stream]:
        behind = await start(api=spoken.api, script=_calls_again(spoken), fault=_in_round(spoken, number, fault))
        post = asyncio.create_task(behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers))
        await behind.upstream.until(lambda up=behind.upstream: len(up.requests) > number)  # type: ignore[misc]
        post.cancel()
        await asyncio.gather(post, return_exceptions=True)
        await behind.upstream.until(lambda up=behind.upstream: up.cancelled == 1)  # type: ignore[misc]
        assert len(behind.upstream.requests) == number + 1


@spoken_in_all
@streamed_or_not
@pytest.mark.parametrize(("call", "says"), [
    (("toolstub_read", '{"ref": "ts_0123456789abcdef"}'), "no such ref"),
    (("toolstub_read", '{"ref": "ts_0123'), "ref"),
    (("toolstub_search", "[]"), "[toolstub] "),
    (("toolstub_fetch_everything", "{}"), "toolstub_read"),
])
async def test_a_call_that_makes_no_sense_gets_a_reply_that_helps(
    start: Start, spoken: Spoken, stream: bool, call: tuple[str, str], says: str,
) -> None:
    """A ref that was made up, arguments that are none, a tool that does not exist; the model goes on, unseen."""
    behind = await start(api=spoken.api, script=lambda body: None if spoken.rounds(body) else Reply("", (call,)))
    status, _, answer = await behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers)
    assert (status, b"toolstub_" in answer) == (200, False)
    reply = json.dumps(behind.upstream.bodies[1][spoken.said][-1])
    assert says in reply
    assert len(reply) < 1000


@spoken_in_all
@streamed_or_not
async def test_an_endless_loop_ends_with_an_answer(start: Start, spoken: Spoken, stream: bool) -> None:
    """In the last request our tools are not offered any more."""
    script = _calls_again(spoken)
    behind = await start(api=spoken.api, script=lambda body: script(body) if len(body["tools"]) > 1 else Reply("Done."))
    status, _, answer = await behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers)
    assert (status, b"Done." in answer, b"toolstub_" in answer) == (200, True, False)
    assert len(behind.upstream.requests) == 8 + 2


@spoken_in_all
@streamed_or_not
async def test_parallel_calls_are_all_answered(start: Start, spoken: Spoken, stream: bool) -> None:
    """Ours, twice the same among them, each with a reply of its own."""
    calls = (("toolstub_list", "{}"), ("toolstub_search", '{"query": "id_1234"}'), ("toolstub_list", "{}"))
    behind = await start(api=spoken.api,
                         script=lambda body: None if len(body[spoken.said]) > 3 else Reply("Look.", calls))
    status, _, answer = await behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers)
    assert (status, b"toolstub_" in answer) == (200, False)
    assert json.dumps(behind.upstream.bodies[1]).count("[toolstub] ") >= len(calls)


@spoken_in_all
@streamed_or_not
@pytest.mark.parametrize("arguments", ["", "{", '{"ref": "ts_01', "[]", "null", "5", '"x"'])
async def test_a_call_goes_back_with_arguments_that_are_an_object(
    start: Start, spoken: Spoken, stream: bool, arguments: str,
) -> None:
    """Many servers read those of a conversation, and answer 400 or 500 to others, though they made them."""
    behind = await start(api=spoken.api, script=lambda body: None if spoken.rounds(body) else
                         Reply("", (("toolstub_read", arguments),)))
    status, _, answer = await behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers)
    assert (status, HIDDEN in answer) == (200, True)
    call = behind.upstream.bodies[1][spoken.said][-2]
    given = {"chat": lambda: json.loads(call["tool_calls"][0]["function"]["arguments"]),
             "messages": lambda: call["content"][0]["input"], "responses": lambda: json.loads(call["arguments"])}
    assert given[spoken.name]() == {}
