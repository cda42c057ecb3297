"""What a process that rewrites large requests hands to the one that remembers their conversations, as bytes.

What is to be sent goes first, because a client waits for it, and what to remember after that. The client's body, which
both have, is in neither. Only bytes of one's own other process may be unpacked.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

from .past import Past
from .pieces import Pieces
from .rewritten import Rewritten
from .storing import Fault, Sighting

_BODY = "body"


@dataclass(frozen=True, slots=True)
class Handover:
    """A rewritten request without its reading, which originals are in the store by it, and what of ours failed."""

    rewritten: Rewritten
    seen: tuple[Sighting, ...]
    faults: tuple[Fault, ...]


def packed(what: Handover | Past, body: bytes) -> bytes:
    """What belongs to a client's body, without that."""
    what = replace(what, rest=b"") if isinstance(what, Past) else what
    out = BytesIO()
    _Pickler(out, body).dump(what)
    return out.getvalue()


def unpacked(data: bytes, body: bytes) -> Any:
    """The Handover or Past that belongs to a client's body."""
    what = _Unpickler(BytesIO(data), body).load()
    return replace(what, rest=body[what.beginning.end.bytes:]) if isinstance(what, Past) else what


class _Pickler(pickle.Pickler):
    def __init__(self, out: BytesIO, body: bytes) -> None:
        super().__init__(out, pickle.HIGHEST_PROTOCOL)
        self._body = body

    def persistent_id(self, obj: Any) -> str | int | None:
        """The client's body by name: all of it, or so many bytes from its beginning."""
        if obj is self._body:
            return _BODY
        if type(obj) is Pieces and obj.parts and getattr(obj.parts[0], "obj", None) is self._body:
            return obj.size if len(obj.parts) == 1 else None
        return None


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: BytesIO, body: bytes) -> None:
        super().__init__(data)
        self._body = body

    def persistent_load(self, pid: str | int) -> Any:
        """What a name stands for."""
        if isinstance(pid, int):
            return Pieces((memoryview(self._body)[:pid],))
        return self._body
