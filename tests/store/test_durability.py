"""The promises about processes, in small; `python tests/soak.py` keeps them to it for as long as you like."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
import soak

from toolstub_ext.errors import StoreError
from toolstub_ext.store import open_store

HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.readline()
"""


def test_processes_write_at_once(tmp_path: Path) -> None:
    """Without a lock error, and everything is there."""
    report = soak.writers(tmp_path / "store.db", each=150)
    assert report.ok
    assert report.acknowledged == 300


def test_a_killed_process_loses_nothing_it_was_told_is_kept(tmp_path: Path) -> None:
    """And the file is sound."""
    report = soak.kills(tmp_path / "store.db", rounds=4)
    assert report.ok
    assert report.acknowledged >= 8


def test_another_process_may_hold_the_lock_for_seconds(tmp_path: Path) -> None:
    """A put waits for as long as it was told to, then fails in one line; reading needs no lock; later it goes on."""
    path = tmp_path / "store.db"
    with open_store(path, timeout=0.3) as store:
        kept = store.put("before", call_id="c")
        with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as holder:
            assert holder.stdin is not None
            assert holder.stdout is not None
            assert holder.stdout.readline() == "locked\n"
            with pytest.raises(StoreError, match="another process has kept it locked for too long") as caught:
                store.put("meanwhile")
            assert "\n" not in str(caught.value)
            assert store.read(kept.ref).text == "before"
            assert store.search("before").total == 1
            assert store.put("before", call_id="c").ref == kept.ref
            holder.stdin.write("\n")
            holder.stdin.flush()
            holder.wait()
        assert store.read(store.put("afterwards").ref).text == "afterwards"


def test_a_put_outlasts_a_lock_that_is_shorter_than_its_patience(tmp_path: Path) -> None:
    """Three seconds of another process's lock are nothing to a store that waits for ten."""
    path = tmp_path / "store.db"
    with open_store(path, timeout=10) as store, subprocess.Popen(
            [sys.executable, "-c", HOLD.replace("sys.stdin.readline()", "import time; time.sleep(3)"), str(path)],
            stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        start = time.monotonic()
        entry = store.put("in between")
        assert time.monotonic() - start > 1
        assert store.read(entry.ref).text == "in between"
