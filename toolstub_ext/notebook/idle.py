"""The first moment after loading when the kernel has nothing to do.

A front-end that names the cells it runs has a person before it who may click: there the moment is the end of the
loading cell. A program that runs a notebook through (nbclient, papermill) names none and must not find a widget in
its file; there the moment is a second without a cell, which such a run does not have.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_QUIET_SECONDS = 1.0


class Idle:
    """Calls `action` once, on the kernel's event loop."""

    def __init__(self, shell: Any, action: Callable[[], None]) -> None:
        self._shell = shell
        self._action = action
        self._timer: asyncio.Handle | None = None
        shell.events.register("pre_run_cell", self._before)
        shell.events.register("post_run_cell", self._after)

    def cancel(self) -> None:
        """Never call it, if it was not called yet."""
        self._stop()
        for event, callback in (("pre_run_cell", self._before), ("post_run_cell", self._after)):
            with suppress(ValueError):
                self._shell.events.unregister(event, callback)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _before(self, *_: object) -> None:
        self._stop()

    def _after(self, *_: object) -> None:
        self._stop()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        request = self._shell.kernel.get_parent() or {}
        named = "cellId" in (request.get("metadata") or {})
        self._timer = loop.call_soon(self._run) if named else loop.call_later(_QUIET_SECONDS, self._run)

    def _run(self) -> None:
        self.cancel()
        self._action()
