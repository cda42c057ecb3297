"""Whatever becomes of the process for large requests, they are answered; and it ends with the proxy."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from apart_support import Counted, large, pid_of, stubbed, under_way, until
from proxy_processes import POSIX, children, is_alive, serving, told, toolstub
from proxy_support import Start

from toolstub_ext.settings import load_settings
from toolstub_proxy.apart import Apart
from toolstub_proxy.demo.upstream_model import Reply

pytestmark = POSIX
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc for processes")


async def test_when_the_process_dies_its_work_is_done_here(apart_of: Any) -> None:
    """And then there is another process."""
    behind, apart = await apart_of()
    pid = pid_of(apart)
    os.kill(pid, signal.SIGSTOP)
    answers = [asyncio.create_task(behind.post(large(f"s{number}"))) for number in range(3)]
    await until(lambda: under_way(apart) == 3)
    os.kill(pid, signal.SIGKILL)
    assert all([await stubbed(answer) for answer in answers])
    assert behind.gateway.counts.all_failures() == {"fault of toolstub: WorkerFailed": 3}
    await until(lambda: apart.ready)
    assert pid_of(apart) != pid
    assert await stubbed(asyncio.create_task(behind.post(large("again"))))
    assert apart.done == 1


async def test_a_process_that_stalls_costs_the_request_its_stubs_and_no_more(apart_of: Any) -> None:
    """It goes on as it came; nobody waits twice for what may be at fault."""
    behind, apart = await apart_of(seconds=0.5, seconds_per_mb=0.0)
    os.kill(pid := pid_of(apart), signal.SIGSTOP)
    request = json.dumps(large()).encode()
    assert (await behind.post(request))[0] == 200
    assert behind.upstream.requests == [request]
    assert behind.gateway.counts.all_failures() == {"fault of toolstub: Stalled": 1}
    await until(lambda: apart.ready)
    assert pid_of(apart) != pid
    assert await stubbed(asyncio.create_task(behind.post(large())))


@pytest.mark.parametrize("program", ["/nowhere/python", "/bin/false", "/bin/cat", ""])
async def test_without_a_process_the_work_is_done_here(
    start: Start, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    """Where none can be started, or what is started is something else."""
    monkeypatch.setattr(sys, "executable", program)
    behind = await start(gateway={"apart": (apart := Counted(load_settings()))}, script=lambda body: Reply("Done."))
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
