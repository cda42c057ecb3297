"""The process that rewrites large requests, started by `apart`: `python -m toolstub_proxy.worker`.

It reads requests from its standard input and writes what became of them to its standard output; it ends, whatever it
is doing, when its input does, so it cannot outlive its proxy. What it prints or logs goes nowhere: faults are told with
the request, and one that ends it for itself, as number 0.
"""

from __future__ import annotations

import gc
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

from .frames import Frame, frames, send, widen
from .jobs import AT_ONCE, DONE, FAILED, PAST, READY, STORE, settings_in, unpacked_job
from .warming import warm_up

_TURN_SECONDS = 0.0005
"""How long a thread that compresses an original waits for its turn while the stub is made. Of itself Python would let
it wait until that is done."""


class _Pipe:
    """The way to the proxy, for several threads."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._writing = threading.Lock()

    def tell(self, number: int, kind: int, data: bytes = b"") -> None:
        """Say something, if there is still somebody who reads it."""
        with self._writing, suppress(OSError):
            send(self._out, Frame(number, kind, data))

    def tell_fault(self, number: int, error: BaseException) -> None:
        """Say what of ours has failed."""
        self.tell(number, FAILED, f"{type(error).__name__}: {error}".encode("utf-8", "replace"))


def _work(rewriter: Rewriter, proxy: _Pipe, number: int, head: bytes, body: bytes) -> None:
    """Rewrite one request, and tell what became of it, if only that it failed; then what to remember of it."""
    try:
        handover, past = rewriter.hand_over(body, **unpacked_job(head)._asdict())
        proxy.tell(number, DONE, packed(handover, body))
        del handover
        proxy.tell(number, PAST, packed(past, body) if past else b"")
    except StoreError as error:
        proxy.tell(number, STORE, str(error).encode("utf-8", "replace"))
    except BaseException as error:  # noqa: BLE001  the proxy waits for an answer
        proxy.tell_fault(number, error)


def _serve(given: IO[bytes], proxy: _Pipe) -> None:
    requests = frames(given)
    settings = settings_in(next(requests).data)
    with open_store(settings.store, eager=False) as store:
        rewriter = Rewriter(store, settings)
        warm_up(store)
        gc.freeze()  # as in the proxy: what is there now stays
        proxy.tell(0, READY)
        pool = ThreadPoolExecutor(AT_ONCE)
        for number, _, body, head in requests:
            pool.submit(_work, rewriter, proxy, number, head, body)
            del body


def main() -> None:
    """Work until the input ends; what puts an end to it before that is told."""
    sys.setswitchinterval(_TURN_SECONDS)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    widen(out)
    proxy, status = _Pipe(out), 0
    try:
        _serve(sys.stdin.buffer, proxy)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  told the proxy, which tells people
        status = 1
        proxy.tell_fault(0, error)
    os._exit(status)  # the proxy is gone, or has no use for this process: nothing is worth being finished


if __name__ == "__main__":
    main()
