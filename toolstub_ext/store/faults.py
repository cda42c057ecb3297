"""What went wrong with a file, in one line that says what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite and of the system, about the file at `path`, into StoreError."""
    try:
        yield
    except StoreError:
        raise
    except sqlite3.Error as error:
        raise StoreError(_explain(path, error)) from error
    except OSError as error:
        where = error.filename or path
        why = error.strerror or error
        raise StoreError(f"{where}: {why}; check the path, its permissions and the disk") from error


def _explain(path: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    advice = _ADVICE.get(code & 0xFF, "try again") if code is not None else "try again"
    return f"store {path}: {' '.join(str(error).split())}; {advice}"
