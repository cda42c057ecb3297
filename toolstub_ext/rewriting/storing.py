"""The store as rewriting uses it: patient with what it has seen, and impatient with a store that fails."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from .. import hidden_rounds
from ..errors import StoreError
from ..hidden_rounds import Keys
from ..store.base import Store
from ..transcript import Change
from ..wire import Edit, Reading
from .past import Stored

T = TypeVar("T")

Sighting: TypeAlias = "tuple[str, ...]"
"""That an original came: owner, session, digest, id of the call."""
Fault: TypeAlias = "tuple[str, str]"
"""Of something that failed: its type, and what it said."""


class Sightings:
    """Which originals were put into the store, and when: each is due again after a while, and all at once if the store
    is another one. Thread-safe."""

    def __init__(self, again_after: float, most: int = 100_000, clock: Callable[[], float] = time.monotonic) -> None:
        self._again_after = again_after
        self._most = most
        self.clock = clock
        self._store = ""
        self._seen: OrderedDict[tuple[str, ...], float] = OrderedDict()
        self._lock = threading.Lock()

    def are_in(self, store: str) -> None:
        """The store is the one of this identity; what was noted of another does not count, nor of one without any: a
        file that is not there is not the one that was made in the request before, and is gone once more."""
        with self._lock:
            if store != self._store or not store:
                self._store = store
                self._seen.clear()

    def is_due(self, *sighting: str) -> bool:
        """Whether this sighting was never noted, or too long ago (in seconds)."""
        return self.clock() >= self.due(*sighting)

    def due(self, *sighting: str) -> float:
        """When it is due, by the clock; at any time, if it was never noted."""
        with self._lock:
            seen = self._seen.get(sighting)
        return -math.inf if seen is None else seen + self._again_after

    @property
    def next_due(self) -> float:
        """When one that is noted now is due again."""
        return self.clock() + self._again_after

    def note(self, *sighting: str) -> None:
        """It is in the store now; the oldest of too many are forgotten."""
        with self._lock:
            self._seen[sighting] = self.clock()
            self._seen.move_to_end(sighting)
            if len(self._seen) > self._most:
                self._seen.popitem(last=False)


class Storing:
    """The store, as one request uses it: after its first fault it is left alone, so that a dead one costs one wait.

    What is to be put is put at once, or with `later` when `put_all` is called: nothing else waits for who writes. Where
    that has `failed` for this request, it is not tried again.
    """

    def __init__(self, store: Store, sightings: Sightings, owner: str, session: str, *, later: bool = False,
                 failed: Exception | None = None) -> None:
        self._store = store
        self._sightings = sightings
        self._owner = owner
        self._session = session
        self.fault: StoreError | None = None
        self.seen: list[Sighting] = []
        """Of the originals that are in the store, those of this request."""
        self.waiting: dict[Sighting, Change] = {}
        """What is still to be put."""
        self._later = later
        self._failed = failed
        self._until = math.inf
        identity = store.identity
        self._whose = owner, session, identity
        sightings.are_in(identity)

    def rounds(self, reading: Reading, keys: Keys | None = None) -> tuple[Edit, ...]:
        """The hidden rounds of the conversation; none if the store fails."""
        return self._try(lambda: hidden_rounds.put_back(self._store, reading, owner=self._owner, session=self._session,
                                                        keys=keys), ())

    def put(self, change: Change) -> bool:
        """Whether the original of a change is in the store, or will be before anything is sent."""
        sighting = self._owner, self._session, change.sha256, change.result.call_id or ""
        due = self._sightings.is_due(*sighting)
        if due and self._later:
            self.waiting[sighting] = change
            self._until = min(self._until, self._sightings.next_due)
            return True
        if due and not self._try(lambda: self._put(change, sighting), False):
            return False
        self.seen.append(sighting)
        self._until = min(self._until, self._sightings.due(*sighting))
        return True

    def put_all(self) -> None:
        """Put what is waiting. Raises StoreError if not all of it can be."""
        for sighting, change in self.waiting.items():
            self._put(change, sighting)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What of the store has failed in this request."""
        return (fault_of(self.fault),) if self.fault else ()

    def has(self, stored: Stored | None) -> bool:
        """Whether originals that were stored need not be put again in this request."""
        if stored is None or not stored.store or (stored.owner, stored.session, stored.store) != self._whose:
            return False
        return self._sightings.clock() < stored.until

    def stored(self, before: Stored | None) -> Stored | None:
        """What to remember of what was put, and of what was `before`; nothing after a fault."""
        if self.fault is not None:
            return None
        return Stored(*self._whose, min(self._until, before.until if before else math.inf))

    def _put(self, change: Change, sighting: Sighting) -> bool:
        if self._failed is not None:
            raise self._failed
        result = change.result
        self._store.put(result.text, owner=self._owner, session=self._session, tool=result.tool,
                        call_id=result.call_id, kind=change.kind)
        self._sightings.note(*sighting)
        return True

    def _try(self, action: Callable[[], T], otherwise: T) -> T:
        if self.fault is None:
            try:
                return action()
            except StoreError as error:
                self.fault = error
        return otherwise


def fault_of(error: Exception) -> Fault:
    """What to say of it."""
    return type(error).__name__, str(error)
