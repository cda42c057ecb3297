"""What runs in a real mitmdump while its script, or what is set, changes."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from mitmdump_process import MITMDUMP, Mitmdump, mitmdump
from proxy_support import ANSWER, asked, body_of, deltas_of

from toolstub_proxy.demo.upstream import UpstreamApp

ROOT = Path(__file__).parents[2]
PATH = "/v1/chat/completions"
pytestmark = pytest.mark.skipif(MITMDUMP is None, reason="no mitmdump: set TOOLSTUB_MITMDUMP to the one to test with")


async def _ask(base: str) -> str:
    async with aiohttp.ClientSession() as http, http.post(base + PATH, json=body_of(asked("a"), stream=True)) as answer:
        return "".join(choice["delta"].get("content") or "" for chunk in deltas_of(await answer.read())
                       for choice in chunk["choices"])


def _script(folder: Path) -> Path:
    """A script of one's own that has the add-on."""
    script = folder / "script.py"
    script.write_text(f"import sys\nsys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'proxy')!r}]\n"
                      "from toolstub_proxy.addon import ToolstubAddon\naddons = [ToolstubAddon()]\n")
    return script


def _edit(script: Path) -> None:
    """Make it a newer one, so that mitmproxy loads it again."""
    os.utime(script, (script.stat().st_mtime + 10,) * 2)


@asynccontextmanager
async def _reloading(folder: Path) -> AsyncIterator[tuple[UpstreamApp, Mitmdump, Path]]:
    """A provider, a mitmdump in front of it that is at work, and its script."""
    script = _script(folder)
    async with UpstreamApp() as upstream, mitmdump(folder, "--mode", f"reverse:{upstream.url}", addon=script) as mitm:
        await mitm.says("at work")
        yield upstream, mitm, script


async def test_a_reload_of_the_script_changes_nothing(tmp_path: Path) -> None:
    """Mitmproxy loads a script again when its file changes."""
    async with _reloading(tmp_path) as (upstream, mitm, script):
        _edit(script)
        await mitm.says("at work")
        assert await _ask(mitm.url) == ANSWER
        assert len(upstream.requests) > 1


@pytest.mark.parametrize("ends", [False, True])
async def test_a_stream_outlives_a_reload_but_not_mitmproxy(tmp_path: Path, ends: bool) -> None:
    """However long the model takes after it; new requests go to what was loaded. At its end nothing is waited for."""
    async with _reloading(tmp_path) as (upstream, mitm, script), aiohttp.ClientSession() as http:
        upstream.gate = asyncio.Event()
        async with http.post(mitm.url + PATH, json=body_of([{"role": "user", "content": "hi"}], stream=True)) as answer:
            seen = b""
            while b"Hello" not in seen:
                seen += await answer.content.readany()
            _edit(script)
            await mitm.says("at work")
            if ends:
                began = time.monotonic()
                mitm.process.terminate()
                await mitm.process.wait()
                assert time.monotonic() - began < 10
                return
            await asyncio.sleep(2)
            upstream.gate.set()
            assert (seen + await answer.read()).endswith(b"data: [DONE]\n\n")
        assert await _ask(mitm.url) == ANSWER


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="where the system does not list a process's files")
async def test_reloads_leave_nothing_behind(tmp_path: Path) -> None:
    """Neither sockets nor threads, however often a script is edited."""
    async with _reloading(tmp_path) as (_, mitm, script):
        held = []
        for _ in range(5):
            assert await _ask(mitm.url) == ANSWER
            held.append(_held(mitm))
            _edit(script)
            await mitm.says("at work", "ended")
        files, threads = (max(both) for both in zip(*held[:2], strict=True))  # one of them with the process apart
        assert held[-1][0] <= files + 2, held
        assert held[-1][1] <= threads + 8, held


def _held(mitm: Mitmdump) -> tuple[int, int]:
    """The files and threads of a process."""
    of_process = Path(f"/proc/{mitm.process.pid}")
    return len(list((of_process / "fd").iterdir())), len(list((of_process / "task").iterdir()))
