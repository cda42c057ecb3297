# ruff: noqa: T201
"""A proxy under mixed load for as long as you like: no request fails, and its memory stays what it was.

    python tests/soak_proxy.py --minutes 30 --clients 16

Clients hold conversations in all three formats, streamed and not, with results of a kilobyte to two megabytes; some
leave in the middle of an answer, some ask for other paths. What only a hidden original says has to be in the answer.
The exit status is 1 if a request failed, or if memory (with that of the process for large requests) grew by more than
a tenth after the first third of the time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parent.parent
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "proxy")]

import aiohttp  # noqa: E402
import psutil  # noqa: E402
from aiohttp import web  # noqa: E402
from spoken import FORMATS, Spoken  # noqa: E402

from toolstub_proxy.demo.upstream import UpstreamApp  # noqa: E402

MOST_GROWTH = 1.10
LEAST_MINUTES = 3.0
"""A shorter run fills the proxy's memory of conversations and tells nothing of what happens then."""
TURNS = 6
_SIZES = (20, 60, 200, 800, 3_000, 6_000, 40_000)
_WEIGHTS = (20, 20, 20, 20, 14, 5, 1)
"""Lines of a result, and how common each is."""


@dataclass
class Seen:
    """What came of it."""

    requests: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    """Seconds since the start, and MB."""
    slowest: float = 0.0


def forgetful(api: type[UpstreamApp]) -> UpstreamApp:
    """A stand-in that does not keep what it was asked, as that would fill the memory of this process."""

    class Forgetful(api):  # type: ignore[misc, valid-type]
        async def _answered(self, request: Any, raw: bytes) -> Any:
            self.requests.clear()
            self.headers.clear()
            if len(getattr(self, "kept", ())) > 64:
                self.kept.clear()
            return await super()._answered(request, raw)

    stand_in: UpstreamApp = Forgetful()
    return stand_in


def result(chance: random.Random, name: str, lines: int) -> tuple[str, str]:
    """A tool result, and what it says of one name in its middle, where no stub shows it."""
    values = [chance.randrange(10**6) for _ in range(lines)]
    at = lines // 2
    if chance.random() < 0.5:
        rows = [f"2026-01-02 INFO request {name}_{n}=v{value} done" for n, value in enumerate(values)]
        return "\n".join(rows), f"{name}_{at}=v{values[at]}"
    rows = [json.dumps({"row": n, "note": f"{name}_{n}=v{value}", "size": value}) for n, value in enumerate(values)]
    return "[" + ",\n".join(rows) + "]", f"{name}_{at}=v{values[at]}"


class Client:
    """One client: conversation after conversation, until the time is over."""

    def __init__(self, number: int, http: aiohttp.ClientSession, url: str, seen: Seen, end: float) -> None:
        self._number = number
        self._http = http
        self._url = url
        self._seen = seen
        self._end = end
        self._chance = random.Random(number)

    async def run(self) -> None:
        """All of them."""
        talks = 0
        while time.monotonic() < self._end:
            talks += 1
            await self._talk(self._chance.choice(FORMATS), f"n{self._number}_{talks}")

    async def _talk(self, spoken: Spoken, name: str) -> None:
        items: list[Any] = []
        for turn in range(self._chance.randint(1, TURNS)):
            if time.monotonic() > self._end:
                return
            text, hidden = result(self._chance, f"{name}_{turn}", self._chance.choices(_SIZES, _WEIGHTS)[0])
            items.append({"role": "user", "content": f"What is {hidden.partition('=')[0]}?"})
            items += spoken.turn(f"call_{name}_{turn}", text)
            stream = self._chance.random() < 0.7
            body = {**spoken.hello(stream=stream), spoken.said: items}
            dice = self._chance.random()
            if dice < 0.05:
                await self._leave(spoken, body)
            elif dice < 0.1:
                await self._elsewhere(spoken)
            answer = await self._ask(spoken, body)
            if hidden not in answer:
                self._seen.failures.append(f"{spoken.name}, stream {stream}: no {hidden} in {answer[:200]!r}")
                return
            items.append({"role": "assistant", "content": f"ANSWER {hidden}"})

    async def _ask(self, spoken: Spoken, body: dict[str, Any]) -> str:
        began = time.monotonic()
        self._seen.requests[f"{spoken.name}{', streamed' if body['stream'] else ''}"] += 1
        try:
            sent = BytesIO(json.dumps(body).encode())
            headers = {"Content-Type": "application/json", **spoken.headers}
            async with self._http.post(self._url + spoken.path, data=sent, headers=headers) as answer:
                said = await answer.read()
                if answer.status != 200 or b"toolstub_" in said:
                    return f"{answer.status} {said[:200]!r}"
        except aiohttp.ClientError as error:
            return repr(error)
        self._seen.slowest = max(self._seen.slowest, time.monotonic() - began)
        return "".join(texts_in(said)) if body["stream"] else said.decode()

    async def _leave(self, spoken: Spoken, body: dict[str, Any]) -> None:
        self._seen.requests["left early"] += 1
        with suppress(TimeoutError):
            async with asyncio.timeout(self._chance.random() / 20):
                await self._ask(spoken, body)

    async def _elsewhere(self, spoken: Spoken) -> None:
        self._seen.requests["other paths"] += 1
        async with self._http.get(self._url + "/v1/models/x") as answer:
            await answer.read()


