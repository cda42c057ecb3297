"""The store in one SQLite file."""

from __future__ import annotations

import sqlite3
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

from . import ahead
from .ahead import Ready
from .base import Entries, Entry, Hits, Slice, encode
from .chunks import decode
from .database import Database
from .listing import list_entries
from .location import Location
from .maintenance import collect, damaged, export_original, pin, statistics
from .originals import (
    TOUCH_SECONDS,
    Original,
    Sighting,
    add_original,
    add_sighting,
    entry,
    find_own,
    find_same,
    label,
    optional_label,
    seen_before,
)
from .searching import Query, Search
from .slices import read_slice


class SqliteStore:
    """A `Store` in a file, for any number of threads and processes of one machine. Made by `open_store`."""

    def __init__(self, location: Location, *, timeout: float = 2.0, eager: bool = True) -> None:
        self._database = Database(location, timeout)
        if eager:
            self._database.open()

    @property
    def path(self) -> Path:
        """The file."""
        return self._database.path

    @property
    def identity(self) -> str:
        """Which file is there now."""
        return self._database.identity

    def without_waiting(self) -> AbstractContextManager[None]:
        """To the end of the block this thread waits for no other process."""
        return self._database.without_waiting()

    def put(self, text: str, *, owner: str = "local", session: str | None = None, tool: str | None = None,
            call_id: str | None = None, mime: str | None = None, kind: str | None = None) -> Entry:
        """Keep `text`. A call whose output is already stored costs no write, so history may be sent again and again."""
        ready = ahead.ready(text)
        packed = ready.packed
        seen = Sighting(label(owner), *map(optional_label, (session, tool, call_id, mime, kind)))
        with self._database.glancing() as connection:
            original = find_same(connection, packed.sha256)
            created = None if original is None else seen_before(connection, original, seen)
        if original is not None and created is not None:
            self._touch(original)
            return entry(original, seen, created)
        frames = ready.frames() if original is None else None
        with self._database.writing() as connection:
            return _written(connection, ready, seen, frames)

    def read(self, ref: str, *, owner: str = "local", offset: int = 0, limit: int = 20_000,
             lines: str | None = None, pointer: str | None = None) -> Slice:
        """At most `limit` code points, also of `lines` or of the value at `pointer`; `next_offset` is where to go on.

        Raises ValueError, in one line, for arguments that make no sense and for a pointer into what is not JSON.
        """
        with self._database.reading() as connection:
            original = find_own(connection, ref, label(owner))
            part = read_slice(connection, original, offset=offset, limit=limit, lines=lines, pointer=pointer)
        self._touch(original)
        return part

    def search(self, query: str, *, owner: str = "local", ref: str | None = None, regex: bool = False,
               ignore_case: bool = False, limit: int = 20, context_chars: int = 300, cursor: str | None = None) -> Hits:
        """Where `query` stands. A regex is RE2's; `^` and `$` match at lines, and an empty match is none.

        A query that an original does not hold is also looked for as it would stand in a JSON string, where another
        backslash is before each quote and backslash. `ignore_case` folds ASCII letters for an ASCII query, and all
        letters for another. One call takes a few seconds at most; the cursor goes on from there. A damaged original is
        left out of a search through all, and named in the log.
        """
        wanted = Query(query, regex=regex, ignore_case=ignore_case, limit=limit, context_chars=context_chars,
                       cursor=cursor)
        with self._database.reading_much() as connection:
            search = Search(connection, wanted)
            if ref is None:
                return search.in_all_of(label(owner))
            original = find_own(connection, ref, label(owner))
            hits = search.in_one(original)
        self._touch(original)
        return hits

    def list(self, *, owner: str = "local", session: str | None = None, tool: str | None = None, limit: int = 50,
             cursor: str | None = None) -> Entries:
        """What the owner has stored, each original once, newest sighting first."""
        with self._database.reading() as connection:
            return list_entries(connection, label(owner), optional_label(session), optional_label(tool), limit, cursor)

    def put_rounds(self, key: str, value: str, *, owner: str, session: str) -> None:
        """Keep a hidden retrieval round under the visible message it led to; the last value of a key counts."""
        with self._database.writing() as connection:
            connection.execute(
                """INSERT INTO rounds (owner, session, key, value, used) VALUES (?, ?, ?, ?, ?)
                   ON CONFLICT DO UPDATE SET value = excluded.value, used = excluded.used""",
                (label(owner), label(session), label(key), encode(value), int(time.time())))

    def rounds(self, *, owner: str, session: str) -> dict[str, str]:
        """All hidden rounds of a session by key, in the order in which they came."""
        mine = (label(owner), label(session))
        with self._database.glancing() as connection:
            rows = connection.execute(
                "SELECT key, value, used FROM rounds WHERE owner = ? AND session = ? ORDER BY id", mine).fetchall()
        if not rows:
            return {}
        now = int(time.time())
        if any(now - used > TOUCH_SECONDS for _, _, used in rows):
            self._database.try_writing("UPDATE rounds SET used = ? WHERE owner = ? AND session = ?", (now, *mine))
        return {key: decode(value) for key, value, _ in rows}

    def pin(self, ref: str, *, owner: str = "local", pinned: bool = True) -> None:
        """Keep the original from being collected, or give it free again."""
        with self._database.writing() as connection:
            pin(connection, find_own(connection, ref, label(owner)), label(owner), pinned=pinned)

    def gc(self, *, older_than_days: float | None = None, max_bytes: int | None = None) -> int:
        """Drop the originals unused for longest until both limits hold; how many were dropped. Pinned ones stay.

        `max_bytes` counts stored, that is compressed, bytes. Without a limit nothing is dropped.
        """
        return collect(self._database, older_than_days, max_bytes)

    def verify(self) -> tuple[str, ...]:
        """One line for each damaged original; empty if all is well. Reads and hashes everything."""
        return damaged(self._database)

    def stats(self) -> dict[str, int]:
        """Counts: originals, sightings, chars, bytes, stored_bytes, rounds; and file_bytes, what the files take up."""
        return statistics(self._database)

    def export(self, ref: str, directory: str | Path, *, owner: str = "local") -> Path:
        """Write the original, byte for byte, to a new file in `directory`; its path. Nothing is ever overwritten."""
        with self._database.reading() as connection:
            return export_original(connection, find_own(connection, ref, label(owner)), Path(directory))

    def close(self) -> None:
        """Let go of the file. A closed store raises StoreError; closing twice is fine."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    def _touch(self, original: Original) -> None:
        """Note that the original is in use: at most once an hour, and only if no other process is writing just now."""
        if original.is_stale:
            self._database.try_writing("UPDATE originals SET used = ? WHERE id = ?", (int(time.time()), original.id))


def _written(connection: sqlite3.Connection, ready: Ready, seen: Sighting, frames: list[bytes] | None) -> Entry:
    """A sighting, and the text if it is not there; with its `frames`, if it was not there before the lock was taken."""
    packed = ready.packed
    added = None if frames is None else add_original(connection, packed, frames)
    if added is not None:
        return entry(added, seen, add_sighting(connection, added, seen))
    original = find_same(connection, packed.sha256)
    if original is None:  # it was collected just now
        return _written(connection, ready, seen, ready.frames())
    created = seen_before(connection, original, seen)
    return entry(original, seen, add_sighting(connection, original, seen) if created is None else created)
