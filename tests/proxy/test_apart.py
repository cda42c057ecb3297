"""Large requests are rewritten in a process of their own, and whatever becomes of that process, they are answered."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from formats_support import FORMATS, PATHS
from proxy_processes import POSIX, children, is_alive, serving, told, toolstub
from proxy_support import ANSWER, Behind, Start, asked, body_of, log_of

from toolstub_ext.presets import PRESETS
from toolstub_ext.rewriting import rewrite
from toolstub_ext.settings import load_settings
from toolstub_ext.store import Store
from toolstub_proxy import workplaces
from toolstub_proxy.apart import Apart
from toolstub_proxy.demo.upstream_model import Reply
from toolstub_proxy.jobs import Job, opening, settings_in
from toolstub_proxy.workplaces import LARGE_BYTES, Workplaces

pytestmark = POSIX
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc for processes")


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


@pytest.fixture
def sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that is alone goes there as any other does."""
    monkeypatch.setattr(workplaces, "LARGE_ALONE_BYTES", LARGE_BYTES)


@pytest.fixture
def apart_of(start: Start, tmp_path: Path, sooner: None) -> Callable[..., Any]:
    """A gateway with a process of its own that is ready, and that process."""

    async def begin(settings: dict[str, Any] | None = None, **more: Any) -> tuple[Behind, Apart]:
        chosen = {"store": str(tmp_path / "store.db"), **(settings or {})}
        apart = Apart(load_settings(**chosen), **more)
        behind = await start(gateway={"apart": apart}, settings=chosen, script=lambda body: Reply("Done."))
        await until(lambda: apart.ready)
        return behind, apart

    return begin


async def stubbed(answer: asyncio.Task[tuple[int, Any, bytes]]) -> bool:
    """Whether a request that was answered had a stub in it."""
    status, headers, _ = await answer
    assert status == 200
    return "x-toolstub" in headers


@pytest.mark.parametrize("wire", PATHS)
async def test_what_is_made_apart_is_what_is_made_here(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wire: str
) -> None:
    """Byte for byte and reason for reason, in every request of a conversation; both may take turns in it."""
    settings = load_settings(store=str(tmp_path / "store.db"))
    apart = Apart(settings)
    places = Workplaces(store, settings, apart)
    places.open()
    try:
        await until(lambda: apart.ready)
        member, tell, tool = FORMATS[wire]
        said = [([("Read", log_of(f"s{number % 3}", 200 + number), False)], "so") for number in range(6)]
        messages: list[Any] = [{"role": "user", "content": "What is it?"}]
        for number, more in enumerate(tell(said)):
            messages += more
            body = json.dumps({"tools": [tool], member: messages}).encode()
            monkeypatch.setattr(workplaces, "LARGE_BYTES", 0 if number % 3 else 10**9)
            done = await places.rewrite(body, Job("local", PATHS[wire], "s"))
            alone = rewrite(body, store=store, settings=settings, path=PATHS[wire], session="s")
            assert (done.body, done.decisions, done.reading) == (alone.body, alone.decisions, alone.reading)
            assert (done.understood, done.tokens_after) == (alone.understood, alone.tokens_after)
            assert apart.done == number + 1 - len(range(0, number + 1, 3))
        assert done.body != body
        assert not places.faults
    finally:
        places.close()


async def test_a_request_that_is_alone_stays_here_unless_it_would_keep_the_next_one_waiting(
    store: Store, tmp_path: Path
) -> None:
    """What comes out is the same."""
    settings = load_settings(store=str(tmp_path / "store.db"))
    places = Workplaces(store, settings, apart := Apart(settings))
    places.open()
    try:
        await until(lambda: apart.ready)
        for lines, alone, there in [(20_000, True, 0), (20_001, False, 1), (100_000, True, 1)]:
            body, before = json.dumps(body_of(told_of("a", lines))).encode(), apart.done
            done = await places.rewrite(body, Job("local", PATHS["chat"], "s"), alone=alone)
            assert apart.done - before == there
            assert done.body == rewrite(body, store=store, settings=settings, session="s").body
    finally:
        places.close()


