"""Whatever goes wrong, a client is never worse off than without the gateway."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from proxy_support import ANSWER, Start, asked, body_of, deltas_of, log_of

from toolstub_ext import hidden_rounds, retrieval
from toolstub_ext.errors import StoreError
from toolstub_ext.rewriting import Rewriter
from toolstub_ext.store import Store
from toolstub_proxy.demo.upstream import Fault
from toolstub_proxy.demo.upstream_model import Reply

HTML = b"<html><body>502 Bad Gateway</body></html>"
JSON = {"Content-Type": "application/json"}
STREAM = {"Content-Type": "text/event-stream"}
FAULTS = [
    Fault(status=400, headers=JSON, body=b'{"error": {"message": "bad"}}'),
    Fault(status=401, headers=JSON | {"WWW-Authenticate": "Bearer"}, body=b'{"error": {"message": "no"}}'),
    Fault(status=429, headers=JSON | {"Retry-After": "7", "x-ratelimit-reset": "1s"}, body=b'{"error": {}}'),
    Fault(status=500, headers=JSON, body=b'{"error":{"message":"oops"}}'),
    Fault(status=502, headers={"Content-Type": "text/html"}, body=HTML),
    Fault(status=529, headers=JSON, body=b"{}"),
    Fault(headers=JSON, body=b""),
    Fault(headers=STREAM, body=b""),
    Fault(headers=JSON, body=b"garbage \xff"),
    Fault(headers=STREAM, body=b'data: garbage\n\ndata: \xff\n\n: x\n\ndata: []\n\ndata: {"choices": 3}\n\n'),
    Fault(headers={"Content-Type": "text/plain"}, body=b"plain"),
]


def _in_round(number: int, fault: Fault) -> Callable[[dict[str, Any]], Fault | None]:
    """The fault in the answer to the request that has so many hidden rounds."""
    return lambda body: fault if len(body["messages"]) == 3 + 2 * number else None


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("stream", [False, True])
async def test_an_error_of_the_upstream_arrives_as_it_was_sent(start: Start, fault: Fault, stream: bool) -> None:
    """Status, headers and body; nothing is retried."""
    behind = await start(fault=_in_round(0, fault))
    status, headers, answer = await behind.post(body_of(asked("a"), stream=stream))
    assert (status, answer) == (fault.status, fault.body)
    assert {name: headers[name] for name in fault.headers} == fault.headers
    assert len(behind.upstream.requests) == 1


@pytest.mark.parametrize("fault", FAULTS)
async def test_in_a_later_round_an_error_that_can_still_be_told_is_told(start: Start, fault: Fault) -> None:
    """Without a stream, the client has seen nothing yet."""
    behind = await start(fault=_in_round(1, fault))
    status, headers, answer = await behind.post(body_of(asked("a")))
    assert (status, answer) == (fault.status, fault.body)
    assert {name: headers[name] for name in fault.headers} == fault.headers
    assert len(behind.upstream.requests) == 2


@pytest.mark.parametrize("fault", FAULTS)
async def test_in_a_stream_an_error_of_a_later_round_is_an_event(start: Start, fault: Fault) -> None:
    """In the provider's shape, since the status is sent already; an answer never just stops."""
    behind = await start(fault=_in_round(1, fault))
    status, _, answer = await behind.post(body_of(asked("a"), stream=True))
    last = answer.rstrip(b"\n").rpartition(b"\n")[2]
    assert status == 200
    assert "error" in json.loads(last.removeprefix(b"data: "))
    assert b"toolstub_" not in answer
    if fault.status in (400, 500):
        assert json.loads(last.removeprefix(b"data: ")) == json.loads(fault.body or b"")


@pytest.mark.parametrize("events", [0, 1, 4])
@pytest.mark.parametrize("services", [(), ("a",)])
async def test_a_stream_that_is_cut_is_cut_for_the_client_too(start: Start, events: int, services: tuple[str]) -> None:
    """It must not take half an answer for a whole one; what came before arrives."""
    reply = Reply("word " * 20, (("toolstub_list", "{}"),) if services else ())
    behind = await start(script=lambda body: reply, fault=lambda body: Fault(cut=True, events=events))
    request = body_of(asked(*services) if services else [{"role": "user", "content": "hi"}], stream=True)
    seen = b""
    async with behind.http.post(behind.url + "/v1/chat/completions", json=request) as answer:
        with pytest.raises(aiohttp.ClientPayloadError):
            async for data in answer.content.iter_any():
                seen += data
    assert len(deltas_of(seen)) == events


