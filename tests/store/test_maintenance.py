"""A store is kept small without losing what is pinned, checked to the last byte, and exported without overwriting."""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from toolstub_ext.errors import RefExpired, RefNotFound, StoreError
from toolstub_ext.store import open_store
from toolstub_ext.store.chunks import chunk_id, compress
from toolstub_ext.store.sqlite import SqliteStore


def age(store: SqliteStore, days: float, ref: str | None = None) -> None:
    """As if all, or one, had not been used for so long."""
    with store._database.writing() as connection:
        for table in ("originals", "rounds"):
            connection.execute(f"UPDATE {table} SET used = used - ?" + (" WHERE ref = ?" if ref else ""),
                               (int(days * 86_400), *([ref] if ref else [])))
            if ref:
                break


def test_what_was_unused_for_long_goes(store: SqliteStore) -> None:
    """Age counts from the last use; the rest stays whole."""
    old, new = store.put("old"), store.put("new" * 30_000)
    age(store, 31, old.ref)
    assert store.gc(older_than_days=30) == 1
    assert store.gc(older_than_days=30) == 0
    assert [entry.ref for entry in store.list().items] == [new.ref]
    assert store.read(new.ref, limit=-1).text == "new" * 30_000
    assert store.search("old").total == 0
    assert store.verify() == ()


def test_reading_and_seeing_again_are_uses(store: SqliteStore) -> None:
    """What somebody needed lately is not collected."""
    read, seen, searched, idle = (store.put(f"text {n}", call_id="1").ref for n in range(4))
    age(store, 31)
    store.read(read)
    store.put("text 1", call_id="1")
    store.search("text", ref=searched)
    assert store.gc(older_than_days=30) == 1
    assert {entry.ref for entry in store.list().items} == {read, seen, searched}
    with pytest.raises(RefExpired):
        store.read(idle)


def test_the_longest_unused_go_until_the_rest_fits(store: SqliteStore) -> None:
    """`max_bytes` counts compressed bytes, and nothing goes that fits."""
    refs = [store.put(os.urandom(20_000).hex()).ref for _ in range(6)]
    for days, ref in enumerate(reversed(refs)):
        age(store, days, ref)
    stored = store.stats()["stored_bytes"]
    assert store.gc(max_bytes=stored) == 0
    half = stored // 2 + 1_000  # random texts differ a little in what they take
    assert store.gc(max_bytes=half) == 3
    assert {entry.ref for entry in store.list().items} == set(refs[3:])
    assert store.stats()["stored_bytes"] <= half
    assert store.gc() == 0


def test_more_than_a_batch_goes_at_once(store: SqliteStore) -> None:
    """Collection takes many small transactions, and gives the space back to the disk."""
    for n in range(130):
        store.put(os.urandom(2_000).hex() + str(n))
    before = store.stats()["file_bytes"]
    assert store.gc(older_than_days=0) == 130
    stats = store.stats()
    assert (stats["originals"], stats["sightings"], stats["chars"], stats["stored_bytes"]) == (0, 0, 0, 0)
    assert stats["file_bytes"] < before / 2


def test_pinned_originals_stay(store: SqliteStore) -> None:
    """Until they are given free again; a pin is its owner's."""
    ref = store.put("text").ref
    store.put("text", owner="bob")
    store.pin(ref)
    store.pin(ref)
    store.pin(ref, owner="bob", pinned=False)
    assert store.gc(older_than_days=0, max_bytes=0) == 0
    assert store.verify() == ()
    store.pin(ref, pinned=False)
    assert store.gc(max_bytes=0) == 1


def test_an_expired_ref_says_when(store: SqliteStore) -> None:
    """To those who had it; to others it never was. What is stored again is there again."""
    ref = store.put("text", owner="ann").ref
    store.gc(older_than_days=0)
    with pytest.raises(RefExpired, match=rf"{ref} expired on \d{{4}}-\d\d-\d\d, run the tool again"):
        store.read(ref, owner="ann")
    with pytest.raises(RefNotFound) as foreign:
        store.read(ref, owner="bob")
    assert type(foreign.value) is RefNotFound
    store.put("text", owner="ann")
    assert store.read(ref, owner="ann").text == "text"


def test_rounds_age_too(store: SqliteStore) -> None:
    """A session that is still talked to keeps its rounds."""
    store.put_rounds("k", "v", owner="ann", session="live")
    store.put_rounds("k", "v", owner="ann", session="dead")
    age(store, 31)
    store.rounds(owner="ann", session="live")
    store.gc(older_than_days=30)
    assert store.rounds(owner="ann", session="live") == {"k": "v"}
    assert store.rounds(owner="ann", session="dead") == {}


