"""Interrupts put off while a message is on its way.

Storing a large output takes a moment, and an impatient user presses Ctrl-C just then. If that broke off the sending,
the reply to the cell would never come, or the whole output would. So the interrupt waits until the message is out.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def put_off() -> Iterator[None]:
    """Hold back the first SIGINT of the main thread until the end; a second one means it, and is let through."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):
        yield
        return
    waiting: list[tuple[int, Any]] = []

    def hold(number: int, frame: Any) -> None:
        if waiting:
            before(number, frame)
        waiting.append((number, frame))

    signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting:
        before(*waiting[0])
