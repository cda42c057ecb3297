"""What a store promises, and the values it answers with.

Offsets and lengths are Unicode code points, lines count from 1 and end at `\\n` only; one that ends the text opens no
further line. Text may hold lone surrogates.
"""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import NewType, Protocol, Self

Ref = NewType("Ref", str)


def encode(text: str) -> bytes:
    """The bytes of an original: UTF-8 in which a lone surrogate is legal."""
    return text.encode("utf-8", "surrogatepass")


def sha256_of(text: str) -> str:
    """64 hex digits that identify an original."""
    return hashlib.sha256(encode(text)).hexdigest()


def ref_of(sha256: str) -> Ref:
    """The handle of an original, from its digest: the same in every notebook, proxy and shell."""
    return Ref("ts_" + sha256[:16])


@dataclass(frozen=True, slots=True)
class Entry:
    """One stored original as one owner last saw it. `created` is ISO 8601 in UTC, `bytes` those of the original."""

    ref: Ref
    sha256: str
    chars: int
    bytes: int
    lines: int
    kind: str | None
    mime: str | None
    tool: str | None
    call_id: str | None
    session: str | None
    created: str


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of an original. `next_offset` is None at the end; an offset out of range gives an empty text."""

    text: str
    offset: int
    total_chars: int
    first_line: int
    total_lines: int
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class Hit:
    """One match: where it starts, the line it is on, and the text around it."""

    ref: Ref
    offset: int
    line: int
    snippet: str


@dataclass(frozen=True, slots=True)
class Hits:
    """Matches, newest original first, in order within one.

    `total` counts them all if it is `complete`; else those found so far, on earlier pages and just behind this one too.
    """

    items: tuple[Hit, ...]
    total: int
    cursor: str | None
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Entries:
    """Stored originals, newest first. `total` counts all that match."""

    items: tuple[Entry, ...]
    total: int
    cursor: str | None


class Store(Protocol):
    """Immutable originals under content-addressed refs, each visible only to the owners who have seen it.

    Safe to use from several threads and processes at once. Every method raises StoreError if the store cannot be
    reached, and RefNotFound (or RefExpired) for a ref that `owner` has not stored.
    """

    @property
    def identity(self) -> str:
        """Another one as soon as what was put may be gone at once, because the store was deleted or replaced; empty
        where there is none just now."""
        ...

    def without_waiting(self) -> AbstractContextManager[None]:
        """To the end of the block this thread waits for nobody: what another process holds up raises StoreError."""
        ...

    def put(self, text: str, *, owner: str = "local", session: str | None = None, tool: str | None = None,
            call_id: str | None = None, mime: str | None = None, kind: str | None = None) -> Entry:
        """Keep `text`, durably, before this returns. The same text again is one more sighting of the same original."""
        ...

    def read(self, ref: str, *, owner: str = "local", offset: int = 0, limit: int = 20_000,
             lines: str | None = None, pointer: str | None = None) -> Slice:
        """A part of the original: `limit` code points from `offset` (-1: to the end), lines "A:B" (from 1, inclusive),
        or the value at a JSON pointer."""
        ...

    def search(self, query: str, *, owner: str = "local", ref: str | None = None, regex: bool = False,
               ignore_case: bool = False, limit: int = 20, context_chars: int = 300, cursor: str | None = None) -> Hits:
        """Where `query` stands, in one original or in all of the owner's, not overlapping.

        ValueError names a bad regex.
        """
        ...

    def list(self, *, owner: str = "local", session: str | None = None, tool: str | None = None, limit: int = 50,
             cursor: str | None = None) -> Entries:
        """What the owner has stored, newest sighting first."""
        ...

    def put_rounds(self, key: str, value: str, *, owner: str, session: str) -> None:
        """Keep a hidden retrieval round under the visible message it led to; the last value of a key counts."""
        ...

    def rounds(self, *, owner: str, session: str) -> dict[str, str]:
        """All hidden rounds of a session, by key."""
        ...

    def pin(self, ref: str, *, owner: str = "local", pinned: bool = True) -> None:
        """Keep the original from being collected, or give it free again."""
        ...

    def gc(self, *, older_than_days: float | None = None, max_bytes: int | None = None) -> int:
        """Drop the originals unused for longest until both limits hold; how many were dropped. Pinned ones stay."""
        ...

    def verify(self) -> tuple[str, ...]:
        """One line for each damaged original; empty if all is well."""
        ...

    def stats(self) -> dict[str, int]:
        """Counts: originals, sightings, chars, bytes, stored_bytes."""
        ...

    def export(self, ref: str, directory: str | Path, *, owner: str = "local") -> Path:
        """Write the original, byte for byte, to a new file in `directory`; its path."""
        ...

    def close(self) -> None:
        """Let go of the database. A closed store raises StoreError."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...
