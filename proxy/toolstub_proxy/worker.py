"""The process that rewrites large requests, started by `apart`: `python -m toolstub_proxy.worker`.

It reads requests from its standard input and writes what became of them to its standard output; it ends, whatever it
is doing, when its input does, so it cannot outlive its proxy. What it prints or logs goes nowhere: faults are told with
the request.
"""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import IO

from toolstub_ext.errors import StoreError
from toolstub_ext.rewriting import Rewriter
from toolstub_ext.rewriting.handing import packed
from toolstub_ext.store import open_store

from .frames import frames, send, widen
from .jobs import AT_ONCE, DONE, FAILED, READY, STORE, settings_in, unpacked_job
from .warming import warm_up


class _Worker:
    def __init__(self, rewriter: Rewriter, out: IO[bytes]) -> None:
        self._rewriter = rewriter
        self._out = out
        self._writing = threading.Lock()

    def work(self, number: int, data: bytes) -> None:
        """Rewrite one request, and tell what became of it, if only that it failed."""
        try:
            job, body = unpacked_job(data)
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


def _serve(given: IO[bytes], out: IO[bytes]) -> None:
    requests = frames(given)
    *_, first = next(requests)
    settings = settings_in(first)
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
