"""Large requests are rewritten in a process of their own, because what takes long in this one keeps everybody waiting.

    apart = Apart(settings)
    apart.start()                       # returns at once; until the process is ready, `ready` is False
    taken = await apart.hand_over(body, Job(owner, path, session), take, remember)
    apart.stop()

What the process made of a request is unpacked by `take`, in the thread that reads it: one turn less to wait for.

A client waits for what is to be sent, and nobody for what is to be remembered of it: that comes later, to `remember`.

Without a process, and whenever it dies, the work is the caller's, as if there were none.
"""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from functools import partial
from itertools import count
from queue import SimpleQueue
from typing import IO, Any, ParamSpec, TypeAlias, TypeVar

from toolstub_ext.errors import StoreError
from toolstub_ext.settings import Settings

from .frames import Frame, frames, send, widen
from .jobs import ASKED, AT_ONCE, DONE, FAILED, OPENING, PAST, READY, STORE, Job, opening, packed_job
from .kept_memory import VARIABLES

log = logging.getLogger(__name__)

_MB = 1024 * 1024
if sys.platform == "win32":
    _DETACHED = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
else:
    _DETACHED = 0
_LATE = -1
_END_SECONDS = 5.0
"""What a process that was killed may take to be gone."""
_LONGEST_PAUSE = 60.0
"""Seconds until a process that keeps failing is tried again."""

P = ParamSpec("P")
T = TypeVar("T")
Answer: TypeAlias = "tuple[int, Any]"
"""Its kind, and what it says: in bytes, or as it was taken."""
Remember: TypeAlias = Callable[[bytes], None]
"""Is told, in the event loop, what is to be remembered of a request, packed."""


class Stalled(Exception):
    """The process took far too long over a request, and was ended."""


class Apart:
    """The process, which is started anew when it has died. For one event loop."""

    def __init__(self, settings: Settings, *, seconds: float = 20.0, seconds_per_mb: float = 2.0) -> None:
        self._opening = opening(settings)
        self._seconds = seconds
        self._seconds_per_mb = seconds_per_mb
        self._places = asyncio.Semaphore(AT_ONCE)
        self._life: _Life | None = None
        self._stopped = False
        self._failures = 0
        self._not_before = 0.0

    @property
    def ready(self) -> bool:
        """Whether a request can be handed over. If there is no process but could be, one is started."""
        if self._life is None:
            self.start()
        return self._life is not None and self._life.ready

    def start(self) -> None:
        """Start the process, in a thread."""
        if not self._stopped and time.monotonic() >= self._not_before:
            self._life = _Life(self._opening, asyncio.get_running_loop(), self._ended)

    async def hand_over(self, body: bytes, job: Job, take: Callable[[bytes], T], remember: Remember) -> T | None:
        """What is taken of what the process made of a request; None if it could not, so that it has to be done here.

        Raises StoreError where a rewriter would, and Stalled.
        """
        async with self._places:
            life = self._life
            if life is None or not life.ready:
                return None
            patience = self._seconds + self._seconds_per_mb * len(body) / _MB
            answer = await life.ask(packed_job(job), body, take, remember, patience=patience)
        if answer is None:
            return None
        kind, said = answer
        if kind == _LATE:
            raise Stalled(f"{len(body):,} bytes")
        if kind == STORE:
            raise StoreError(said.decode())
        if kind != DONE:
            log.warning("a large request is rewritten in this process, because in its own it failed: %s", said.decode())
            return None
        self._failures = 0
        taken: T = said
        return taken

    def _ended(self, life: _Life, why: str) -> None:
        """A process has died, or could not be started."""
        if life is not self._life:
            return
        self._life = None
        if self._stopped:
            return
        self._not_before = time.monotonic() + min(2.0 ** self._failures - 1, _LONGEST_PAUSE)
        self._failures += 1
        log.warning("the process for large requests %s; until there is another, they are rewritten in this one", why)

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self._stopped = True
        if self._life is not None:
            self._life.end()
            self._life = None


