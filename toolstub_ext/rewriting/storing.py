"""The store as rewriting uses it: patient with what it has seen, and impatient with a store that fails."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from .. import hidden_rounds
from ..errors import StoreError
from ..store.base import Store
from ..transcript import Change
from ..wire import Edit, Reading

T = TypeVar("T")


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


class Storing:
    """The store, as one request uses it: after its first fault it is left alone, so that a dead one costs one wait."""

    def __init__(self, store: Store, sightings: Sightings, owner: str, session: str) -> None:
        self._store = store
        self._sightings = sightings
        self._owner = owner
        self._session = session
        self.fault: StoreError | None = None

    def rounds(self, reading: Reading) -> tuple[Edit, ...]:
        """The hidden rounds of the conversation; none if the store fails."""
        return self._try(
            lambda: hidden_rounds.put_back(self._store, reading, owner=self._owner, session=self._session), ()
        )

    def put(self, change: Change) -> bool:
        """Whether the original of a change is in the store."""
        sighting = self._owner, self._session, change.sha256, change.result.call_id or ""
        return not self._sightings.is_due(*sighting) or self._try(lambda: self._put(change, sighting), False)

    def _put(self, change: Change, sighting: tuple[str, ...]) -> bool:
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