@pytest.mark.parametrize("preset", PRESETS)
def test_it_is_told_the_settings_as_they_are(preset: str) -> None:
    """Down to the rule for each kind and tool."""
    settings = load_settings(preset=preset, tools={"Read": {"threshold_chars": 60_000}})
    assert settings_in(opening(settings)) == settings


async def test_small_requests_are_answered_while_a_large_one_is_worked_on(apart_of: Any) -> None:
    """Stopped, the process works on it for as long as the test wants."""
    behind, apart = await apart_of()
    os.kill(apart.pid, signal.SIGSTOP)
    first = asyncio.create_task(behind.post(large()))
    await until(lambda: apart.under_way)
    for _ in range(5):
        assert (await behind.post(SMALL))[0] == 200
    assert apart.under_way == 1
    os.kill(apart.pid, signal.SIGCONT)
    assert await stubbed(first)


async def test_what_is_to_be_remembered_comes_behind_the_answer(apart_of: Any) -> None:
    """So the next request of the conversation is a small one, which is rewritten here."""
    behind, apart = await apart_of()
    messages = [message for service, lines in zip("abcd", (9_000, 9_000, 10, 10), strict=True)
                for message in told_of(service, lines)]
    assert await stubbed(asyncio.create_task(behind.post(body_of(messages))))
    following = body_of([*messages, *told_of("e", 1_000)])
    rewriter = behind.gateway._workplaces._rewriter
    await until(lambda: rewriter.new_in(json.dumps(following).encode(), PATHS["chat"]) < LARGE_BYTES)
    assert await stubbed(asyncio.create_task(behind.post(following)))
    assert apart.done == 1


async def test_when_the_process_dies_its_work_is_done_here(apart_of: Any) -> None:
    """And then there is another process."""
    behind, apart = await apart_of()
    pid = apart.pid
    os.kill(pid, signal.SIGSTOP)
    answers = [asyncio.create_task(behind.post(large(f"s{number}"))) for number in range(3)]
    await until(lambda: apart.under_way == 3)
    os.kill(pid, signal.SIGKILL)
    assert all([await stubbed(answer) for answer in answers])
    assert behind.gateway.counts.all_failures() == {"fault of toolstub: WorkerFailed": 3}
    await until(lambda: apart.ready)
    assert apart.pid not in (pid, None)
    assert await stubbed(asyncio.create_task(behind.post(large("again"))))
    assert apart.done == 1


async def test_a_process_that_stalls_costs_the_request_its_stubs_and_no_more(apart_of: Any) -> None:
    """It goes on as it came; nobody waits twice for what may be at fault."""
    behind, apart = await apart_of(seconds=0.5, seconds_per_mb=0.0)
    os.kill(pid := apart.pid, signal.SIGSTOP)
    request = json.dumps(large()).encode()
    assert (await behind.post(request))[0] == 200
    assert behind.upstream.requests == [request]
    assert behind.gateway.counts.all_failures() == {"fault of toolstub: Stalled": 1}
    await until(lambda: apart.ready)
    assert apart.pid != pid
    assert await stubbed(asyncio.create_task(behind.post(large())))


