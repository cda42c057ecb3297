"""How a proxy ends: gently, within a limit, and at once if asked twice."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import aiohttp
import pytest
from proxy_processes import POSIX, serving
from proxy_support import Start, body_of

from toolstub_proxy.demo.upstream import UpstreamApp
from toolstub_proxy.demo.upstream_model import Reply

pytestmark = POSIX
REQUEST = body_of([{"role": "user", "content": "hi"}], stream=True)
DONE = b"data: [DONE]\n\n"


class Running(NamedTuple):
    """A proxy in the middle of an answer."""

    process: asyncio.subprocess.Process
    url: str
    http: aiohttp.ClientSession
    answer: aiohttp.ClientResponse
    upstream: UpstreamApp

    async def ending(self) -> aiohttp.ClientResponse:
        """Wait until new requests are refused; the refusal."""
        while True:
            refusal = await self.http.post(self.url + "/chat/completions", json={})
            if refusal.status == 503:
                return refusal
            await asyncio.sleep(0.02)


@asynccontextmanager
async def _answering(folder: Path, *args: str) -> AsyncIterator[Running]:
    async with UpstreamApp(script=lambda body: Reply("word " * 20)) as upstream:
        upstream.gate = asyncio.Event()
        async with (
            serving("--upstream", upstream.url, *args, cwd=folder) as (process, url),
            aiohttp.ClientSession() as http,
            http.post(url + "/chat/completions", json=REQUEST) as answer,
        ):
            yield Running(process, url, http, answer, upstream)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
async def test_a_running_answer_ends_before_the_proxy_does(tmp_path: Path, number: int, status: int) -> None:
    """What comes anew is refused meanwhile, so that a balancer or an SDK tries elsewhere; health says so, too."""
    async with _answering(tmp_path) as running:
        running.process.send_signal(number)
        refusal = await running.ending()
        assert refusal.headers["Connection"] == "close"
        assert "ending" in (await refusal.json())["error"]["message"]
        async with running.http.get(running.url.removesuffix("/v1") + "/healthz") as health:
            assert (health.status, (await health.json())["status"]) == (503, "ending")
        assert running.upstream.gate is not None
        running.upstream.gate.set()
        assert (await running.answer.read()).endswith(DONE)
        assert await running.process.wait() == status


async def test_an_answer_that_takes_too_long_is_cut(tmp_path: Path) -> None:
    """The limit is `--drain`."""
    async with _answering(tmp_path, "--drain", "0.2") as running:
        running.process.terminate()
        with pytest.raises(aiohttp.ClientPayloadError):
            await running.answer.read()
        assert await running.process.wait() == 0


@pytest.mark.parametrize(("first", "second"), [(signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGTERM)])
async def test_a_second_signal_ends_it_at_once(tmp_path: Path, first: int, second: int) -> None:
    """Whoever asks twice means it."""
    async with _answering(tmp_path, "--drain", "3600") as running:
        running.process.send_signal(first)
        await running.ending()
        running.process.send_signal(second)
        assert await running.process.wait() == -second
        with pytest.raises(aiohttp.ClientError):
            await running.answer.read()


async def test_an_idle_proxy_ends_without_waiting(start: Start) -> None:
    """A connection that is merely open is no answer."""
    behind = await start(gateway={"drain_seconds": 3600})
    await behind.post(body_of([{"role": "user", "content": "hi"}]))
    async with asyncio.timeout(30):
        await behind.gateway.stop()
    assert not behind.gateway.serving
