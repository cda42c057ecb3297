"""Putting originals in, and finding the ones an owner has seen."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass

from ..errors import RefExpired, RefNotFound, StoreError
from .base import Entry, Ref, ref_of
from .chunks import CHUNK_CHARS, Packed, chunk_id, compress

TOUCH_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Original:
    """What the store knows of a text, whoever saw it."""

    id: int
    ref: Ref
    sha256: str
    chars: int
    bytes: int
    lines: int
    used: int

    @property
    def chunks(self) -> int:
        """How many pieces it is stored in."""
        return -(-self.chars // CHUNK_CHARS)


@dataclass(frozen=True, slots=True)
class Sighting:
    """Who saw a text, as the output of what."""

    owner: str
    session: str | None
    tool: str | None
    call_id: str | None
    mime: str | None
    kind: str | None


_ORIGINAL = "originals.id, ref, sha256, chars, bytes, lines, used"


def by_digest(connection: sqlite3.Connection, sha256: str) -> Original | None:
    """The original of that digest. Raises StoreError if another text has its ref already."""
    ref = ref_of(sha256)
    row = connection.execute(f"SELECT {_ORIGINAL} FROM originals WHERE ref = ?", (ref,)).fetchone()
    if row is None:
        return None
    if row[2] != sha256:
        raise StoreError(f"{ref} is the ref of another text already; this one cannot be stored")
    return Original(*row)


def by_ref(connection: sqlite3.Connection, ref: str, owner: str) -> Original:
    """The original, if `owner` has seen it. Another owner's is as unknown as one that never was."""
    ref, owner = label(ref), label(owner)
    row = connection.execute(
        f"""SELECT {_ORIGINAL} FROM originals WHERE ref = ? AND EXISTS (
            SELECT 1 FROM sightings WHERE original = originals.id AND owner = ?)""", (ref, owner)).fetchone()
    if row is not None:
        return Original(*row)
    gone = connection.execute("SELECT expired FROM tombstones WHERE owner = ? AND ref = ?", (owner, ref)).fetchone()
    if gone is not None:
        raise RefExpired(ref, iso(gone[0])[:10])
    raise RefNotFound(ref)


def known_sighting(connection: sqlite3.Connection, original: Original, seen: Sighting) -> int | None:
    """When this very call's output was stored before, or None. Clients send their history again with every request."""
    if seen.call_id is None:
        return None
    row = connection.execute(
        """SELECT created FROM sightings WHERE original = ? AND owner = ? AND call_id = ?
           AND session IS ? AND tool IS ? AND mime IS ? AND kind IS ?""",
        (original.id, seen.owner, seen.call_id, seen.session, seen.tool, seen.mime, seen.kind)).fetchone()
    return None if row is None else int(row[0])


def add_original(connection: sqlite3.Connection, packed: Packed, frames: list[bytes]) -> Original:
    """Write the text. The caller holds the write lock and has looked for the digest under it."""
    now = int(time.time())
    ref = ref_of(packed.sha256)
    cursor = connection.execute(
        "INSERT INTO originals (ref, sha256, chars, bytes, lines, stored_bytes, used) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (ref, packed.sha256, packed.chars, packed.bytes, packed.lines, sum(map(len, frames)), now))
    assert cursor.lastrowid is not None
    original = cursor.lastrowid
    connection.executemany(
        "INSERT INTO chunks (id, newlines, body) VALUES (?, ?, ?)",
        ((chunk_id(original, n), newlines, frame)
         for n, ((newlines, _), frame) in enumerate(zip(packed.chunks, frames, strict=True))))
    return Original(original, ref, packed.sha256, packed.chars, packed.bytes, packed.lines, now)


def add_sighting(connection: sqlite3.Connection, original: Original, seen: Sighting) -> int:
    """One more sighting, now; the original counts as used. Returns the time, in seconds of Unix time."""
    now = int(time.time())
    connection.execute(
        """INSERT INTO sightings (original, owner, session, tool, call_id, mime, kind, created)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        (original.id, seen.owner, seen.session, seen.tool, seen.call_id, seen.mime, seen.kind, now))
    connection.execute("UPDATE originals SET used = ? WHERE id = ?", (now, original.id))
    return now


def is_stale(original: Original) -> bool:
    """Whether its time of last use has to be written again. An hour's precision is enough for a collector of days."""
    return time.time() - original.used > TOUCH_SECONDS


def compress_all(packed: Packed) -> list[bytes]:
    """The frames of all chunks; done before the write lock is taken."""
    return [compress(data) for _, data in packed.chunks]


def entry(original: Original, seen: Sighting, created: int) -> Entry:
    """Both, as callers see them."""
    return Entry(ref=original.ref, sha256=original.sha256, chars=original.chars, bytes=original.bytes,
                 lines=original.lines, kind=seen.kind, mime=seen.mime, tool=seen.tool, call_id=seen.call_id,
                 session=seen.session, created=iso(created))


def iso(seconds: int) -> str:
    """Unix time as ISO 8601 in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def label(name: str) -> str:
    """A name as SQLite can hold it: a lone surrogate, which it cannot, is written as its escape."""
    return name if name.isascii() else name.encode("utf-8", "backslashreplace").decode("utf-8")


def optional_label(name: str | None) -> str | None:
    """`label`, for a name that may be missing."""
    return None if name is None else label(name)