@pytest.mark.parametrize(("limits", "said"), [
    ({"older_than_days": -1}, "older_than_days is -1"), ({"older_than_days": math.nan}, "older_than_days is nan"),
    ({"max_bytes": -1}, "max_bytes is -1"),
])
def test_limits_below_nothing_make_no_sense(store: SqliteStore, limits: dict[str, float], said: str) -> None:
    """And nothing is dropped for them; no limit at all is one nothing reaches."""
    store.put("text")
    with pytest.raises(ValueError, match=said):
        store.gc(**limits)  # type: ignore[arg-type]
    assert store.gc(older_than_days=math.inf) == 0


def test_collecting_while_others_work_harms_nobody(store: SqliteStore) -> None:
    """A text is there after its put, or was collected whole."""
    def work(name: str) -> None:
        for n in range(40):
            ref = store.put(f"{name} {n} " * 200).ref
            with suppress(RefExpired):
                assert store.read(ref, limit=-1).text == f"{name} {n} " * 200

    with ThreadPoolExecutor() as pool:
        workers = [pool.submit(work, name) for name in "ab"]
        while not all(worker.done() for worker in workers):
            store.gc(max_bytes=2_000)
        for worker in workers:
            worker.result()
    assert store.verify() == ()


@pytest.mark.parametrize(("harm", "said"), [
    ("DELETE FROM chunks WHERE id = :chunk", "chunk 1 of an original is missing"),
    ("UPDATE chunks SET body = x'00' WHERE id = :chunk", "a stored chunk is damaged"),
    ("UPDATE chunks SET body = CAST(substr(body, 1, length(body) - 4) || x'00000000' AS BLOB) WHERE id = :chunk",
     "a stored chunk is damaged"),
    ("UPDATE chunks SET body = 'text' WHERE id = :chunk", "a stored chunk is damaged"),
    ("UPDATE chunks SET body = :other WHERE id = :chunk", "its text is not the one its digest is of"),
    ("UPDATE originals SET sha256 = 'abc' WHERE id = 1", "its text is not the one its digest is of"),
])
def test_damage_is_found(store: SqliteStore, harm: str, said: str) -> None:
    """One line for the original that is damaged; others are not accused."""
    harmed, whole = store.put("ab" * 100_000), store.put("whole")
    with store._database.writing() as connection:
        connection.execute(harm, {"chunk": chunk_id(1, 1), "other": compress(b"other")})
    (finding,) = store.verify()
    assert finding.startswith(f"{harmed.ref}: {said}")
    assert store.read(whole.ref).text == "whole"


def test_damage_of_the_file_is_found(store: SqliteStore) -> None:
    """Pages that hold something else are named, and each original they held."""
    refs = [store.put(os.urandom(40_000).hex()).ref for _ in range(3)]
    path = store.path
    store.close()
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle:middle + 4096] = os.urandom(4096)
    path.write_bytes(data)
    with open_store(path) as harmed:
        findings = harmed.verify()
    assert any(ref in finding for finding in findings for ref in refs)
    assert all("\n" not in finding for finding in findings)


def test_damage_of_any_page_is_found(store: SqliteStore) -> None:
    """In whatever table or index: a finding, and not an error that advises to verify."""
    for number in range(3):
        store.put(os.urandom(9_000).hex(), tool=f"tool {number}")
    path = store.path
    store.close()
    sound = path.read_bytes()
    for page in range(1, len(sound) // 4096):
        path.write_bytes(sound[:page * 4096] + os.urandom(4096) + sound[(page + 1) * 4096:])
        with open_store(path) as harmed:
            assert harmed.verify(), f"page {page}"


def test_reading_what_is_damaged_is_an_error(store: SqliteStore) -> None:
    """And never a wrong text."""
    ref = store.put("ab" * 100_000).ref
    with store._database.writing() as connection:
        connection.execute("UPDATE chunks SET body = x'00' WHERE id % 4294967296 = 1")
    assert store.read(ref, limit=10).text == "ab" * 5
    with pytest.raises(StoreError, match=r"damaged .*; `toolstub verify` says of which original"):
        store.read(ref, limit=-1)
    with pytest.raises(StoreError):
        store.export(ref, store.path.parent)
    assert not list(store.path.parent.glob("ts_*"))


@pytest.mark.parametrize("text", ["", "a\r\nb\n", "\ud800😀\x00\x1b", "long " * 50_000])
def test_an_export_is_the_original_byte_for_byte(store: SqliteStore, tmp_path: Path, text: str) -> None:
    """In a file named after the ref, in a directory made for it if need be; a second one gets another name."""
    entry = store.put(text)
    first = store.export(entry.ref, tmp_path / "a" / "b")
    second = store.export(entry.ref, str(tmp_path / "a" / "b"))
    assert (first.name, second.name) == (f"{entry.ref}.txt", f"{entry.ref}-2.txt")
    assert first.read_bytes() == second.read_bytes() == text.encode("utf-8", "surrogatepass")


def test_an_export_that_cannot_be_written_is_an_error(store: SqliteStore, tmp_path: Path) -> None:
    """The message names the directory, not the store."""
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="file"):
        store.export(store.put("x").ref, tmp_path / "file")
