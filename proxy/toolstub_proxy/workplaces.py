"""Where a request is rewritten: at once, in a thread, or in a process of its own.

What is new in a request decides. To go elsewhere with little takes longer than to rewrite it, so only its originals are
stored in a thread. A thread is enough for some more: while it works, others get their turn some milliseconds later.
What takes long is not done in this process at all, as long as there is another one. A request that is alone keeps
nobody waiting, and so goes no further than it must.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import ParamSpec, TypeVar

from toolstub_ext.rewriting import Rewriter, Rewritten
from toolstub_ext.rewriting.handing import unpacked
from toolstub_ext.settings import Settings
from toolstub_ext.store.base import Store

from .apart import Apart, Stalled
from .jobs import Job
from .warming import warm_up

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

SMALL_BYTES = 64 * 1024
"""Up to here a body without tool results is rewritten in place, since it takes less than going elsewhere."""
LITTLE_BYTES = 16 * 1024
"""So little of a small body that has some may be new to be rewritten in place. Elsewhere it takes longer still, and
twice as long where many do."""
ALONE_BYTES = 96 * 1024
MOST_BYTES = 4 * 1024 * 1024
"""So much may be new of a body that is alone, and in it altogether, to be rewritten in place: who comes meanwhile waits
for some milliseconds at most."""
LARGE_BYTES = 128 * 1024
"""What has more than that to be read is rewritten in a process of its own. To go there takes a millisecond; to stay
here would double what small requests of others take meanwhile."""
LARGE_ALONE_BYTES = 1024 * 1024
"""The same for a request that is alone."""
WORKER_FAILED = "WorkerFailed"
"""What counts as the fault if the work of that process has to be done here."""
_THREADS = 8
_RESULT_MARKS = (b'"tool"', b'"tool_result"', b'_output"')
"""Where a body of any format holds results, one of these is in it."""


class Workplaces:
    """Rewrites requests, each where it belongs; without a process `apart` the large ones in a thread as well."""

    def __init__(self, store: Store, settings: Settings, apart: Apart | None) -> None:
        self._store = store
        self._rewriter = Rewriter(store, settings)
        self._apart = apart
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="toolstub")
        self.faults = self._rewriter.faults

    def open(self) -> None:
        """Make ready what a first request would have to wait for."""
        self._pool.submit(warm_up, self._store)
        if self._apart is not None:
            self._apart.start()

    def close(self) -> None:
        """Begin nothing any more, and end the process."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._apart is not None:
            self._apart.stop()

    def off_loop(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Do something in a thread."""
        return asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *args, **kwargs))

    async def rewrite(self, body: bytes, job: Job, *, alone: bool = False) -> Rewritten:
        """As a Rewriter does. A request is `alone` if no other is being served."""
        rewrite = partial(self._rewriter.rewrite, body, **job._asdict())
        new = len(body) if len(body) <= LITTLE_BYTES else self._rewriter.new_at_a_look(body, job.path)
        if self._begins_in_place(body, new, alone=alone):
            begun = self._rewriter.begin(body, **job._asdict(), alone=alone)
            return await self.off_loop(begun.finish) if begun.waits else begun.finish()
        large = LARGE_ALONE_BYTES if alone else LARGE_BYTES
        if self._apart is None or len(body) <= large or not self._apart.ready:
            return await self.off_loop(rewrite)
        rewritten = None
        if new is None or new <= large:
            rewritten = await self.off_loop(self._unless_more, large, body, job)
        if rewritten is None:
            rewritten = await self._rewritten_apart(self._apart, body, job)
        if rewritten is None:
            return await self.off_loop(rewrite)
        return rewritten

    @staticmethod
    def _begins_in_place(body: bytes, new: int | None, *, alone: bool) -> bool:
        """Whether a body is so small, and so little of it has to be read."""
        if alone:
            return len(body) <= MOST_BYTES and new is not None and new <= ALONE_BYTES
        return len(body) <= SMALL_BYTES and (_is_little(new) or not any(mark in body for mark in _RESULT_MARKS))

    def _unless_more(self, most: int, body: bytes, job: Job) -> Rewritten | None:
        """A request that goes on from what is remembered, rewritten; None if more than so many bytes are new in it."""
        if self._rewriter.new_in(body, job.path) > most:
            return None
        return self._rewriter.rewrite(body, **job._asdict())

    async def _rewritten_apart(self, apart: Apart, body: bytes, job: Job) -> Rewritten | None:
        """A large request, rewritten without keeping others waiting; None if that cannot be done."""
        try:
            rewritten = await apart.hand_over(body, job, partial(self._taken, body, job.path),
                                              partial(self._remember, body))
        except Stalled as error:
            self.faults[type(error).__name__] += 1
            log.warning("forwarded as it came, because it took too long to rewrite: %s", error)
            return Rewritten(body, body)
        if rewritten is None:
            self.faults[WORKER_FAILED] += 1
        return rewritten

    def _taken(self, body: bytes, path: str, data: bytes) -> Rewritten:
        return self._rewriter.take_over(unpacked(data, body), path)

    def _remember(self, body: bytes, data: bytes) -> None:
        """Begin to remember what the process knows of a request; at the end, when no work is taken any more, do not."""
        with suppress(RuntimeError):
            self._pool.submit(lambda: self._rewriter.remember(unpacked(data, body), body))


def _is_little(new: int | None) -> bool:
    return new is not None and new <= LITTLE_BYTES
