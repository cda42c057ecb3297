"""The proxy in the ways people start it, each a process of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from proxy_support import free_port

ROOT = Path(__file__).parents[2]
_START_SECONDS = 120
TOOLSTUB = (sys.executable, "-m", "toolstub_ext")
CLEAN = {name: value for name, value in os.environ.items()
         if not name.startswith(("TOOLSTUB_", "OPENAI_", "ANTHROPIC_", "CLAUDE", "CODEX"))
         and name.lower() not in ("http_proxy", "https_proxy", "all_proxy", "no_proxy")}
"""Our environment without what could lead a client elsewhere."""


def environment_of(folder: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """The environment of a proxy whose store is in a folder of its own."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "proxy")])
    own = {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1", "TOOLSTUB_STORE": str(folder / "store.db")}
    return {**CLEAN, **own, **settings}


@asynccontextmanager
async def proxy(folder: Path, upstream: str, settings: Mapping[str, str]) -> AsyncIterator[str]:
    """`toolstub proxy`; where it listens."""
    port = free_port()
    command = [*TOOLSTUB, "proxy", "--listen", f"127.0.0.1:{port}", "--upstream", upstream]
    async with _running(command, folder, environment_of(folder, settings), "set OPENAI_BASE_URL"):
        yield f"http://127.0.0.1:{port}"


@asynccontextmanager
async def mitmdump(folder: Path, program: Path, mode: str, settings: Mapping[str, str],
                   *more: str) -> AsyncIterator[str]:
    """Mitmdump with the add-on from the clone; where it listens. Its authority is in `folder/conf`."""
    port = free_port()
    command = [str(program), "-s", str(ROOT / "proxy" / "toolstub_addon.py"), "--listen-host", "127.0.0.1",
               "--listen-port", str(port), "--set", f"confdir={folder / 'conf'}", "--mode", mode, *more]
    environment = environment_of(folder, settings)
    del environment["PYTHONPATH"]
    async with _running(command, folder, environment, "at work"):
        yield f"http://127.0.0.1:{port}"


class NotReadyError(Exception):
    """A proxy ended, or took too long, before it was ready; with the end of what it said."""


@asynccontextmanager
async def _running(command: list[str], folder: Path, environment: dict[str, str], ready: str) -> AsyncIterator[None]:
    log = folder / "proxy.log"
    with log.open("wb") as file:
        process = await asyncio.create_subprocess_exec(*command, cwd=folder, env=environment, stdout=file, stderr=file,
                                                       stdin=asyncio.subprocess.DEVNULL)
    try:
        for _ in range(_START_SECONDS * 20):
            if process.returncode is not None or ready in log.read_text(errors="replace"):
                break
            await asyncio.sleep(0.05)
        if ready not in log.read_text(errors="replace"):
            raise NotReadyError(f"the proxy did not start: {log.read_text(errors='replace')[-500:]}")
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
