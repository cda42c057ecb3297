"""A real mitmdump with the add-on, from a clone."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from proxy_processes import MITMDUMP, ROOT
from proxy_support import free_port

ADDON = ROOT / "proxy" / "toolstub_addon.py"


class Mitmdump:
    """A running mitmdump."""

    def __init__(self, process: asyncio.subprocess.Process, port: int, folder: Path) -> None:
        self.process = process
        self.url = f"http://127.0.0.1:{port}"
        self.authority = folder / "conf" / "mitmproxy-ca-cert.pem"

    async def says(self, *words: str) -> None:
        """Wait for these words in its log, in whatever order."""
        assert self.process.stdout is not None
        seen, awaited = [], [*words]
        while awaited:
            line = (await self.process.stdout.readline()).decode()
            if not line:
                pytest.fail("".join(seen))
            seen.append(line)
            awaited = [words for words in awaited if words not in line]


@asynccontextmanager
async def mitmdump(folder: Path, *args: str, addon: Path = ADDON, **more: str) -> AsyncIterator[Mitmdump]:
    """One that listens for as long as the context lasts, in `folder`, with these options and variables."""
    assert MITMDUMP is not None
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | more
    process = await asyncio.create_subprocess_exec(
        MITMDUMP, "-s", str(addon), "--listen-host", "127.0.0.1", "--listen-port", str(port), "--set",
        f"confdir={folder / 'conf'}", *args, cwd=folder, env=environment | {"PYTHONUNBUFFERED": "1"},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    try:
        yield Mitmdump(process, port, folder)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()
