"""One file for many threads and processes, which neither wait for each other without need nor lose anything."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from toolstub_ext.errors import StoreError
from toolstub_ext.store import open_store
from toolstub_ext.store.sqlite import SqliteStore

WRITER = """
import sys
from toolstub_ext.store import open_store
name, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open_store(path, timeout=30) as store:
    for n in range(count):
        print(store.put(f"{name} {n} " * 500, tool="bash").ref, flush=True)
"""


def writer(name: str, path: Path, count: int) -> subprocess.Popen[str]:
    """Another process that puts texts and prints the ref of each as soon as it is acknowledged."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, "-c", WRITER, name, str(path), str(count)], stdout=subprocess.PIPE,
                            text=True, env=environment)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[Callable[[], None]]:
    """The write lock is somebody else's, until the block ends or the given function is called."""
    holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")

    def release() -> None:
        if holder.in_transaction:
            holder.execute("ROLLBACK")

    try:
        yield release
    finally:
        release()
        holder.close()


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    """Neither fails for a lock, not even when both create the file; all that was acknowledged is there."""
    path = tmp_path / "store.db"
    outputs = [process.communicate()[0].split() for process in [writer(name, path, 60) for name in "ab"]]
    with open_store(path) as store:
        assert [len(set(refs)) for refs in outputs] == [60, 60]
        for name, refs in zip("ab", outputs, strict=True):
            assert [store.read(ref).text for ref in refs] == [f"{name} {n} " * 500 for n in range(60)]


def test_a_new_store_may_be_opened_by_many_at_once(tmp_path: Path) -> None:
    """Whoever comes first makes it, and the others find either nothing or a store of ours."""
    with ThreadPoolExecutor(6) as pool:
        for round_ in range(10):
            path = tmp_path / f"{round_}.db"
            start = threading.Barrier(6)

            def first_put(text: str, path: Path = path, start: threading.Barrier = start) -> str:
                start.wait()
                with open_store(path, timeout=30) as store:
                    return store.put(text).ref

            refs = list(pool.map(first_put, "abcdef"))
            with open_store(path) as store:
                assert [store.read(ref).text for ref in refs] == list("abcdef")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows has no SIGKILL")
def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    """Ten writers are killed in the middle of writing; every acknowledged text is there, and the file is sound."""
    path = tmp_path / "store.db"
    acknowledged: list[str] = []
    for round_ in range(10):
        process = writer(f"round {round_}", path, 100_000)
        assert process.stdout is not None
        acknowledged += [process.stdout.readline().strip() for _ in range(5 + 3 * round_)]
        process.kill()
        acknowledged += process.stdout.read().rpartition("\n")[0].split()
        process.wait()
        process.stdout.close()
    with open_store(path) as store:
        assert len(acknowledged) >= 185
        for ref in acknowledged:
            store.read(ref)
        assert store.verify() == ()


def test_threads_read_while_another_writes(store: SqliteStore) -> None:
    """Each has its own connection; a reader sees what was acknowledged before it began."""
    refs = [store.put("first").ref]
    done = threading.Event()

    def read() -> int:
        rounds = 0
        while not done.is_set() or rounds == 0:
            for ref in refs[-3:]:
                assert store.read(ref).total_chars > 0
            assert store.search("text 1", limit=3).total <= 3 * len(refs) * 1_000
            rounds += 1
        return rounds

    with ThreadPoolExecutor() as pool:
        readers = [pool.submit(read) for _ in range(3)]
        refs.extend(store.put(f"text {n}" * 1_000).ref for n in range(60))
        done.set()
        assert all(reader.result() > 0 for reader in readers)
    store.close()
    assert [file.name for file in store.path.parent.iterdir()] == ["store.db"]


def test_threads_that_end_leave_no_connection(store: SqliteStore) -> None:
    """A connection goes with its thread."""
    for _ in range(5):
        thread = threading.Thread(target=store.stats)
        thread.start()
        thread.join()
    assert len(store._database._sessions) <= 1


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="the platform cannot fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_child_may_go_on_with_the_store(tmp_path: Path) -> None:
    """A fork leaves no connection shared: parent and child write on, in any order, and nothing is lost."""
    with open_store(tmp_path / "store.db") as store:
        store.put("before")
        child = os.fork()
        if child == 0:
            for n in range(20):
                store.put(f"child {n}")
            os._exit(0)
        for n in range(20):
            store.put(f"parent {n}")
        assert os.waitpid(child, 0)[1] == 0
        assert store.stats()["originals"] == 41
        assert store.verify() == ()


def test_a_short_lock_is_waited_for(tmp_path: Path) -> None:
    """Another process that holds the write lock for a while only delays a put, and no read at all."""
    path = tmp_path / "store.db"
    with open_store(path, timeout=20) as store, locked(path) as release:
        timer = threading.Timer(0.3, release)
        timer.start()
        began = time.monotonic()
        assert store.list().total == 0
        assert store.put("text").chars == 4
        assert time.monotonic() - began >= 0.25
        timer.join()


def test_a_long_lock_is_an_error_in_time(tmp_path: Path) -> None:
    """A put gives up after the timeout; nothing is half done, and the next one works."""
    path = tmp_path / "store.db"
    with open_store(path, timeout=0.1) as store:
        kept = store.put("kept")
        with locked(path):
            with pytest.raises(StoreError, match="another process has kept it locked") as caught:
                store.put("text")
            assert "\n" not in str(caught.value)
            assert store.read(kept.ref).text == "kept"
        assert store.put("text").chars == 4


def test_who_will_not_wait_is_told_at_once(tmp_path: Path) -> None:
    """In that thread, and to the end of the block; reading has nothing to wait for."""
    path = tmp_path / "store.db"
    with open_store(path, timeout=30) as store:
        kept = store.put("kept")
        with locked(path) as release:
            began = time.monotonic()
            with store.without_waiting():
                assert store.read(kept.ref).text == "kept"
                for text in ("text", "another"):
                    with pytest.raises(StoreError, match="another process has kept it locked"):
                        store.put(text)
            assert time.monotonic() - began < 15
            timer = threading.Timer(0.2, release)
            timer.start()
            assert store.put("text").chars == 4
            timer.join()


def test_opening_and_reading_wait_for_nobody(tmp_path: Path) -> None:
    """A store that another process is writing to opens at once, for reading."""
    path = tmp_path / "store.db"
    with open_store(path) as store:
        ref = store.put("text").ref
    with locked(path), open_store(path, timeout=0) as store:
        assert store.read(ref).text == "text"
        assert store.search("ex").total == 1


def test_a_call_from_within_a_call_is_an_error(store: SqliteStore) -> None:
    """As from a hook that fires while the store works: it must not wait for itself."""
    with store._database.writing(), pytest.raises(StoreError, match="cannot start a transaction"):
        store.put("text")
