"""Bodies as clients may send them, in every format: what can be read is stubbed, what cannot arrives as it was sent."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from proxy_support import ANSWER, ENCODINGS, Start, log_of
from spoken import FORMATS, Spoken

from toolstub_ext.errors import StoreError
from toolstub_ext.store import Store
from toolstub_ext.synopsis import is_stub
from toolstub_proxy import gateway
from toolstub_proxy.demo.upstream_model import Reply

HIDDEN = ANSWER.split("=")[1].encode()
spoken_in_all = pytest.mark.parametrize("spoken", FORMATS, ids=lambda spoken: spoken.name)


@spoken_in_all
@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_a_compressed_request_is_read(start: Start, spoken: Spoken, encoding: str) -> None:
    """And goes on without compression, as it was changed."""
    behind = await start(api=spoken.api)
    sent = ENCODINGS[encoding](json.dumps(spoken.body()).encode())
    status, headers, answer = await behind.post(
        sent, spoken.path, headers=dict(spoken.headers) | {"Content-Encoding": encoding})
    assert (status, HIDDEN in answer) == (200, True)
    assert headers["x-toolstub"].startswith("stubs=1; ")
    assert is_stub(spoken.result_in(behind.upstream.bodies[0]))
    assert "Content-Encoding" not in behind.upstream.headers[0]


@spoken_in_all
@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_a_compressed_request_that_is_damaged_arrives_as_it_was_sent(
    start: Start, spoken: Spoken, encoding: str,
) -> None:
    """Cut short, or with something in front."""
    behind = await start(api=spoken.api)
    whole = ENCODINGS[encoding](json.dumps(spoken.body()).encode())
    headers = dict(spoken.headers) | {"Content-Encoding": encoding}
    for sent in (whole[:-9], b"\x00" + whole):
        status, told, _ = await behind.post(sent, spoken.path, headers=headers)
        direct, _, _ = await behind.post_to(behind.upstream.url, sent, spoken.path, headers=headers)
        assert status == direct
        assert "x-toolstub" not in told


@spoken_in_all
@pytest.mark.parametrize("stream", [False, True])
async def test_a_request_in_chunks_is_read(start: Start, spoken: Spoken, stream: bool) -> None:
    """However it is cut."""
    behind = await start(api=spoken.api)
    whole = json.dumps(spoken.body(stream=stream)).encode()

    async def chunks() -> AsyncIterator[bytes]:
        for at in range(0, len(whole), 10_007):
            yield whole[at:at + 10_007]

    headers = {"Content-Type": "application/json"} | dict(spoken.headers)
    async with behind.http.post(behind.url + spoken.path, data=chunks(), headers=headers) as answer:
        assert (answer.status, HIDDEN in await answer.read()) == (200, True)
    assert is_stub(spoken.result_in(behind.upstream.bodies[0]))


@spoken_in_all
@pytest.mark.parametrize("spoil", [
    lambda body: b"\xef\xbb\xbf" + body, lambda body: body.replace(b"INFO", b"\xff\xfe\xff"), lambda body: body[:-1],
    lambda body: body + b"x", lambda body: body.decode().encode("utf-16"), lambda body: b"", lambda body: b"not JSON",
], ids=["BOM", "invalid UTF-8", "cut", "more", "UTF-16", "empty", "text"])
async def test_a_body_that_is_no_json_arrives_as_it_was_sent(
    start: Start, spoken: Spoken, spoil: Callable[[bytes], bytes],
) -> None:
    """Whatever the upstream makes of it, its answer is the client's."""
    behind = await start(api=spoken.api)
    sent = spoil(json.dumps(spoken.body()).encode())
    status, _, _ = await behind.post(sent, spoken.path, headers=spoken.headers)
    direct, _, _ = await behind.post_to(behind.upstream.url, sent, spoken.path, headers=spoken.headers)
    assert status == direct
    assert behind.upstream.requests == [sent, sent]


async def test_a_hundred_megabytes_go_through(start: Start, store: Store) -> None:
    """Stubbed, stored and answered; a small request does not wait for that."""
    spoken = FORMATS[0]
    behind = await start(api=spoken.api)
    text = log_of("a") * 760
    assert len(text) > 100_000_000
    large = asyncio.create_task(behind.post(spoken.body(text), spoken.path))
    await asyncio.sleep(0)
    small = await behind.post(spoken.hello(), spoken.path)
    assert small[0] == 200
    status, _, answer = await large
    assert (status, HIDDEN in answer) == (200, True)
    assert max(map(len, behind.upstream.requests)) < 100_000
    (entry,) = store.list(session=None).items
    assert entry.chars == len(text)


@spoken_in_all
async def test_a_body_that_is_too_large_to_be_read_passes(
    start: Start, spoken: Spoken, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was read of it and what was not, in order."""
    monkeypatch.setattr(gateway, "DECODED_BYTES", 100_000)
    behind = await start(api=spoken.api, script=lambda body: Reply("Fine."))
    sent = json.dumps(spoken.body()).encode()
    status, headers, _ = await behind.post(sent, spoken.path, headers=spoken.headers)
    assert (status, behind.upstream.requests) == (200, [sent])
    assert "x-toolstub" not in headers


class _Dying:
    """A store that keeps originals and then fails at everything."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        def fail(*_: Any, **__: Any) -> Any:
            raise StoreError("disk I/O error")

        return self._store.put if name == "put" else fail if name != "close" else self._store.close


@spoken_in_all
@pytest.mark.parametrize("stream", [False, True])
async def test_a_store_that_dies_behind_a_stub_ends_in_an_answer(
    start: Start, store: Store, spoken: Spoken, stream: bool,
) -> None:
    """The model is told that it cannot read, in one line, and the client is answered."""
    behind = await start(api=spoken.api, store=_Dying(store))
    status, _, answer = await behind.post(spoken.body(stream=stream), spoken.path, headers=spoken.headers)
    assert (status, b"toolstub_" in answer) == (200, False)


@spoken_in_all
async def test_a_clock_that_jumps_changes_nothing(
    start: Start, spoken: Spoken, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither stubs nor hidden rounds depend on it: the next request begins with the bytes of the last."""
    behind = await start(api=spoken.api)
    body = spoken.body()
    sent = []
    for jump in (0.0, 10 * 365 * 86400.0, -20 * 365 * 86400.0):
        now = time.time() + jump
        monkeypatch.setattr(time, "time", lambda now=now: now)
        behind.upstream.requests.clear()
        status, _, answer = await behind.post(body, spoken.path, headers=spoken.headers)
        monkeypatch.undo()
        assert (status, HIDDEN in answer) == (200, True)
        sent.append([*behind.upstream.requests])
    assert sent[0][0] == sent[1][0] == sent[2][0]
    assert len(sent[0]) == len(sent[1]) == len(sent[2])
