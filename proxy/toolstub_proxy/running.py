"""A command behind a proxy of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from functools import partial

from toolstub_ext.settings import Settings
from toolstub_ext.store import open_store

from .serving import Operation, complain, listening, log_to_stderr, on_signal
from .upstreams import OPENAI

_HOST = "127.0.0.1"
_FORWARDED = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")
_PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def upstreams_of_environment() -> dict[str, str | None]:
    """The upstreams that COMMAND would have used without us."""
    environment = os.environ
    openai = environment.get("OPENAI_BASE_URL") or environment.get("OPENAI_API_BASE")
    return {"openai_upstream": openai, "anthropic_upstream": environment.get("ANTHROPIC_BASE_URL")}


def run_behind(command: Sequence[str], settings: Settings, operation: Operation) -> int:
    """Run `command` to its end; its exit status. Raises ToolstubError or OSError if it cannot start."""
    log_to_stderr(operation.explain)
    return asyncio.run(_run(command, settings, operation))


async def _run(command: Sequence[str], settings: Settings, operation: Operation) -> int:
    with open_store(settings.store, eager=False) as store:
        async with listening(settings, store, _HOST, 0, operation) as base:
            complain(store)
            child = await asyncio.create_subprocess_exec(*command, env=environment_of(base, settings))
            _hand_on_signals(child)
            status = await child.wait()
    return 128 - status if status < 0 else status


def environment_of(base: str, settings: Settings) -> dict[str, str]:
    """Our environment with the base URLs of the proxy, written with `/v1` where the upstream's is."""
    upstream = (settings.upstream or settings.openai_upstream).rstrip("/")
    openai = base + "/v1" if upstream == OPENAI or upstream.endswith("/v1") else base
    environment = {**os.environ, "OPENAI_BASE_URL": openai, "OPENAI_API_BASE": openai, "ANTHROPIC_BASE_URL": base}
    if any(environment.get(name) or environment.get(name.upper()) for name in _PROXIES):
        for name in ("no_proxy", "NO_PROXY"):
            environment[name] = ",".join(filter(None, (environment.get(name), _HOST)))
    return environment


def _hand_on_signals(child: asyncio.subprocess.Process) -> None:
    """What is sent to us is meant for the child. A terminal sends Ctrl-C to both, so that is handed on only without."""
    loop = asyncio.get_running_loop()
    for name in _FORWARDED:
        if (number := getattr(signal, name, None)) is not None:
            on_signal(loop, number, partial(_send, child, number))
    on_signal(loop, signal.SIGINT, lambda: None if sys.stdin.isatty() else _send(child, signal.SIGINT))


def _send(child: asyncio.subprocess.Process, number: signal.Signals) -> None:
    if child.returncode is None:
        child.send_signal(number)
