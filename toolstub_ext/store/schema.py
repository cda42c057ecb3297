"""The tables, and how older files become newer ones.

    originals   one row a text; `used` is when it was last needed, in seconds of Unix time
    chunks      its text in pieces of `originals.chunk_chars` code points; id = original << 32 | number of the piece, so
                that pieces of one original are neighbours; `newlines` counts those before it, so that a line is found
                by bisection
    sightings   who saw it, when, as the output of which call; a larger id is a later sighting
    tombstones  what an owner once had, and when it was collected
    pins        what is never collected
    rounds      retrieval rounds that a client did not see, under the visible message they led to

A migration is a function that takes the file from one version to the next; a released one is never edited.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

APPLICATION_ID = 0x746F_7374  # "tost": tells our files from other programs' databases


def _first_tables(connection: sqlite3.Connection) -> None:
    for statement in (
        """CREATE TABLE originals (
            id INTEGER PRIMARY KEY AUTOINCREMENT, ref TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL,
            chars INTEGER NOT NULL, bytes INTEGER NOT NULL, lines INTEGER NOT NULL, stored_bytes INTEGER NOT NULL,
            used INTEGER NOT NULL)""",
        "CREATE INDEX originals_used ON originals (used)",
        "CREATE TABLE chunks (id INTEGER PRIMARY KEY, newlines INTEGER NOT NULL, body BLOB NOT NULL)",
        """CREATE TABLE sightings (
            id INTEGER PRIMARY KEY AUTOINCREMENT, original INTEGER NOT NULL REFERENCES originals, owner TEXT NOT NULL,
            session TEXT, tool TEXT, call_id TEXT, mime TEXT, kind TEXT, created INTEGER NOT NULL)""",
        "CREATE INDEX sightings_newest ON sightings (owner, id)",
        "CREATE INDEX sightings_session ON sightings (owner, session, id)",
        "CREATE INDEX sightings_original ON sightings (original, owner, id)",
        """CREATE TABLE tombstones (
            owner TEXT NOT NULL, ref TEXT NOT NULL, expired INTEGER NOT NULL, PRIMARY KEY (owner, ref))
            WITHOUT ROWID""",
        """CREATE TABLE pins (
            owner TEXT NOT NULL, original INTEGER NOT NULL REFERENCES originals, PRIMARY KEY (original, owner))
            WITHOUT ROWID""",
        """CREATE TABLE rounds (
            id INTEGER PRIMARY KEY, owner TEXT NOT NULL, session TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,
            used INTEGER NOT NULL, UNIQUE (owner, session, key))""",
    ):
        connection.execute(statement)


def _chunks_of_any_size(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE originals ADD COLUMN chunk_chars INTEGER NOT NULL DEFAULT 65536")


MIGRATIONS: list[Callable[[sqlite3.Connection], None]] = [_first_tables, _chunks_of_any_size]


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the open database to the newest version, in one transaction; nothing to do is the usual case."""
    if _version(connection) == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in MIGRATIONS[_version(connection):]:
            step(connection)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
