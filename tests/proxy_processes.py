"""The commands of the proxy as processes, as a shell starts them."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def _mitmdump() -> str | None:
    beside = Path(sys.executable).with_name("mitmdump.exe" if os.name == "nt" else "mitmdump")
    named = os.environ.get("TOOLSTUB_MITMDUMP")
    return next((path for path in (named, str(beside)) if path and shutil.which(path)), None)


MITMDUMP = _mitmdump()
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX knows them")


def environment(**more: str) -> dict[str, str]:
    """Ours, without base URLs of its own, and with the commands of this clone."""
    paths = os.pathsep.join((str(ROOT), str(ROOT / "proxy")))
    dropped = ("OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return kept | {"PYTHONPATH": paths, "OPENAI_API_KEY": "any"} | more


async def toolstub(*args: str, cwd: Path, **more: str) -> asyncio.subprocess.Process:
    """Start a command of `toolstub`."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "toolstub_ext", *args, cwd=cwd, env=environment(**more),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)


async def ran(*args: str, cwd: Path, **more: str) -> tuple[int | None, str, str]:
    """Run a command of `toolstub` to its end: status, output, errors."""
    process = await toolstub(*args, cwd=cwd, **more)
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


@asynccontextmanager
async def serving(*args: str, cwd: Path, **more: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """A `toolstub proxy`, and the base URL it names."""
    process = await toolstub("proxy", "--listen", "127.0.0.1:0", *args, cwd=cwd, **more)
    assert process.stderr is not None
    try:
        line = (await process.stderr.readline()).decode()
        found = re.search(r"OPENAI_BASE_URL=(\S+/v1)", line)
        assert found, line
        yield process, found[1]
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def children(pid: int) -> list[int]:
    """The processes that a process has started, and that have not been waited for."""
    listed = [Path(f"/proc/{pid}/task/{task.name}/children") for task in Path(f"/proc/{pid}/task").iterdir()]
    return [int(child) for names in listed for child in names.read_text().split()]


def told(pid: int, what: str) -> bytes:
    """What the system tells about a process; nothing, if that has gone."""
    try:
        return Path(f"/proc/{pid}/{what}").read_bytes()
    except OSError:
        return b""


def is_alive(pid: int) -> bool:
    """Whether there is such a process, and it is no zombie."""
    return told(pid, "stat").rpartition(b")")[2].split()[:1] not in ([], [b"Z"])
