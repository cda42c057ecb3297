"""What went wrong with a file, in one line that says what to do."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ..errors import StoreError

_ADVICE = {
    sqlite3.SQLITE_BUSY: "another process has kept it locked for too long; try again, or open it with a longer timeout",
    sqlite3.SQLITE_LOCKED: "another connection has kept it locked; try again",
    sqlite3.SQLITE_READONLY: "it cannot be written; check the permissions of the file and its directory",
    sqlite3.SQLITE_PERM: "it cannot be opened; check the permissions of the file and its directory",
    sqlite3.SQLITE_IOERR: "the disk refused (full, over a size limit, or failing); check it and try again",
    sqlite3.SQLITE_FULL: "the disk is full; free some space, or run `toolstub gc`",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check that its directory exists and can be written",
    sqlite3.SQLITE_CORRUPT: "it is damaged; `toolstub verify` says what, a new path starts afresh",
    sqlite3.SQLITE_NOTADB: "it is not a toolstub store; give another path",
}
_UNOPENABLE = ("it is damaged and cannot be opened: put a backup in its place, or move it away and a new one is made; "
               "what is beside it as -wal and -shm goes with it")


def store_error(path: Path, error: sqlite3.Error | OSError, *, opened: bool = True) -> StoreError:
    """An error of SQLite or of the system, about the file at `path`, as the one that callers get."""
    if isinstance(error, sqlite3.Error):
        return StoreError(_explain(path, error, opened=opened))
    where, why = error.filename or path, error.strerror or error
    return StoreError(f"{where}: {why}; check the path, its permissions and the disk")


def _explain(path: Path, error: sqlite3.Error, *, opened: bool) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    advice = _ADVICE.get(code & 0xFF, "try again") if code is not None else "try again"
    if code is not None and code & 0xFF == sqlite3.SQLITE_CORRUPT and not opened:
        advice = _UNOPENABLE
    return f"store {path}: {' '.join(str(error).split())}; {advice}"
