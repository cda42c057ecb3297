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

from .leading import command_of, environment_of, openai_url
from .serving import Operation, complain, listening, log_to_stderr, on_signal

_HOST = "127.0.0.1"
_FORWARDED = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")


def run_behind(command: Sequence[str], settings: Settings, operation: Operation) -> int:
    """Run `command` to its end; its exit status. Raises ToolstubError or OSError if it cannot start."""
    log_to_stderr(explain=operation.explain)
    return asyncio.run(_run(command, settings, operation))


async def _run(command: Sequence[str], settings: Settings, operation: Operation) -> int:
    with open_store(settings.store, eager=False) as store:
        async with listening(settings, store, _HOST, 0, operation) as base:
            complain(store)
            command = command_of(command, openai_url(base, settings))
            signals = _Signals()
            child = await asyncio.create_subprocess_exec(*command, env=environment_of(os.environ, base, settings))
            signals.hand_on_to(child)
            status = await child.wait()
    return 128 - status if status < 0 else status


class _Signals:
    """What is sent to us is meant for the child, from before it runs: the first one may come as soon as it does.

    A terminal sends Ctrl-C to both, so that is handed on only without.
    """

    def __init__(self) -> None:
        self._child: asyncio.subprocess.Process | None = None
        self._early: list[signal.Signals] = []
        loop = asyncio.get_running_loop()
        for name in _FORWARDED:
            if (number := getattr(signal, name, None)) is not None:
                on_signal(loop, number, partial(self._send, number))
        on_signal(loop, signal.SIGINT, lambda: None if sys.stdin.isatty() else self._send(signal.SIGINT))

    def hand_on_to(self, child: asyncio.subprocess.Process) -> None:
        """The child runs; what came before goes to it now."""
        self._child = child
        for number in self._early:
            self._send(number)

    def _send(self, number: signal.Signals) -> None:
        if self._child is None:
            self._early.append(number)
        elif self._child.returncode is None:
            self._child.send_signal(number)
