"""What becomes of one request: noted on its way, then counted and logged. Of bodies only sizes are noted.

    with recorded(Record("POST", "/v1/responses")) as record:
        ...                                  # anywhere below: current().failure = "upstream unreachable"
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from toolstub_ext.rewriting import Rewritten

CLIENT_GONE = "client gone"
CLIENT_GONE_STATUS = 499
"""What access logs of proxies say where the client left before there was a status."""


@dataclass(slots=True)
class Record:
    """One request of a client. `path` is without its query, in which some providers take keys.

    `added` is what we needed between a request and its forwarding, all rounds together, in seconds; `asked` are the
    sizes of the bodies sent upstream, in bytes. Of a `dry_run` nothing is sent. `failure` names in a few constant words
    what went wrong, if anything. `status` is there once the client has all of its answer, or can get no more of it.
    """

    method: str
    path: str
    format: str = "other"
    client: str = ""
    status: int = 0
    failure: str = ""
    dry_run: bool = False
    upstream: str = ""
    owner: str = ""
    received: int = 0
    answered: int = 0
    added: float = 0.0
    asked: list[int] = field(default_factory=list)
    rewritten: Rewritten | None = None
    retrievals: Counter[str] = field(default_factory=Counter)
    at: float = field(default_factory=time.time)
    started: float = field(default_factory=time.perf_counter)
    first_byte: float | None = None

    @property
    def seconds(self) -> float:
        """How long ago the request came."""
        return time.perf_counter() - self.started

    @contextmanager
    def adding(self) -> Iterator[None]:
        """Count what is done inside as time that we add."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.added += time.perf_counter() - began


_current: ContextVar[Record] = ContextVar("record")


@contextmanager
def recorded(record: Record) -> Iterator[Record]:
    """Make a record the current one of everything that is done inside, tasks begun there included."""
    token = _current.set(record)
    try:
        yield record
    finally:
        _current.reset(token)


def current() -> Record:
    """The record of the request at hand; where nobody keeps one, one that leads nowhere."""
    return _current.get(None) or Record("", "")
