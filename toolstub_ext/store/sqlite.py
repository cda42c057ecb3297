"""The store in one SQLite file."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Self

from .base import Entries, Entry, Hits, Slice, encode
from .chunks import decode, pack
from .database import Database
from .listing import list_entries
from .location import Location
from .maintenance import collect, damaged, export_original, pin, statistics
from .originals import (
    Original,
    Sighting,
    add_original,
    add_sighting,
    by_digest,
    by_ref,
    compress_all,
    entry,
    is_stale,
    known_sighting,
    label,
    optional_label,
)
from .searching import Query, search_originals
from .slices import read_slice


class SqliteStore:
    """A `Store` in a file, for any number of threads and processes of one machine. Made by `open_store`."""

    def __init__(self, location: Location, *, timeout: float = 2.0) -> None:
        self._database = Database(location, timeout)

    @property
    def path(self) -> Path:
        """The file."""
        return self._database.path

    def put(self, text: str, *, owner: str = "local", session: str | None = None, tool: str | None = None,
            call_id: str | None = None, mime: str | None = None, kind: str | None = None) -> Entry:
        """Keep `text`. A call whose output is already stored costs no write, so history may be sent again and again."""
        packed = pack(text)
        seen = Sighting(label(owner), *map(optional_label, (session, tool, call_id, mime, kind)))
        with self._database.reading() as connection:
            original = by_digest(connection, packed.sha256)
            if original is not None and not is_stale(original):
                created = known_sighting(connection, original, seen)
                if created is not None:
                    return entry(original, seen, created)
        frames = compress_all(packed) if original is None else []
        with self._database.writing() as connection:
            original = by_digest(connection, packed.sha256)
            if original is None:
                original = add_original(connection, packed, frames or compress_all(packed))
            return entry(original, seen, add_sighting(connection, original, seen))

    def read(self, ref: str, *, owner: str = "local", offset: int = 0, limit: int = 20_000,
             lines: str | None = None, pointer: str | None = None) -> Slice:
        """At most `limit` code points, also of `lines` or of the value at `pointer`; `next_offset` is where to go on.

        Raises ValueError, in one line, for arguments that make no sense and for a pointer into what is not JSON.
        """
        with self._database.reading() as connection:
            original = by_ref(connection, ref, owner)
            part = read_slice(connection, original, offset, limit, lines, pointer)
        self._touch(original)
        return part

    def search(self, query: str, *, owner: str = "local", ref: str | None = None, regex: bool = False,
               ignore_case: bool = False, limit: int = 20, context_chars: int = 300, cursor: str | None = None) -> Hits:
        """Where `query` stands. A regex is RE2's, `^` and `$` match at lines, and a match that is empty is none."""
        wanted = Query(query, regex=regex, ignore_case=ignore_case, limit=limit, context_chars=context_chars,
                       cursor=cursor)
        with self._database.reading() as connection:
            only = None if ref is None else by_ref(connection, ref, owner)
            hits = search_originals(connection, label(owner), only, wanted)
        if only is not None:
            self._touch(only)
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
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT key, value FROM rounds WHERE owner = ? AND session = ? ORDER BY id",
                (label(owner), label(session))).fetchall()
        return {key: decode(value) for key, value in rows}

    def pin(self, ref: str, *, owner: str = "local", pinned: bool = True) -> None:
        """Keep the original from being collected, or give it free again."""
        with self._database.writing() as connection:
            pin(connection, by_ref(connection, ref, owner), label(owner), pinned)

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
            return export_original(connection, by_ref(connection, ref, owner), Path(directory))

    def close(self) -> None:
        """Let go of the file. A closed store raises StoreError; closing twice is fine."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    def _touch(self, original: Original) -> None:
        """Note that the original is in use: at most once an hour, and only if no other process is writing just now."""
        if is_stale(original):
            self._database.try_writing("UPDATE originals SET used = ? WHERE id = ?", (int(time.time()), original.id))
