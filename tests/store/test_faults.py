"""Every way in which a file cannot be a store ends in one line of advice, and in no damage."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolstub_ext.errors import StoreError
from toolstub_ext.store import open_store
from toolstub_ext.store.schema import MIGRATIONS
from toolstub_ext.store.sqlite import SqliteStore


@contextlib.contextmanager
def ordinary_user() -> Iterator[None]:
    """Permissions count for everybody but root, so root steps down for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("content", [b"not a database", b"SQLite format 3\0", b"x" * 5_000])
def test_another_kind_of_file_is_left_alone(tmp_path: Path, content: bytes) -> None:
    """The error says so, and not a byte of it is changed."""
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="is not a toolstub store"):
        open_store(path)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    """A SQLite file that is not ours is not made ours."""
    path = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is a database of another program"):
        open_store(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_newer_store_is_left_alone(tmp_path: Path) -> None:
    """A version that does not know the file's tables does not touch it."""
    path = tmp_path / "store.db"
    open_store(path).close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as newer:
        newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="was written by a newer toolstub; upgrade"):
        open_store(path)
    assert path.read_bytes() == before


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    """As from mktemp."""
    path = tmp_path / "store.db"
    path.touch()
    with open_store(path) as store:
        assert store.put("x").chars == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")
def test_all_files_are_private(tmp_path: Path) -> None:
    """The log beside the database is as private as the database."""
    with open_store(tmp_path / "own" / "store.db") as store:
        store.put("secret")
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "own").iterdir()}
    assert modes == dict.fromkeys(("store.db", "store.db-wal", "store.db-shm"), 0o600)


def test_a_path_through_a_file_is_no_path(tmp_path: Path) -> None:
    """The message names the path and the cause."""
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"file.*; check the path, its permissions and the disk"):
        open_store(tmp_path / "file" / "store.db")


def test_a_patient_store_tries_again(tmp_path: Path) -> None:
    """Opened with `eager=False`, a store that cannot be used yet is used as soon as it can."""
    (tmp_path / "folder").touch()
    with open_store(tmp_path / "folder" / "store.db", eager=False) as store:
        for _ in range(2):
            with pytest.raises(StoreError, match="check the path"):
                store.put("text")
        (tmp_path / "folder").unlink()
        assert store.read(store.put("text").ref).text == "text"


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted there")
@pytest.mark.parametrize("replaced", [False, True])
def test_a_store_whose_file_is_gone_is_made_anew(tmp_path: Path, replaced: bool) -> None:
    """What is acknowledged is in the file that others see, not in one that nobody can open any more."""
    path = tmp_path / "store.db"
    with open_store(path) as store:
        store.put("before")
        for file in tmp_path.iterdir():
            file.rename(tmp_path / f"moved-{file.name}")
        if replaced:
            open_store(path).close()
        ref = store.put("after").ref
        with open_store(path) as other:
            assert other.read(ref).text == "after"


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted there")
def test_a_store_made_anew_is_told_from_the_one_that_was_deleted(tmp_path: Path) -> None:
    """Also where the system would give the new file the number of the old one: who has noted what is in that would
    never put it again."""
    with open_store(tmp_path / "store.db") as store:
        before = store.identity
        for file in tmp_path.iterdir():
            file.unlink()
        store.put("after")
        assert store.identity not in ("", before)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no file modes")
def test_an_unwritable_place_is_an_error(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A directory without write permission, a file without any, a file that turns read-only: one line each."""
    folder = tmp_path_factory.mktemp("shared")
    for parent in (folder, *list(folder.parents)[:2]):
        parent.chmod(0o755)
    folder.chmod(0o777)
    with ordinary_user():
        open_store(folder / "mine.db").close()
    folder.chmod(0o555)
    with ordinary_user():
        with pytest.raises(StoreError, match="Permission denied; check the path"):
            open_store(folder / "store.db")
        with pytest.raises(StoreError, match=r"it cannot be (opened|written); check"):
            open_store(folder / "mine.db").put("x")
    (folder / "mine.db").chmod(0)
    with ordinary_user(), pytest.raises(StoreError, match="Permission denied"):
        open_store(folder / "mine.db")
    folder.chmod(0o755)


FULL = """
import random, resource, signal, sys
from toolstub_ext.errors import StoreError
from toolstub_ext.store import open_store
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = open_store(sys.argv[1])
kept = store.put("kept")
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
noise = "".join(map(chr, random.Random(1).choices(range(32, 50_000), k=400_000)))
for attempt in range(2):
    try:
        store.put(noise)
    except StoreError as error:
        print(error)
assert store.read(kept.ref).text == "kept"
print(store.stats()["originals"])
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert store.read(store.put(noise).ref, limit=-1).text == noise
print(store.verify())
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit of file sizes")
def test_a_full_disk_is_an_error_and_no_damage(tmp_path: Path) -> None:
    """A write that the disk refuses fails in one line, keeps what was there, and works again when there is room."""
    run = subprocess.run([sys.executable, "-c", FULL, str(tmp_path / "store.db")], capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False)
    assert run.stderr == ""
    first, second, originals, damage = run.stdout.splitlines()
    assert first == second
    assert "the disk refused (full, over a size limit, or failing)" in first
    assert (originals, damage) == ("1", "()")


def test_a_full_database_is_an_error(store: SqliteStore) -> None:
    """SQLite's own word for a full disk is explained too."""
    with store._database.glancing() as connection:
        connection.execute("PRAGMA max_page_count = 20")
    with pytest.raises(StoreError, match="the disk is full; free some space, or run `toolstub gc`"):
        store.put("".join(chr(n) for n in range(32, 50_000)))
    assert store.stats()["originals"] == 0


def test_damage_is_an_error(store: SqliteStore, tmp_path: Path) -> None:
    """A file that was overwritten says that it is damaged."""
    store.put("text " * 100_000)
    path = store.path
    store.close()
    data = bytearray(path.read_bytes())
    data[4_096:] = b"\xff" * (len(data) - 4_096)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="it is damaged; `toolstub verify` says what"), open_store(path) as damaged:
        damaged.put("more")
