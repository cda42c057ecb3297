"""What a process remembers between requests, so that a history sent again costs little. Nothing depends on it."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from .policy import Stub, make_stub
from .store.base import sha256_of
from .synopsis.model import Rules

_OVERHEAD_BYTES = 500
"""What an entry takes besides the text of its stub."""


class StubMemory:
    """`make_stub` that keeps the stubs used last, up to `most_bytes` in all. Thread-safe."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._stubs: OrderedDict[tuple[object, ...], Stub] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, text: str, *, tool: str | None, budget: int, reason: str, rules: Rules,
                 stored: bool = True) -> Stub:
        """As `make_stub`; two threads may make the same stub at once, which is the same stub."""
        key = (sha256_of(text), tool, budget, reason, rules, stored)
        with self._lock:
            if (known := self._stubs.get(key)) is not None:
                self._stubs.move_to_end(key)
                return known
        stub = make_stub(text, tool=tool, budget=budget, reason=reason, rules=rules, stored=stored)
        with self._lock:
            if key not in self._stubs:
                self._stubs[key] = stub
                self._bytes += _size(stub)
            while self._bytes > self._most_bytes:
                self._bytes -= _size(self._stubs.popitem(last=False)[1])
        return stub


class Sightings:
    """Which originals were put into the store, and when: each is due again after a while. Thread-safe."""

    def __init__(self, again_after: float, most: int = 100_000, clock: Callable[[], float] = time.monotonic) -> None:
        self._again_after = again_after
        self._most = most
        self._clock = clock
        self._seen: OrderedDict[tuple[str, ...], float] = OrderedDict()
        self._lock = threading.Lock()

    def is_due(self, *sighting: str) -> bool:
        """Whether this sighting was never noted, or too long ago (in seconds)."""
        with self._lock:
            seen = self._seen.get(sighting)
        return seen is None or self._clock() - seen >= self._again_after

    def note(self, *sighting: str) -> None:
        """It is in the store now; the oldest of too many are forgotten."""
        with self._lock:
            self._seen[sighting] = self._clock()
            self._seen.move_to_end(sighting)
            if len(self._seen) > self._most:
                self._seen.popitem(last=False)


def _size(stub: Stub) -> int:
    return len(stub.text) * 4 + _OVERHEAD_BYTES