@pytest.mark.parametrize("program", ["/nowhere/python", "/bin/false", "/bin/cat", ""])
async def test_without_a_process_the_work_is_done_here(
    start: Start, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    """Where none can be started, or what is started is something else."""
    monkeypatch.setattr(sys, "executable", program)
    behind = await start(gateway={"apart": (apart := Apart(load_settings()))}, script=lambda body: Reply("Done."))
    for number in range(3):
        assert await stubbed(asyncio.create_task(behind.post(large(f"s{number}"))))
    assert apart.done == 0


async def test_a_process_that_cannot_begin_says_why(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Here it is told settings that are none."""
    monkeypatch.setattr(sys.modules[Apart.__module__], "opening", lambda settings: b"none")
    apart = Apart(load_settings())
    apart.start()
    try:
        await until(lambda: "has ended with status 1, because of UnpicklingError: " in caplog.text)
    finally:
        apart.stop()


@pytest.mark.parametrize(("mode", "status"), [("preserve_raw", 200), ("reject", 503)])
async def test_a_store_that_fails_there_is_as_one_that_fails_here(
    apart_of: Any, tmp_path: Path, mode: str, status: int
) -> None:
    """The original goes on, or the client is told."""
    tmp_path.joinpath("broken.db").write_text("no database" * 1_000)
    settings = {"store": str(tmp_path / "broken.db"), "externalize": {"failure_mode": mode}}
    behind, _ = await apart_of(settings)
    request = json.dumps(large()).encode()
    assert (await behind.post(request))[0] == status
    assert len(behind.upstream.requests) == (status == 200)
    assert behind.gateway.counts.all_failures() == {
        200: {"fault of toolstub: StoreError": 1}, 503: {"store failed": 1}}[status]


async def test_a_dry_run_tells_what_was_done_apart(apart_of: Any) -> None:
    """The same as ever: the request, and the reason for each result."""
    behind, apart = await apart_of()
    status, _, told = await behind.post(large(), headers={"x-toolstub-dry-run": "1"})
    assert (status, apart.done) == (200, 1)
    [decision] = json.loads(told)["decisions"]
    assert decision["action"] == "externalized"
    assert decision["ref"] in json.loads(told)["request"]["messages"][-1]["content"]


@pytest.mark.usefixtures("sooner")
async def test_a_hidden_round_behind_a_large_request_is_put_back(start: Start, tmp_path: Path) -> None:
    """What is known of the conversation is there when the model asks for a piece of it, and when the client returns."""
    settings = {"store": str(tmp_path / "store.db")}
    behind = await start(gateway={"apart": (apart := Apart(load_settings(**settings)))}, settings=settings)
    await until(lambda: apart.ready)
    request = large()
    status, _, answer = await behind.post(request)
    assert status == 200
    said = json.loads(answer)["choices"][0]["message"]
    assert ANSWER in said["content"]
    rounds = len(behind.upstream.bodies[-1]["messages"])
    assert rounds > len(request["messages"])
    await behind.post({**request, "messages": [*request["messages"], said, {"role": "user", "content": "Thanks."}]})
    assert behind.upstream.bodies[-1]["messages"][:rounds] == behind.upstream.bodies[-2]["messages"][:rounds]
    assert apart.done == 2


async def worker_of(pid: int) -> int:
    """The process for large requests that a proxy has started, as soon as it is that."""
    found: list[int] = []

    def look() -> bool:
        found[:] = [child for child in children(pid) if b"toolstub_proxy.worker" in told(child, "cmdline")]
        return bool(found)

    await until(look)
    return found[0]


@LINUX
@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_it_ends_with_the_proxy(tmp_path: Path, number: int, stopped: bool) -> None:
    """However that ends; one that hangs is ended, too, unless the proxy was killed. Nothing is printed."""
    async with serving("--upstream", "http://127.0.0.1:9", cwd=tmp_path) as (process, _):
        worker = await worker_of(process.pid)
        if stopped:
            os.kill(worker, signal.SIGSTOP)
        process.send_signal(number)
        _, errors = await process.communicate()
        if number == signal.SIGKILL:
            os.kill(worker, signal.SIGCONT)
        await until(lambda: not is_alive(worker))
        assert b"Traceback" not in errors


@LINUX
async def test_it_ends_with_the_proxy_of_a_command(tmp_path: Path) -> None:
    """`toolstub run` leaves nobody behind."""
    script = "import os, time; time.sleep(1); print(os.getppid(), flush=True)"
    process = await toolstub("run", "--", sys.executable, "-c", script, cwd=tmp_path)
    await worker_of(process.pid)
    await until(lambda: len(children(process.pid)) == 2)
    both = children(process.pid)
    assert (await process.communicate())[0].decode().strip() == str(process.pid)
    await until(lambda: not any(map(is_alive, both)))


@LINUX
async def test_ctrl_c_in_a_terminal_does_not_reach_it(tmp_path: Path) -> None:
    """It belongs to no terminal, so answers under way can end while the proxy does."""
    async with serving("--upstream", "http://127.0.0.1:9", cwd=tmp_path) as (process, _):
        worker = await worker_of(process.pid)
        await until(lambda: os.getsid(worker) == worker)
