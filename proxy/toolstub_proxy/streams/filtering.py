"""What the filters of all formats do alike: events come in, and what the client may see of them goes out."""

from __future__ import annotations

from abc import ABC, abstractmethod

from toolstub_ext.retrieval import PREFIX

from .. import sse
from ..turns import Mine

_OURS = PREFIX.encode()


class Filter(ABC):
    """One streamed answer, cut into events; a `later` one continues another. `done` says that its last event is in,
    `has_ids` that events had ids.

    Where the answer may go on in another round, what ends it is held back until it is released.
    """

    def __init__(self, mine: Mine, *, later: bool = False) -> None:
        self.done = False
        self.has_ids = False
        self._mine = mine
        self._later = later
        self._splitter = sse.Splitter()
        self._tail: list[bytes] = []
        self._released = False

    def feed(self, data: bytes) -> bytes:
        """What the client may see now of the answer, with `data` added."""
        self.has_ids = self.has_ids or b"\nid:" in data or data.startswith(b"id:")
        return b"".join(map(self._event, self._splitter.feed(data)))

    def close(self) -> bytes:
        """What the client may see of the rest, now that the upstream has closed. Of a later round it sees no part of an
        event, for behind that it could not read an error, and of none one with a name of ours."""
        rest = self._splitter.flush()
        if rest and (self._later or _OURS in rest):
            rest = rest + sse.BLANK if sse.is_whole(rest) else b""
        return self._event(rest) if rest else b""

    def release(self) -> bytes:
        """The end of the answer, which was held back until it was known to be the client's."""
        self._released = True
        return b"".join(self._tail)

    @abstractmethod
    def _event(self, raw: bytes) -> bytes:
        """What the client may see now that this event has come."""

    @abstractmethod
    def _may_go_on(self) -> bool:
        """Whether another round may follow, or this one follows another."""

    def _held_or_seen(self, event: bytes) -> bytes:
        """An event at the end of the answer, or nothing while it is held."""
        if self._released or not self._may_go_on():
            return event
        self._tail.append(event)
        return b""