def texts_in(stream: bytes) -> Iterator[str]:
    """What a stream of any format says, piece by piece."""
    for data in re.findall(rb"^data: (\{.*)$", stream, re.MULTILINE):
        event = json.loads(data)
        delta = event.get("delta")
        if isinstance(delta, str) and event["type"] == "response.output_text.delta":
            yield delta
        elif isinstance(delta, dict):
            yield delta.get("text") or ""
        for choice in event.get("choices") or ():
            yield choice["delta"].get("content") or ""


@asynccontextmanager
async def providers() -> AsyncIterator[str]:
    """The stand-ins of all formats on one port; its URL."""
    app = web.Application(client_max_size=1 << 30)
    for spoken in FORMATS:
        app.router.add_post(spoken.path, forgetful(spoken.api)._posted)
    runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def proxy(folder: str, upstream: str, seen: Seen) -> AsyncIterator[tuple[str, psutil.Process]]:
    """A `toolstub proxy` in a process of its own: its URL, and the process.

    That it ended badly, or complained of itself, is noted.
    """
    paths = os.pathsep.join((str(ROOT), str(ROOT / "proxy")))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "toolstub_ext", "proxy", "--listen", "127.0.0.1:0", "--upstream", upstream, "--store",
        str(Path(folder) / "store.db"), cwd=folder, env=os.environ | {"PYTHONPATH": paths},
        stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    line = (await process.stderr.readline()).decode()
    found = re.search(r"ANTHROPIC_BASE_URL=([^)\s]+)", line)
    if not found:
        raise RuntimeError(line)
    rest = asyncio.create_task(process.stderr.read())
    try:
        yield found[1], psutil.Process(process.pid)
    finally:
        process.terminate()
        said = await rest
        if await process.wait() or b"Traceback" in said:
            seen.failures.append(f"the proxy ended with {process.returncode}: {said[-500:]!r}")


def megabytes(process: psutil.Process) -> float:
    """What a proxy takes of memory, with the process in which it rewrites large requests."""
    taken = 0.0
    for each in (process, *process.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            taken += each.memory_info().rss / 1e6
    return taken


async def soak(minutes: float, clients: int) -> Seen:
    """Run the load."""
    seen, began = Seen(), time.monotonic()
    connector, limit = aiohttp.TCPConnector(limit=0), aiohttp.ClientTimeout(total=300)
    with TemporaryDirectory() as folder:
        async with (
            providers() as upstream,
            proxy(folder, upstream, seen) as (url, process),
            aiohttp.ClientSession(connector=connector, timeout=limit) as http,
        ):
            end = began + minutes * 60
            running = [asyncio.create_task(Client(n, http, url, seen, end).run()) for n in range(clients)]
            while not all(task.done() for task in running):
                await asyncio.wait(running, timeout=min(5.0, minutes * 6))
                seen.memory.append((time.monotonic() - began, megabytes(process)))
            await asyncio.gather(*running)
    return seen


def growth(memory: list[tuple[float, float]]) -> float:
    """How much more memory was taken in the last third of the time than in the second."""
    last = memory[-1][0]
    second = [taken for at, taken in memory if last / 3 <= at < last * 2 / 3]
    third = [taken for at, taken in memory if at >= last * 2 / 3]
    return median(third) / median(second) if second and median(second) else 1.0


def main() -> int:
    """Run and tell."""
    parser = argparse.ArgumentParser(description="Put a proxy under mixed load.")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--clients", type=int, default=16)
    given = parser.parse_args()
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)  # the stand-ins complain of clients that left
    seen = asyncio.run(soak(given.minutes, given.clients))
    grown = growth(seen.memory)
    for what, number in sorted(seen.requests.items()):
        print(f"{number:>8,}  {what}")
    print(f"{len(seen.failures):>8,}  failed" + "".join(f"\n          {line}" for line in seen.failures[:10]))
    points = seen.memory[::max(1, len(seen.memory) // 12)]
    print("MB: " + ", ".join(f"{taken:.0f} at {at:.0f} s" for at, taken in points))
    print(f"slowest answer {seen.slowest:.1f} s; memory in the last third {grown:.2f} of that in the second"
          + ("" if given.minutes >= LEAST_MINUTES else " (too short to tell)"))
    flat = grown <= MOST_GROWTH or given.minutes < LEAST_MINUTES
    return 0 if flat and not seen.failures and seen.requests else 1


if __name__ == "__main__":
    sys.exit(main())
