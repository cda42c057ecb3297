"""One SQLite file, shared by threads and processes: connections, transactions, and errors a person can act on.

Every thread has its own connection, so a reader never waits for a writer (WAL). A write takes the write lock at its
start (`BEGIN IMMEDIATE`), which is what lets two processes write without ever failing half-way for a lock. A process
that forks has no connection open at that moment: SQLite's locks belong to a process, and a child that inherited them
could lose data without noticing.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import StoreError
from .faults import store_error
from .location import Location, create_private
from .opening import check_header, pragma, prepare

_SHRINK_PAGES = 2_000
_LOG_BYTES = 64 << 20
_MAPPED_BYTES = 1 << 40

_FileId = tuple[int, int]


class _Session:
    """One thread's connection, or none yet. The lock lets another thread close it between two operations.

    `hurried` says that the thread is to wait for nobody, `waits` whether the connection would.

    Its own thread may take it again: a call from within a call, by a hook or a signal handler, is then an error of
    SQLite and not the end of the process.
    """

    def __init__(self) -> None:
        self.connection: sqlite3.Connection | None = None
        self.file: _FileId | None = None
        self.lock = threading.RLock()
        self.hurried = False
        self.waits = True

    @property
    def is_busy(self) -> bool:
        """Whether its thread is in the middle of a transaction."""
        return self.connection is not None and self.connection.in_transaction

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def __del__(self) -> None:
        self.close()


class Database:
    """The file behind a store. `timeout` is how long, in seconds, an operation waits for another process's lock."""

    def __init__(self, location: Location, timeout: float) -> None:
        self.path, self._name = location.path, os.fspath(location.path)
        self.timeout = timeout
        self._synchronous = "FULL" if location.durability == "power-loss" else "NORMAL"
        self._local = threading.local()
        self._lock = threading.RLock()
        self._sessions: weakref.WeakSet[_Session] = weakref.WeakSet()
        self._paused: list[_Session] = []
        self._closed = False
        self._preparing = threading.Lock()
        self._prepared: _FileId | None = None
        _open_databases.add(self)

    @property
    def identity(self) -> str:
        """What tells the file that is there now from any other at its path; empty if there is none."""
        file = self._file()
        return "" if file is None else f"{file[0]}.{file[1]}"

    def open(self) -> None:
        """Make or check the file now, and not at first use. After a StoreError the database is closed."""
        try:
            with self.glancing():
                pass
        except StoreError:
            self.close()
            raise

    @contextmanager
    def glancing(self) -> Iterator[sqlite3.Connection]:
        """For a few small questions, each of which may see what others have written since the one before.

        Raises StoreError, as all that is built on it, for whatever goes wrong with the file.
        """
        session = self._session()
        with session.lock:
            if self._closed:
                raise StoreError(f"the store {self.path} is closed; open it again")
            try:
                yield self._connected(session)
            except StoreError:
                raise
            except (sqlite3.Error, OSError) as error:
                raise store_error(self.path, error, opened=session.connection is not None) from error

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A consistent view of the database, whatever others write meanwhile."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def reading_much(self) -> Iterator[sqlite3.Connection]:
        """The same, for who reads through most of the file: its pages are mapped into memory and not copied.

        Not for every read: whoever cuts the file short behind SQLite's back ends a process that has it mapped."""
        with self.glancing() as connection:
            connection.execute(f"PRAGMA mmap_size = {_MAPPED_BYTES}")
            try:
                with self._transaction("BEGIN"):
                    yield connection
            finally:
                connection.execute("PRAGMA mmap_size = 0")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The right to write, until the end of the block; an exception undoes everything."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def without_waiting(self) -> Iterator[None]:
        """To the end of the block this thread waits for nobody's lock; what it would have to wait for fails."""
        session = self._session()
        before, session.hurried = session.hurried, True
        try:
            yield
        finally:
            session.hurried = before

    def try_writing(self, statement: str, parameters: tuple[object, ...]) -> None:
        """Execute one statement that is not worth waiting for: if another process writes, it is left out."""
        with self.without_waiting(), self.glancing() as connection:
            try:
                connection.execute(statement, parameters)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY):
                    raise

    def shrink(self) -> None:
        """Give free pages back to the disk, a few at a time; what is in use just now is left for the next time."""
        with self.glancing() as connection:
            free = pragma(connection, "freelist_count")
            while free:
                connection.execute(f"PRAGMA incremental_vacuum({_SHRINK_PAGES})").fetchall()
                before, free = free, pragma(connection, "freelist_count")
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
        with self.glancing() as connection:
            connection.execute(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def _session(self) -> _Session:
        session: _Session | None = getattr(self._local, "session", None)
        if session is None:
            session = self._local.session = _Session()
            with self._lock:
                self._sessions.add(session)
        return session

    def _connected(self, session: _Session) -> sqlite3.Connection:
        """The connection of a thread: to the file that is there now, not to one that was deleted or replaced."""
        if session.connection is None or (session.file != self._file() and not session.is_busy):
            connection = self._connect(0.0 if session.hurried else self.timeout)
            session.close()  # not before: a new file could get the number of the one that is gone, and be taken for it
            session.connection, session.file, session.waits = connection, self._prepared, not session.hurried
        if session.waits is session.hurried:  # mostly not: who is hurried once is so in the next request, too
            session.connection.execute(f"PRAGMA busy_timeout = {0 if session.hurried else int(self.timeout * 1_000)}")
            session.waits = not session.hurried
        return session.connection

    def _connect(self, timeout: float) -> sqlite3.Connection:
        """A connection to a file that has been found usable. What could not be used is tried again the next time."""
        with self._preparing:
            if self._prepared is not None and self._prepared == self._file():
                return self._connection_to_file(timeout)
            self._prepared = None
            create_private(self.path)
            check_header(self.path)
            connection = self._connection_to_file(timeout)
            try:
                prepare(connection, self.path, timeout)
            except BaseException:
                connection.close()
                raise
            self._prepared = self._file()
            return connection

    def _file(self) -> _FileId | None:
        """What tells this file from another at the same path; None if there is none."""
        try:
            found = os.stat(self._name)  # noqa: PTH116 - in every request, and `Path.stat` takes twice as long
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _connection_to_file(self, timeout: float) -> sqlite3.Connection:
        # Another thread only ever closes a connection, and only while it holds the session's lock.
        connection = sqlite3.connect(self.path, timeout=timeout, isolation_level=None, check_same_thread=False)
        try:
            connection.execute(f"PRAGMA synchronous = {self._synchronous}")
            connection.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
        except BaseException:
            connection.close()
            raise
        return connection

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
