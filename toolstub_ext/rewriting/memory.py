"""What a process remembers between requests, so that a history sent again costs little. Nothing depends on it."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from dataclasses import dataclass

from ..policy import History, Stub, Synopses, make_stub
from ..store.base import sha256_of
from ..synopsis import Synopsis, synopsize
from ..synopsis.model import Rules
from ..transcript import Change, Decision
from ..wire import Beginning, Edit

_borrowing = threading.Lock()
_INDEX_BYTES = 5
"""What the index over lines takes for each character."""
_OVERHEAD_BYTES = 500
"""What an entry takes besides the text of its stub."""


class SynopsisMemory:
    """`synopsize` that keeps the last few: a stub mostly wants the synopsis that told its kind. Thread-safe."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._synopses: OrderedDict[tuple[object, ...], Synopsis] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, text: str, *, tool: str | None, budget: int, rules: Rules) -> Synopsis:
        """As `synopsize`."""
        key = (sha256_of(text), tool, budget, rules)
        with self._lock:
            known = self._synopses.get(key)
        if known is not None:
            return known
        synopsis = synopsize(text, tool=tool, budget=budget, rules=rules)
        with self._lock:
            self._synopses[key] = synopsis
            if len(self._synopses) > self._most:
                self._synopses.popitem(last=False)
        return synopsis


class StubMemory:
    """`make_stub` that keeps the stubs used last, up to `most_bytes` in all. Thread-safe."""

    def __init__(self, most_bytes: int, synopses: Synopses = synopsize) -> None:
        self._most_bytes = most_bytes
        self._synopses = synopses
        self._bytes = 0
        self._stubs: OrderedDict[tuple[object, ...], Stub] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, text: str, *, tool: str | None, budget: int, reason: str, rules: Rules,
                 stored: bool = True, as_graph: bool = False) -> Stub:
        """As `make_stub`; two threads may make the same stub at once, which is the same stub."""
        key = (sha256_of(text), tool, budget, reason, rules, stored, as_graph)
        with self._lock:
            if (known := self._stubs.get(key)) is not None:
                self._stubs.move_to_end(key)
                return known
        stub = make_stub(text, tool=tool, budget=budget, reason=reason, rules=rules, stored=stored,
                         as_graph=as_graph, synopses=self._synopses)
        with self._lock:
            if key not in self._stubs:
                self._stubs[key] = stub
                self._bytes += _size(stub)
            while self._bytes > self._most_bytes:
                self._bytes -= _size(self._stubs.popitem(last=False)[1])
        return stub


@dataclass(slots=True)
class Past:
    """What became of the beginning of a conversation: what the policies wanted, the edits made, and the text sent.

    `history` has taken the whole beginning in. It goes on growing, so only one request at a time can have it.
    """

    wire: str
    beginning: Beginning
    changes: tuple[Change, ...]
    decisions: tuple[Decision, ...]
    edits: tuple[Edit, ...]
    text: str
    history: History | None

    def borrow(self) -> History | None:
        """The history, for the request that continues the conversation; None if another one has it."""
        with _borrowing:
            history, self.history = self.history, None
        return history

    @property
    def bytes(self) -> int:
        """About what it takes: the client's text, that text decoded in the messages, the provider's text, and the lines
        of what the history compares with."""
        lines = _INDEX_BYTES * self.history.sources.chars if self.history else 0
        return 2 * sys.getsizeof(self.beginning.text) + sys.getsizeof(self.text) + lines


class PastMemory:
    """The conversations continued last, up to `most_bytes` in all. Thread-safe."""

    def __init__(self, most_bytes: int, most: int = 256) -> None:
        self._most_bytes = most_bytes
        self._most = most
        self._pasts: list[Past] = []
        self._lock = threading.Lock()

    def find(self, wire: str, body: str) -> Past | None:
        """The longest past that `body` begins with. Those it does not begin with differ early, and cost nothing."""
        with self._lock:
            found = [past for past in self._pasts if past.wire == wire and body.startswith(past.beginning.text)]
        return max(found, key=lambda past: len(past.beginning.text), default=None)

    def note(self, past: Past, before: Past | None) -> None:
        """Remember a past, in place of the one it continues."""
        with self._lock:
            self._pasts = [other for other in self._pasts if other is not before][1 - self._most:]
            self._pasts.append(past)
            while sum(known.bytes for known in self._pasts) > self._most_bytes:
                del self._pasts[0]


def _size(stub: Stub) -> int:
    return sys.getsizeof(stub.text) + sys.getsizeof(stub.literal) + _OVERHEAD_BYTES
