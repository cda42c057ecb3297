"""Originals and their sightings: adding them, and finding the ones an owner has seen."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass

from ..errors import RefExpired, RefNotFound, StoreError
from .base import Entry, Ref, ref_of
from .chunks import Packed, chunk_id

TOUCH_SECONDS = 3_600

FIELDS = "id, ref, sha256, chars, bytes, lines, used, chunk_chars"
"""The columns of an `Original`, in order."""


@dataclass(frozen=True, slots=True)
class Original:
    """What the store knows of a text, whoever saw it. `used` is Unix time."""

    id: int
    ref: Ref
    sha256: str
    chars: int
    bytes: int
    lines: int
    used: int
    chunk_chars: int

    @property
    def chunks(self) -> int:
        """How many pieces it is stored in."""
        return -(-self.chars // self.chunk_chars)

    @property
    def is_stale(self) -> bool:
        """Whether its time of last use has to be written again: an hour's precision is enough to collect by days."""
        return time.time() - self.used > TOUCH_SECONDS


@dataclass(frozen=True, slots=True)
class Sighting:
    """Who saw a text, as the output of what."""

    owner: str
    session: str | None
    tool: str | None
    call_id: str | None
    mime: str | None
    kind: str | None


def find(connection: sqlite3.Connection, ref: str) -> Original | None:
    """The original under a ref, whoever it belongs to."""
    row = connection.execute(f"SELECT {FIELDS} FROM originals WHERE ref = ?", (ref,)).fetchone()  # noqa: S608
    return None if row is None else Original(*row)


def numbered(connection: sqlite3.Connection, number: int) -> Original:
    """The original in a row that was just seen."""
    return Original(*connection.execute(f"SELECT {FIELDS} FROM originals WHERE id = ?", (number,)).fetchone())  # noqa: S608


def find_same(connection: sqlite3.Connection, sha256: str) -> Original | None:
    """The original of that digest. Raises StoreError if another text has its ref already."""
    original = find(connection, ref_of(sha256))
    if original is not None and original.sha256 != sha256:
        raise StoreError(f"{original.ref} is the ref of another text already; this one cannot be stored")
    return original


def find_own(connection: sqlite3.Connection, ref: str, owner: str) -> Original:
    """The original, if `owner` has seen it; another owner's is as unknown as one that never was.

    Raises RefExpired for one that was collected, RefNotFound otherwise.
    """
    original = find(connection, label(ref))
    if original is not None and connection.execute(
        "SELECT 1 FROM sightings WHERE original = ? AND owner = ?", (original.id, owner)
    ).fetchone():
        return original
    gone = connection.execute(
        "SELECT expired FROM tombstones WHERE owner = ? AND ref = ?", (owner, label(ref))).fetchone()
    if gone is not None:
        raise RefExpired(ref, iso(gone[0])[:10])
    raise RefNotFound(ref)


def seen_before(connection: sqlite3.Connection, original: Original, sighting: Sighting) -> int | None:
    """When the output of this very call was stored, or None. Without a call id no two sightings are the same."""
    if sighting.call_id is None:
        return None
    row = connection.execute(
        """SELECT created FROM sightings WHERE original = ? AND owner = ? AND call_id = ?
           AND session IS ? AND tool IS ? AND mime IS ? AND kind IS ?""",
        (original.id, sighting.owner, sighting.call_id, sighting.session, sighting.tool, sighting.mime, sighting.kind),
    ).fetchone()
    return None if row is None else int(row[0])


def add_original(connection: sqlite3.Connection, packed: Packed, frames: list[bytes]) -> Original | None:
    """Write a text, unless there is one under its ref. The caller holds the write lock."""
    now = int(time.time())
    ref = ref_of(packed.sha256)
    written = connection.execute(
        """INSERT INTO originals (ref, sha256, chars, bytes, lines, stored_bytes, used, chunk_chars)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (ref) DO NOTHING""",
        (ref, packed.sha256, packed.chars, packed.size, packed.lines, sum(map(len, frames)), now, packed.chunk_chars))
    number = written.lastrowid
    if not written.rowcount or number is None:
        return None
    connection.executemany(
        "INSERT INTO chunks (id, newlines, body) VALUES (?, ?, ?)",
        [(chunk_id(number, n), newlines, frame)
         for n, ((newlines, _), frame) in enumerate(zip(packed.chunks, frames, strict=True))])
    return Original(number, ref, packed.sha256, packed.chars, packed.size, packed.lines, now,
                    packed.chunk_chars)


def add_sighting(connection: sqlite3.Connection, original: Original, seen: Sighting) -> int:
    """One more sighting, now, in Unix time, which is returned; the original counts as used."""
    now = int(time.time())
    connection.execute(
        """INSERT INTO sightings (original, owner, session, tool, call_id, mime, kind, created)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        (original.id, seen.owner, seen.session, seen.tool, seen.call_id, seen.mime, seen.kind, now))
    if original.used < now:
        connection.execute("UPDATE originals SET used = ? WHERE id = ?", (now, original.id))
    return now


def entry(original: Original, seen: Sighting, created: int) -> Entry:
    """An original and a sighting of it, as callers see them."""
    return Entry(ref=original.ref, sha256=original.sha256, chars=original.chars, bytes=original.bytes,
                 lines=original.lines, kind=seen.kind, mime=seen.mime, tool=seen.tool, call_id=seen.call_id,
                 session=seen.session, created=iso(created))


def iso(seconds: int) -> str:
    """Unix time as ISO 8601 in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def label(name: str) -> str:
    """A name as SQLite can hold it: a lone surrogate, which it cannot hold, is written as its escape."""
    return name if name.isascii() else name.encode("utf-8", "backslashreplace").decode("utf-8")


def optional_label(name: str | None) -> str | None:
    """`label`, for a name that may be missing."""
    return None if name is None else label(name)
