"""The process that rewrites large requests, started by `apart`: `python -m toolstub_proxy.worker`.

It reads requests from its standard input and writes what became of them to its standard output; it ends, whatever it
is doing, when its input does, so it cannot outlive its proxy. What it prints or logs goes nowhere: faults are told with
the request.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from types import MappingProxyType
from typing import IO, Any, NamedTuple

from toolstub_ext.errors import StoreError
from toolstub_ext.rewriting import Rewriter
from toolstub_ext.rewriting.handing import packed
from toolstub_ext.settings import Settings
from toolstub_ext.store import open_store

from .frames import frames, send, widen
from .warming import warm_up

AT_ONCE = 4
"""So many requests it works on at the same time; they take turns."""
OPENING, READY, ASKED, DONE, STORE, FAILED = range(6)
"""What is said: the settings, that there is a worker now; a request, what became of it, or why nothing did: because of
the store, or of something else."""


class Job(NamedTuple):
    """A large request, but for its body."""

    owner: str
    path: str
    session: str | None


def opening(settings: Settings) -> bytes:
    """What a worker is told first."""
    out = BytesIO()
    _Pickler(out, pickle.HIGHEST_PROTOCOL).dump(settings)
    return out.getvalue()


class _Pickler(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        """Settings have mappings that cannot be changed, which `pickle` does not know."""
        return (_unchangeable, (dict(obj),)) if type(obj) is MappingProxyType else NotImplemented


def _unchangeable(values: dict[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(values)


class _Worker:
    def __init__(self, rewriter: Rewriter, out: IO[bytes]) -> None:
        self._rewriter = rewriter
        self._out = out
        self._writing = threading.Lock()

    def work(self, number: int, data: bytes) -> None:
        """Rewrite one request, and tell what became of it, if only that it failed."""
        try:
            job, body = _job_of(data)
            del data
            told: tuple[int, bytes] = DONE, packed(self._rewriter.hand_over(body, **job._asdict()))
        except StoreError as error:
            told = STORE, str(error).encode("utf-8", "replace")
        except BaseException as error:  # noqa: BLE001  the proxy waits for an answer
            told = FAILED, f"{type(error).__name__}: {error}".encode("utf-8", "replace")
        self.tell(number, *told)

    def tell(self, number: int, kind: int, *parts: bytes) -> None:
        """Say something to the proxy."""
        with self._writing, suppress(OSError):
            send(self._out, number, kind, *parts)


def packed_job(job: Job) -> bytes:
    """A job as it stands in front of its body."""
    head = pickle.dumps(tuple(job))
    return len(head).to_bytes(4) + head


def unpickled(data: bytes) -> Any:
    """What the proxy has said."""
    return pickle.loads(data)  # noqa: S301  of the process that has started this one


def _job_of(data: bytes) -> tuple[Job, bytes]:
    size = 4 + int.from_bytes(data[:4])
    return Job(*unpickled(data[4:size])), data[size:]


def _serve(given: IO[bytes], out: IO[bytes]) -> None:
    requests = frames(given)
    *_, first = next(requests)
    settings: Settings = unpickled(first)
    with open_store(settings.store, eager=False) as store:
        worker = _Worker(Rewriter(store, settings), out)
        warm_up(store)
        worker.tell(0, READY)
        pool = ThreadPoolExecutor(AT_ONCE)
        for number, _, data in requests:
            pool.submit(worker.work, number, data)
            del data


def main() -> None:
    """Work until the input ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    widen(out)
    with suppress(Exception, KeyboardInterrupt):
        _serve(sys.stdin.buffer, out)
    os._exit(0)  # the proxy is gone, or has no use for this process: nothing is worth being finished


if __name__ == "__main__":
    main()
