"""What a process remembers of texts between requests: synopses and stubs. Nothing depends on it."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable

from ..policy import Stub, Synopses, make_stub
from ..store import ahead
from ..store.base import sha256_of
from ..synopsis import Source, Synopsis, synopsis_of, synopsize
from ..synopsis.model import Rules
from ..synopsis.render import SHOWN_ANCHORS

_OVERHEAD_BYTES = 500
"""What an entry takes besides the text of its stub."""
_SYNOPSIS_BYTES = 10_000
"""What a synopsis takes without its text."""


class SynopsisMemory:
    """`synopsize` that keeps the last ones: a stub mostly wants the synopsis that told its kind. Thread-safe.

    They have only the anchors that a stub shows: further ones could not be made without the text. They may take at most
    `most_bytes` in all.
    """

    def __init__(self, most_bytes: int, digests: Callable[[str], str] = sha256_of) -> None:
        self._digest_of = digests
        self._most = most_bytes // _SYNOPSIS_BYTES
        self._synopses: OrderedDict[tuple[object, ...], Synopsis] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, text: str, *, tool: str | None, budget: int, rules: Rules) -> Synopsis:
        """As `synopsize`."""
        key = (self._digest_of(text), tool, budget, rules)
        with self._lock:
            known = self._synopses.get(key)
        if known is not None:
            return known
        ahead.compress(text)
        synopsis = synopsis_of(Source(text, None, tool, budget, rules, encoded=ahead.encoded))
        synopsis = synopsis.with_first_anchors(SHOWN_ANCHORS)
        with self._lock:
            self._synopses[key] = synopsis
            if len(self._synopses) > self._most:
                self._synopses.popitem(last=False)
        return synopsis


class StubMemory:
    """`make_stub` that keeps the stubs used last, up to `most_bytes` in all. Thread-safe."""

    def __init__(self, most_bytes: int, synopses: Synopses = synopsize,
                 digests: Callable[[str], str] = sha256_of) -> None:
        self._most_bytes = most_bytes
        self._digest_of = digests
        self._synopses = synopses
        self._bytes = 0
        self._stubs: OrderedDict[tuple[object, ...], Stub] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, text: str, *, tool: str | None, budget: int, reason: str, rules: Rules,
                 stored: bool = True, as_graph: bool = False) -> Stub:
        """As `make_stub`; two threads may make the same stub at once, which is the same stub."""
        sha256 = self._digest_of(text)
        key = (sha256, tool, budget, reason, rules, stored, as_graph)
        with self._lock:
            if (known := self._stubs.get(key)) is not None:
                self._stubs.move_to_end(key)
                return known
        stub = make_stub(text, tool=tool, budget=budget, reason=reason, rules=rules, stored=stored,
                         as_graph=as_graph, synopses=self._synopses, sha256=sha256)
        with self._lock:
            if key not in self._stubs:
                self._stubs[key] = stub
                self._bytes += _size(stub)
            while self._bytes > self._most_bytes:
                self._bytes -= _size(self._stubs.popitem(last=False)[1])
        return stub


def _size(stub: Stub) -> int:
    return sys.getsizeof(stub.text) + sys.getsizeof(stub.literal) + _OVERHEAD_BYTES
