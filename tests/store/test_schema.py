"""A file comes to the newest version step by step, or stays as it was."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from toolstub_ext.store import chunks, open_store, schema


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
    monkeypatch.setattr("toolstub_ext.store.opening.MIGRATIONS", schema.MIGRATIONS)
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


def test_originals_of_the_first_version_are_read_as_they_were_cut(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> None:
    """A file from before pieces could have other sizes than 65,536 is read, searched and verified as ever."""
    path, text = tmp_path / "store.db", "".join(f"é line {n}\n" for n in range(1, 20_001))
    monkeypatch.setattr(chunks, "CHUNK_CHARS", chunks.WHOLE_CHARS)
    with open_store(path) as store:
        ref = store.put(text).ref
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("ALTER TABLE originals DROP COLUMN chunk_chars")
        connection.execute("PRAGMA user_version = 1")
    monkeypatch.undo()
    with open_store(path) as store:
        assert store.read(ref, limit=-1).text == text
        assert store.read(ref, offset=70_000, limit=100).text == text[70_000:70_100]
        assert store.read(ref, lines="19999").text == "é line 19999"
        assert [hit.line for hit in store.search("ne 19999\né", ref=ref).items] == [19_999]
        assert store.verify() == ()
        assert store.put(text).ref == ref
        later = store.put(text + "more").ref
        assert store.read(later, offset=len(text) - 5, limit=20).text == text[-5:] + "more"