class _Life:
    """One process from its start to its end, with a thread that reads from it and one that writes to it."""

    def __init__(self, opening_: bytes, loop: asyncio.AbstractEventLoop, ended: Callable[[_Life, str], None]) -> None:
        self.ready = False
        self.process: subprocess.Popen[bytes] | None = None
        self._loop = loop
        self._ended = ended
        self.answers: dict[int, asyncio.Future[Answer | None]] = {}
        """Those that are waited for, by the numbers of their requests."""
        self._takes: dict[int, Callable[[bytes], Any]] = {}
        """What takes them, in the same way."""
        self._pasts: dict[int, Remember] = {}
        """Whom to tell what there is to be remembered, in the same way."""
        self._numbers = count(1)
        self._to_write: SimpleQueue[Frame | None] = SimpleQueue()
        self._over = False
        self._fault = ""
        self._to_write.put(Frame(0, OPENING, opening_))
        self._reading = threading.Thread(target=self._live, name="toolstub-apart", daemon=True)
        self._reading.start()

    async def ask(self, head: bytes, body: bytes, take: Callable[[bytes], Any], remember: Remember, *,
                  patience: float) -> Answer | None:
        """Send a request; the answer, or None if the process dies before that. After so many seconds it is killed."""
        number = next(self._numbers)
        answer: asyncio.Future[Answer | None] = self._loop.create_future()
        self.answers[number], self._takes[number], self._pasts[number] = answer, take, remember
        self._to_write.put(Frame(number, ASKED, body, head))
        # A timer stays known for its time, cancelled or not, and would keep the request's context, with the request.
        timer = self._loop.call_later(patience, self._give_up, answer, context=Context())
        said = None
        try:
            said = await answer
        finally:
            timer.cancel()
            self.answers.pop(number, None)
            self._takes.pop(number, None)
            if said is None:
                self._pasts.pop(number, None)
        return said

    def _give_up(self, answer: asyncio.Future[Answer | None]) -> None:
        if not answer.done():
            answer.set_result((_LATE, b""))
            self.kill()

    def kill(self) -> None:
        """Begin to end the process, whatever it is doing."""
        self._over, self.ready = True, False
        if self.process is not None:
            self.process.kill()

    def end(self) -> None:
        """End the process, and wait until there is nothing left of it."""
        self.kill()
        self._reading.join(_END_SECONDS)

    def _live(self) -> None:
        """In a thread of its own: start the process, and read from it until it ends."""
        try:
            self.process = process = _started()
        except (OSError, ValueError) as error:
            self._tell(self._finish, f"cannot be started ({error})")
            return
        if self._over:  # meanwhile
            process.kill()
        given, said = _pipes(process)
        writing = threading.Thread(target=self._write, args=(given,), name="toolstub-apart-writes", daemon=True)
        writing.start()
        with suppress(OSError), said:
            for frame in frames(said):
                self._tell(self._heard, frame.number, *self._understood(frame))
        process.kill()
        self._to_write.put(None)
        status = process.wait()
        writing.join()
        self._tell(self._finish, f"has ended with status {status}")

    def _write(self, given: IO[bytes]) -> None:
        """In a thread of its own: write what there is to write."""
        with suppress(OSError), given:
            while (frame := self._to_write.get()) is not None:
                send(given, frame)
                del frame

    def _tell(self, action: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(partial(action, *args, **kwargs))

    def _understood(self, frame: Frame) -> Answer:
        """What a piece says, taken if that is asked for."""
        take = self._takes.pop(frame.number, None) if frame.kind == DONE else None
        if take is None:
            return frame.kind, frame.data
        try:
            return DONE, take(frame.data)
        except Exception as error:
            log.debug("a fault", exc_info=error)
            return FAILED, f"{type(error).__name__}: {error}".encode("utf-8", "replace")

    def _heard(self, number: int, kind: int, data: Any) -> None:
        remember = None if kind == DONE else self._pasts.pop(number, None)  # only that has something follow it
        if kind == READY:
            self.ready = not self._over
        elif kind == FAILED and not number:
            self._fault = f", because of {data.decode()}"
        elif kind == PAST:
            if remember is not None and data:
                remember(data)
        elif (answer := self.answers.get(number)) is not None and not answer.done():
            answer.set_result((kind, data))

    def _finish(self, why: str) -> None:
        self.ready = False
        self._pasts.clear()
        for answer in self.answers.values():
            if not answer.done():
                answer.set_result(None)
        self._ended(self, why + self._fault)


def _started() -> subprocess.Popen[bytes]:
    """The process. Ctrl-C in a terminal is not for it. Raises OSError or ValueError."""
    if not sys.executable or getattr(sys, "frozen", False):
        raise OSError("this program is no Python that could run another one")
    places = os.pathsep.join(place or "." for place in sys.path)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "toolstub_proxy.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=VARIABLES | os.environ | {"PYTHONPATH": places}, start_new_session=True,
        creationflags=_DETACHED)


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("it was started with pipes")
    widen(process.stdin)
    return process.stdin, process.stdout
