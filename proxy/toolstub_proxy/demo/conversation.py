"""The demo's conversation: the same agent and the same question twice, straight to the stand-in and through the proxy.

What the stand-in received is counted, so retrieval rounds and tool definitions are on the bill.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import urllib.request
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from .failure import DemoFailed
from .model import question_about, reply_to
from .upstream import UpstreamApp

SOURCE = urllib.request.__file__
"""A real file that is on every machine: 120,000 characters with line numbers."""
STUB = "[toolstub] tool result externalized\n"


@dataclass(frozen=True, slots=True)
class Talk:
    """One run of the agent: what it printed, and every request body that reached the model."""

    answer: str
    tools_seen: str
    bodies: tuple[str, ...]

    @property
    def sent(self) -> str:
        """All that the model was sent, request after request."""
        return "".join(self.bodies)

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages of the last request."""
        found: list[dict[str, str]] = json.loads(self.bodies[-1])["messages"]
        return found

    @property
    def stub(self) -> str:
        """What the model got in place of the file, or nothing."""
        return next((m["content"] for m in self.messages if m["role"] == "tool" and m["content"].startswith(STUB)), "")

    @property
    def retrievals(self) -> list[str]:
        """The calls of ours that the model made."""
        calls = re.findall(r'"name": ?"(toolstub_\w+)", ?"arguments"', self.bodies[-1])
        return [str(name) for name in calls]


async def talk_directly() -> Talk:
    """The agent and the stand-in, nothing between them."""
    async with UpstreamApp(script=reply_to) as upstream:
        return await _run_agent(upstream, upstream.url)


async def talk_through_proxy(store: Path) -> Talk:
    """The same with a `toolstub proxy` between them."""
    async with UpstreamApp(script=reply_to) as upstream, _proxy(upstream.url, store) as url:
        return await _run_agent(upstream, url)


async def _run_agent(upstream: UpstreamApp, url: str) -> Talk:
    env = _clean(os.environ) | {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "the-stand-in-takes-any"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "toolstub_proxy.demo.agent", question_about(SOURCE),
        env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    answer, tools = await process.communicate()
    if process.returncode:
        raise DemoFailed(f"the agent failed: {tools.decode(errors='replace').strip()}")
    return Talk(answer.decode().strip(), tools.decode().strip(), tuple(body.decode() for body in upstream.requests))


@asynccontextmanager
async def _proxy(upstream: str, store: Path) -> AsyncIterator[str]:
    """A real proxy on a free port; its base URL without `/v1`."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "toolstub_ext", "proxy", "--listen", "127.0.0.1:0", "--upstream", upstream,
        "--preset", "default", "--store", str(store),
        env=_clean(os.environ), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    try:
        yield await _announced(process)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _announced(process: asyncio.subprocess.Process) -> str:
    """The URL in what the proxy says when it is ready."""
    said = ""
    while process.stdout and (line := (await process.stdout.readline()).decode(errors="replace")):
        said += line
        if url := re.search(r"http://127\.0\.0\.1:\d+", line):
            return url[0]
    raise DemoFailed(f"the proxy did not start: {said.strip()}")


def _clean(environment: Mapping[str, str]) -> dict[str, str]:
    """Without what could send the demo elsewhere: settings of the user's, and HTTP proxies."""
    kept = {name: value for name, value in environment.items()
            if not name.startswith(("TOOLSTUB_", "OPENAI_")) and not name.lower().endswith("_proxy")}
    return kept | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
