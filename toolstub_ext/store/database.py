"""One SQLite file, shared by threads and processes: connections, transactions, and errors a person can act on.

Every thread has its own connection, so a reader never waits for a writer (WAL). A write takes the write lock at its
start (`BEGIN IMMEDIATE`), which is what lets two processes write without ever failing half-way for a lock. A process
that forks has no connection open at that moment: SQLite's locks belong to a process, and a child that inherited them
could lose data without noticing.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import StoreError
from .location import Location, create_private
from .schema import APPLICATION_ID, MIGRATIONS, migrate

_HEADER = struct.Struct(">40xi16xi4xi28x")  # of a SQLite file: schema cookie, user_version and application_id
_SHRINK_PAGES = 2_000
_LOG_BYTES = 64 << 20

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


class _Session:
    """One thread's connection, or none yet. The lock lets another thread close it between two operations.

    Its own thread may take it again: a call from within a call, by a hook or a signal handler, is then an error of
    SQLite and not the end of the process.
    """

    def __init__(self) -> None:
        self.connection: sqlite3.Connection | None = None
        self.lock = threading.RLock()

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def __del__(self) -> None:
        self.close()


class Database:
    """The file behind a store. `timeout` is how long, in seconds, an operation waits for another process's lock."""

    def __init__(self, location: Location, timeout: float) -> None:
        self.path = location.path
        self.timeout = timeout
        self._synchronous = "FULL" if location.durability == "power-loss" else "NORMAL"
        self._local = threading.local()
        self._lock = threading.RLock()
        self._sessions: weakref.WeakSet[_Session] = weakref.WeakSet()
        self._paused: list[_Session] = []
        self._closed = False
        try:
            with self._explained():
                self._prepare()
        except StoreError:
            self.close()
            raise
        _open_databases.add(self)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A consistent view of the database, whatever others write meanwhile."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The right to write, until the end of the block; an exception undoes everything."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def try_writing(self, statement: str, parameters: tuple[object, ...]) -> None:
        """Execute one statement that is not worth waiting for: if another process writes, it is left out."""
        with self._connection() as connection:
            connection.execute("PRAGMA busy_timeout = 0")
            try:
                connection.execute(statement, parameters)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY):
                    raise
            finally:
                connection.execute(f"PRAGMA busy_timeout = {self._milliseconds()}")

    def shrink(self) -> None:
        """Give free pages back to the disk, a few at a time; what is in use just now is left for the next time."""
        with self._connection() as connection:
            free = _pragma(connection, "freelist_count")
            while free:
                connection.execute(f"PRAGMA incremental_vacuum({_SHRINK_PAGES})").fetchall()
                before, free = free, _pragma(connection, "freelist_count")
                if free >= before:
                    break
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close every thread's connection, after what it is doing."""
        with self._lock:
            self._closed = True
            for session in list(self._sessions):
                with session.lock:
                    session.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._connection() as connection:
            connection.execute(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        session: _Session | None = getattr(self._local, "session", None)
        if session is None:
            session = self._local.session = _Session()
            with self._lock:
                self._sessions.add(session)
        with session.lock, self._explained():
            if self._closed:
                raise StoreError(f"the store {self.path} is closed; open it again")
            if session.connection is None:
                session.connection = self._connect()
            yield session.connection

    def _connect(self) -> sqlite3.Connection:
        # Another thread only ever closes a connection, and only while it holds the session's lock.
        connection = sqlite3.connect(self.path, timeout=self.timeout, isolation_level=None, check_same_thread=False)
        try:
            connection.execute(f"PRAGMA synchronous = {self._synchronous}")
            connection.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self) -> None:
        create_private(self.path)
        self._check_header()
        with self._connection() as connection:
            if _pragma(connection, "application_id") == 0:
                self._mark_as_ours(connection)
            self._use_wal(connection)
            self._check(_pragma(connection, "application_id"), _pragma(connection, "user_version"))
            migrate(connection)

    def _mark_as_ours(self, connection: sqlite3.Connection) -> None:
        """Begin an empty file, in which free pages can be given back. Two processes may do so at once."""
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")

    def _check_header(self) -> None:
        """Refuse what is not ours before SQLite has touched it."""
        with self.path.open("rb") as file:
            header = file.read(_HEADER.size)
        if not header:
            return
        if len(header) < _HEADER.size or not header.startswith(b"SQLite format 3\0"):
            raise StoreError(f"{self.path} is not a toolstub store; give another path")
        cookie, version, application = _HEADER.unpack(header)
        if application or cookie:  # without either it is empty, and somebody may be making it a store just now
            self._check(application, version)

    def _check(self, application: int, version: int) -> None:
        if application != APPLICATION_ID:
            raise StoreError(f"{self.path} is a database of another program; give another path")
        if version > len(MIGRATIONS):
            raise StoreError(f"{self.path} was written by a newer toolstub; upgrade, or give another path")

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        # SQLite does not wait for a lock here by itself, and two processes may start at once.
        deadline = time.monotonic() + self.timeout
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                return

    def _milliseconds(self) -> int:
        return int(self.timeout * 1000)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except StoreError:
            raise
        except sqlite3.Error as error:
            raise StoreError(_explain(self.path, error)) from error
        except OSError as error:
            where = error.filename or self.path
            why = error.strerror or error
            raise StoreError(f"{where}: {why}; check the path, its permissions and the disk") from error

    def pause(self) -> None:
        """Close every connection and let nobody open one, until `resume`."""
        self._lock.acquire()
        self._paused = list(self._sessions)
        for session in self._paused:
            session.lock.acquire()
            session.close()

    def resume(self) -> None:
        """The end of a pause, in the process that forked and in its child."""
        for session in self._paused:
            session.lock.release()
        self._paused = []
        self._lock.release()


def _explain(path: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    advice = _ADVICE.get(code & 0xFF, "try again") if code is not None else "try again"
    return f"store {path}: {' '.join(str(error).split())}; {advice}"


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


_open_databases: weakref.WeakSet[Database] = weakref.WeakSet()
_forking: list[Database] = []


def _before_fork() -> None:
    _forking[:] = list(_open_databases)
    for database in _forking:
        database.pause()


def _after_fork() -> None:
    for database in _forking:
        database.resume()
    _forking.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
