"""A file comes to the newest version step by step, or stays as it was."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from toolstub_ext.store import open_store, schema


def test_steps_that_are_missing_are_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An older file keeps its originals and gets the new tables, once."""
    path = tmp_path / "store.db"
    with open_store(path) as store:
        ref = store.put("text").ref
    made = []

    def step(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE more (x)")
        made.append(1)

    monkeypatch.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, step])
    monkeypatch.setattr("toolstub_ext.store.database.MIGRATIONS", schema.MIGRATIONS)
    for _ in range(2):
        with open_store(path) as store:
            assert store.read(ref).text == "text"
    assert made == [1]


def test_a_step_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """All steps are one transaction."""
    def step(connection: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("no")

    monkeypatch.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, step])
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError):
            schema.migrate(connection)
        assert connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
        assert connection.execute("PRAGMA user_version").fetchone() == (0,)
