"""What a process that rewrites large requests hands to the one that remembers their conversations, as bytes.

The client's body, which both have, is not among them. Only bytes of one's own other process may be unpacked.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import Any, TypeAlias

from ..wire import Body
from ..wire.body import Place, Tail
from .past import Past
from .pieces import Pieces
from .rewritten import Rewritten
from .storing import Sighting

Fault: TypeAlias = "tuple[str, str]"
"""Its type, and what it said."""

_BODY, _SOURCE = "body", "source"


@dataclass(frozen=True, slots=True)
class Handover:
    """A rewritten request, what to remember of it, which originals are in the store by it, and what of ours failed."""

    rewritten: Rewritten
    past: Past | None
    seen: tuple[Sighting, ...]
    faults: tuple[Fault, ...]


def packed(handover: Handover) -> bytes:
    """A handover without what follows from the client's body alone. The reading is packed for itself, for it is rarely
    needed, and its texts take long to unpack."""
    body, reading = handover.rewritten.original, handover.rewritten.reading
    rewritten = replace(handover.rewritten, read=None)
    if reading is not None:
        reading = replace(reading, tail=Tail("", Place(reading.tail.end, len(body))), beginning=None)
    return _pickled((rewritten, _pickled(reading, body), handover.past, handover.seen, handover.faults), body)


def unpacked(data: bytes, body: bytes) -> Handover:
    """The handover about a client's body."""
    rewritten, reading, *rest = _unpickled(data, body)
    if rewritten.understood is not None:
        rewritten = replace(rewritten, read=partial(_unpickled, reading, body))
    return Handover(rewritten, *rest)


def _pickled(value: object, body: bytes) -> bytes:
    out = BytesIO()
    _Pickler(out, body).dump(value)
    return out.getvalue()


def _unpickled(data: bytes, body: bytes) -> Any:
    return _Unpickler(BytesIO(data), body).load()


class _Pickler(pickle.Pickler):
    def __init__(self, out: BytesIO, body: bytes) -> None:
        super().__init__(out, pickle.HIGHEST_PROTOCOL)
        self._body = body

    def persistent_id(self, obj: Any) -> str | int | None:
        """The client's body by name: as bytes, as what is read, or so many bytes of it from its beginning."""
        if obj is self._body:
            return _BODY
        if type(obj) is Pieces and obj.parts and getattr(obj.parts[0], "obj", None) is self._body:
            return obj.size if len(obj.parts) == 1 else None
        return _SOURCE if type(obj) is Body else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: BytesIO, body: bytes) -> None:
        super().__init__(data)
        self._body = body

    def persistent_load(self, pid: str | int) -> Any:
        """What a name stands for."""
        if isinstance(pid, int):
            return Pieces((memoryview(self._body)[:pid],))
        return self._body if pid == _BODY else Body(self._body)
