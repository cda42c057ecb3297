"""Whether a file is a store, and making one of it while it is empty. Two processes may do so at once."""

from __future__ import annotations

import sqlite3
import struct
import time
from pathlib import Path

from ..errors import StoreError
from .schema import APPLICATION_ID, MIGRATIONS, migrate

_HEADER = struct.Struct(">40xi16xi4xi28x")  # of a SQLite file: schema cookie, user_version and application_id
_TRY_AGAIN_SECONDS = 0.01


def check_header(path: Path) -> None:
    """Refuse what is not ours before SQLite has touched it. Raises StoreError."""
    with path.open("rb") as file:
        header = file.read(_HEADER.size)
    if not header:
        return
    if len(header) < _HEADER.size or not header.startswith(b"SQLite format 3\0"):
        raise StoreError(f"{path} is not a toolstub store; give another path")
    cookie, version, application = _HEADER.unpack(header)
    if application or cookie:  # without either it is empty, and somebody may be making it a store just now
        _check(path, application, version)


def prepare(connection: sqlite3.Connection, path: Path, timeout: float) -> None:
    """Make the file a store of this version. `timeout` in seconds, for other processes that do the same.

    Raises StoreError if it is another program's, or a newer version's.
    """
    if pragma(connection, "application_id") == 0:
        _mark_as_ours(connection)
    _use_wal(connection, timeout)
    _check(path, pragma(connection, "application_id"), pragma(connection, "user_version"))
    migrate(connection)


def pragma(connection: sqlite3.Connection, name: str) -> int:
    """The value of a pragma that is a number."""
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _check(path: Path, application: int, version: int) -> None:
    if application != APPLICATION_ID:
        raise StoreError(f"{path} is a database of another program; give another path")
    if version > len(MIGRATIONS):
        raise StoreError(f"{path} was written by a newer toolstub; upgrade, or give another path")


def _mark_as_ours(connection: sqlite3.Connection) -> None:
    """Begin an empty file, in which free pages can be given back."""
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("COMMIT")


def _use_wal(connection: sqlite3.Connection, timeout: float) -> None:
    # SQLite does not wait for a lock here by itself, and two processes may start at once.
    deadline = time.monotonic() + timeout
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_TRY_AGAIN_SECONDS)
        else:
            return