async def test_a_cut_in_a_later_round_is_an_error_event(start: Start) -> None:
    """The client's own connection is well."""
    behind = await start(fault=_in_round(1, Fault(cut=True, events=2)))
    _, _, answer = await behind.post(body_of(asked("a"), stream=True))
    assert "error" in deltas_of(answer)[-1]


def _calls_again(body: dict[str, Any]) -> Reply:
    return Reply("Hm.", (("toolstub_list", json.dumps({"tool": str(len(body["messages"]))})),))


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("fault", [Fault(delay=3600), Fault(stall=True, events=1)])
async def test_when_the_client_leaves_the_upstream_request_ends(
    start: Start, number: int, stream: bool, fault: Fault,
) -> None:
    """In any round, whether the upstream is silent or in the middle of its answer."""
    if not stream:
        fault = Fault(delay=3600)
    behind = await start(script=_calls_again, fault=_in_round(number, fault))
    post = asyncio.create_task(behind.post(body_of(asked("a"), stream=stream)))
    await behind.upstream.until(lambda: behind.upstream.halted == 1)
    post.cancel()
    with pytest.raises(asyncio.CancelledError):
        await post
    await behind.upstream.until(lambda: behind.upstream.cancelled == 1)


class _Broken:
    """A store whose disk is full: it reads, but keeps nothing new."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        if name in ("put", "put_rounds"):
            raise StoreError("database or disk is full")
        return getattr(self._store, name)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_store_that_fails_leaves_the_originals(
    start: Start, store: Store, stream: bool, caplog: pytest.LogCaptureFixture,
) -> None:
    """The model sees everything, the user is told once."""
    behind = await start(store=_Broken(store))
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            _, headers, answer = await behind.post(body_of(asked("a"), stream=stream))
            assert ANSWER.split("=")[1].encode() in answer
            assert "x-toolstub" not in headers
    assert behind.upstream.bodies[-1]["messages"][2]["content"] == log_of("a")
    assert len([r for r in caplog.records if "disk is full" in r.getMessage()]) == 1


@pytest.mark.parametrize(("mode", "status"), [("preserve_raw", 200), ("preview_only", 200), ("reject", 503)])
async def test_the_failure_mode_decides_what_a_failing_store_means(
    start: Start, store: Store, mode: str, status: int,
) -> None:
    """`reject` answers in the provider's shape, before anything is sent upstream."""
    behind = await start(store=_Broken(store), settings={"externalize__failure_mode": mode})
    got, _, answer = await behind.post(body_of(asked("a")))
    assert got == status
    if mode == "reject":
        assert "disk is full" in json.loads(answer)["error"]["message"]
        assert behind.upstream.requests == []
    else:
        sent = behind.upstream.bodies[0]["messages"][2]["content"]
        assert (sent == log_of("a")) is (mode == "preserve_raw")


async def test_a_locked_store_does_not_hold_up_other_clients(start: Start, tmp_path: Path) -> None:
    """Another process may hold the database; requests without results need no store."""
    behind = await start()
    with sqlite3.connect(tmp_path / "store.db", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        waiting = asyncio.create_task(behind.post(body_of(asked("a"))))
        status, _, _ = await behind.post(body_of([{"role": "user", "content": "hi"}]))
        assert status == 200
        assert not waiting.done()
        other.execute("ROLLBACK")
    other.close()
    status, _, answer = await waiting
    assert (status, ANSWER.encode() in answer) == (200, True)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_bug_in_what_answers_a_call_ends_no_answer(
    start: Start, monkeypatch: pytest.MonkeyPatch, stream: bool,
) -> None:
    """Nor does one in what keeps the round. The model is told, and goes on."""
    monkeypatch.setattr(retrieval, "run", lambda *args, **more: 1 / 0)
    monkeypatch.setattr(hidden_rounds, "remember", lambda *args, **more: 1 / 0)
    behind = await start()
    status, _, answer = await behind.post(body_of(asked("a"), stream=stream))
    assert (status, b"w id_1234." in answer, b"toolstub" in answer) == (200, True, False)
    assert "fault of toolstub" in behind.upstream.bodies[1]["messages"][-1]["content"]


async def test_a_bug_of_ours_leaves_the_request_as_it_came(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worst that can happen is that nothing is saved."""
    monkeypatch.setattr(Rewriter, "_rewrite", lambda *args, **more: 1 / 0)
    behind = await start()
    request = json.dumps(body_of(asked("a"))).encode()
    status, _, _ = await behind.post(request)
    assert (status, behind.upstream.requests) == (200, [request])
