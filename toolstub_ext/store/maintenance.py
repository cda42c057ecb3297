"""Keeping a store small and sound: collection, verification, figures, export."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from ..errors import StoreError
from .chunks import Chunk, chunk_id, read_chunks
from .database import Database
from .originals import Original, find

_BATCH = 50
_DAY = 86_400


def collect(database: Database, older_than_days: float | None, max_bytes: int | None) -> int:
    """Drop what was unused for longest, in small transactions so that nobody waits for long; how many were dropped."""
    if older_than_days is not None and not older_than_days >= 0:
        raise ValueError(f"older_than_days is {older_than_days}; give a number of days, 0 or more")
    if max_bytes is not None and max_bytes < 0:
        raise ValueError(f"max_bytes is {max_bytes}; give a number of bytes, 0 or more")
    dropped = 0
    now = int(time.time())
    if older_than_days is not None:
        oldest = int(max(0, now - older_than_days * _DAY))
        dropped += _drop_all(database, oldest, keep_bytes=0)
        with database.writing() as connection:
            connection.execute("DELETE FROM rounds WHERE used <= ?", (oldest,))
    if max_bytes is not None:
        dropped += _drop_all(database, now, keep_bytes=max_bytes)
    database.shrink()
    return dropped


def _drop_all(database: Database, used_until: int, keep_bytes: int) -> int:
    dropped = 0
    while True:
        with database.writing() as connection:
            count = _drop_batch(connection, used_until, keep_bytes)
        dropped += count
        if count < _BATCH:
            return dropped


def _drop_batch(connection: sqlite3.Connection, used_until: int, keep_bytes: int) -> int:
    (stored,) = connection.execute("SELECT coalesce(sum(stored_bytes), 0) FROM originals").fetchone()
    candidates = connection.execute(
        """SELECT id, ref, stored_bytes FROM originals WHERE used <= ?
           AND NOT EXISTS (SELECT 1 FROM pins WHERE pins.original = originals.id) ORDER BY used, id LIMIT ?""",
        (used_until, _BATCH)).fetchall()
    count = 0
    for original, ref, size in candidates:
        if stored <= keep_bytes:
            break
        _drop(connection, original, ref)
        stored -= size
        count += 1
    return count


def _drop(connection: sqlite3.Connection, original: int, ref: str) -> None:
    connection.execute(
        """INSERT OR REPLACE INTO tombstones (owner, ref, expired)
           SELECT DISTINCT owner, ?, ? FROM sightings WHERE original = ?""", (ref, int(time.time()), original))
    connection.execute("DELETE FROM sightings WHERE original = ?", (original,))
    connection.execute(
        "DELETE FROM chunks WHERE id >= ? AND id < ?", (chunk_id(original, 0), chunk_id(original + 1, 0)))
    connection.execute("DELETE FROM originals WHERE id = ?", (original,))


def pin(connection: sqlite3.Connection, original: Original, owner: str, *, pinned: bool) -> None:
    """Keep an original, for one owner, from being collected, or give it free."""
    if pinned:
        connection.execute("INSERT OR IGNORE INTO pins (owner, original) VALUES (?, ?)", (owner, original.id))
    else:
        connection.execute("DELETE FROM pins WHERE owner = ? AND original = ?", (owner, original.id))


def damaged(database: Database) -> tuple[str, ...]:
    """One line for each fault of the file, and for each original whose text is not what its digest says.

    Without a transaction, since one on a damaged file has no end: what was collected meanwhile is no fault.
    """
    with database.glancing() as connection:
        # Not `quick_check`: up to SQLite 3.40 at least, it finds NULLs in a sound table without rowid such as `pins`.
        check = _as_far_as_it_goes(connection, "PRAGMA integrity_check(20)")
        refs = _as_far_as_it_goes(connection, "SELECT ref FROM originals ORDER BY id")
    findings = [f"{database.path}: {' '.join(line.split())}" for line in check if line != "ok"]
    for ref in refs:
        with database.glancing() as connection:
            fault = _fault(connection, ref)
        if fault is not None:
            findings.append(f"{ref}: {fault}")
    return tuple(findings)


def _as_far_as_it_goes(connection: sqlite3.Connection, question: str) -> list[str]:
    """The first column of the rows that can be read, and what ended them if the file is too damaged for more."""
    rows = []
    try:
        for row in connection.execute(question):
            rows.append(str(row[0]))  # noqa: PERF401 - what was read before an error counts
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        rows.append(str(error))  # which is the ref of nothing
    return rows


def _fault(connection: sqlite3.Connection, ref: str) -> str | None:
    digest = hashlib.sha256()
    try:
        original = find(connection, ref)
        if original is None:
            return None
        for chunk in _chunks(connection, original):
            digest.update(chunk.data)
    except StoreError as error:
        return str(error).partition(";")[0] if find(connection, ref) is not None else None
    except sqlite3.DatabaseError as error:
        return f"it cannot be read ({error})"
    return None if digest.hexdigest() == original.sha256 else "its text is not the one its digest is of"


def statistics(database: Database) -> dict[str, int]:
    """Counts and sizes of all that is stored, whoever it belongs to."""
    with database.reading() as connection:
        originals, chars, size, stored = connection.execute(
            """SELECT count(*), coalesce(sum(chars), 0), coalesce(sum(bytes), 0), coalesce(sum(stored_bytes), 0)
               FROM originals""").fetchone()
        (sightings,) = connection.execute("SELECT count(*) FROM sightings").fetchone()
        (rounds,) = connection.execute("SELECT count(*) FROM rounds").fetchone()
    files = (Path(f"{database.path}{suffix}") for suffix in ("", "-wal", "-shm"))
    return {"originals": originals, "sightings": sightings, "chars": chars, "bytes": size, "stored_bytes": stored,
            "rounds": rounds, "file_bytes": sum(file.stat().st_size for file in files if file.exists())}


def export_original(connection: sqlite3.Connection, original: Original, directory: Path) -> Path:
    """Write the original to a new file named after its ref or, where that exists, to the next free name."""
    directory.mkdir(parents=True, exist_ok=True)
    path, descriptor = _new_file(directory, original.ref)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chunk.data for chunk in _chunks(connection, original))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def _new_file(directory: Path, stem: str) -> tuple[Path, int]:
    number, path = 1, directory / f"{stem}.txt"
    while True:
        try:
            return path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        except FileExistsError:
            number += 1
            path = directory / f"{stem}-{number}.txt"


def _chunks(connection: sqlite3.Connection, original: Original) -> Iterator[Chunk]:
    return read_chunks(connection, original.id, 0, original.chunks - 1)
