"""What the tests of the process for large requests share: requests that go there, and what they ask of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from proxy_support import asked, body_of, log_of

from toolstub_proxy.apart import Apart
from toolstub_proxy.workplaces import LARGE_BYTES


def told_of(service: str, lines: int) -> list[dict[str, Any]]:
    """A conversation in which a log of so many lines came."""
    *before, result = asked(service)
    return [*before, {**result, "content": log_of(service, lines)}]


def large(service: str = "large") -> dict[str, Any]:
    """A request that is large enough."""
    messages = told_of(service, 20_000)
    assert len(messages[-1]["content"]) > LARGE_BYTES
    return body_of(messages)


SMALL = body_of(told_of("small", 1_000))
assert len(str(SMALL)) < LARGE_BYTES


async def until(true: Callable[[], object]) -> None:
    """Wait for something to be so."""
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110  a process tells of itself to nobody but its parent
            await asyncio.sleep(0.01)


async def stubbed(answer: asyncio.Task[tuple[int, Any, bytes]]) -> bool:
    """Whether a request that was answered had a stub in it."""
    status, headers, _ = await answer
    assert status == 200
    return "x-toolstub" in headers


class Counted(Apart):
    """Counts the requests that the process has rewritten."""

    done = 0

    async def hand_over(self, *args: Any) -> Any:
        """As ever."""
        taken = await super().hand_over(*args)
        self.done += taken is not None
        return taken


def pid_of(apart: Apart) -> int:
    """The process that is ready."""
    life = apart._life
    assert life is not None
    assert life.ready
    assert life.process is not None
    return life.process.pid


def under_way(apart: Apart) -> int:
    """How many requests the process is working on."""
    return len(apart._life.answers) if apart._life else 0
