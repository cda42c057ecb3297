"""What is put in comes out, byte for byte, and only for those who have seen it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext.errors import RefNotFound, StoreError
from toolstub_ext.store import Store, open_store, ref_of, sha256_of
from toolstub_ext.store.sqlite import SqliteStore

one_store = settings(max_examples=100)
texts = st.text(st.characters(exclude_categories=()), max_size=200)
names = st.none() | st.text(st.characters(exclude_categories=("Cs",)), max_size=10)


@one_store
@given(texts, names, names, names, names, names)
def test_anything_comes_back(store: Store, text: str, session: str | None, tool: str | None, call_id: str | None,
                             mime: str | None, kind: str | None) -> None:
    """Any text, lone surrogates and all, with what was said about it."""
    entry = store.put(text, session=session, tool=tool, call_id=call_id, mime=mime, kind=kind)
    assert store.read(entry.ref, limit=-1).text == text
    data = text.encode("utf-8", "surrogatepass")
    assert (entry.sha256, entry.bytes, entry.chars) == (hashlib.sha256(data).hexdigest(), len(data), len(text))
    lines = text.count("\n") + (text[-1:] not in ("", "\n"))
    assert (entry.lines, entry.ref) == (lines, "ts_" + entry.sha256[:16])
    assert (entry.session, entry.tool, entry.call_id, entry.mime, entry.kind) == (session, tool, call_id, mime, kind)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry.created)
    assert store.list(limit=1, session=session, tool=tool).items[0].ref == entry.ref


def test_a_big_text_comes_back(store: Store) -> None:
    """Chunks are put together again, whatever stands at their borders."""
    text = "😀\ud83dé\n" * 100_000
    ref = store.put(text).ref
    assert store.read(ref, limit=-1).text == text
    assert (ref, sha256_of(text)) == (ref_of(sha256_of(text)), store.list().items[0].sha256)


def test_the_same_text_is_stored_once(store: Store) -> None:
    """Again, it is one more sighting; the entry is the newest one."""
    first = store.put("text", tool="bash")
    second = store.put("text", tool="cat")
    stats = store.stats()
    assert first.ref == second.ref
    assert (stats["originals"], stats["sightings"], stats["chars"]) == (1, 2, 4)
    assert [entry.tool for entry in store.list().items] == ["cat"]


def test_a_call_that_is_sent_again_is_the_same_sighting(store: Store) -> None:
    """A client sends its history with every request; that neither grows the store nor makes old results new."""
    old = store.put("old", session="s", tool="bash", call_id="1")
    store.put("new", session="s", tool="bash", call_id="2")
    for _ in range(3):
        assert store.put("old", session="s", tool="bash", call_id="1") == old
    assert store.stats()["sightings"] == 2
    assert store.list().items[-1] == old


def test_another_text_with_the_same_ref_is_refused(store: SqliteStore) -> None:
    """It cannot be stored, so the caller lets it pass whole; the first one stays."""
    entry = store.put("first")
    with store._database.writing() as connection:
        connection.execute("UPDATE originals SET ref = ?", (ref_of(sha256_of("second")),))
    with pytest.raises(StoreError, match="is the ref of another text already"):
        store.put("second")
    assert store.read(ref_of(sha256_of("second"))).text == "first"
    assert entry.sha256 == store.list().items[0].sha256


@one_store
@given(texts)
def test_owners_do_not_see_each_other(store: Store, text: str) -> None:
    """To everybody else a ref is as unknown as one that never was, whatever is tried with it."""
    ref = store.put(text + "secret", owner="ann", session="s").ref
    attempts = [
        lambda: store.read(ref, owner="bob"),
        lambda: store.search("secret", ref=ref, owner="bob"),
        lambda: store.export(ref, "never-made", owner="bob"),
        lambda: store.pin(ref, owner="bob"),
    ]
    for attempt in attempts:
        with pytest.raises(RefNotFound) as foreign:
            attempt()
        assert type(foreign.value) is RefNotFound
        assert str(foreign.value) == str(RefNotFound(ref))
    assert store.search("secret", owner="bob").total == 0
    assert store.list(owner="bob").total == 0
    assert store.rounds(owner="bob", session="s") == {}


def test_whoever_sends_the_text_has_it(store: Store) -> None:
    """A stub grants nothing, the text itself does; each owner's list says how that owner came by it."""
    ann = store.put("shared", owner="ann", tool="bash")
    bob = store.put("shared", owner="bob", tool="cat")
    assert ann.ref == bob.ref
    assert store.read(bob.ref, owner="bob").text == "shared"
    assert [entry.tool for entry in store.list(owner="ann").items] == ["bash"]
    assert store.stats()["originals"] == 1


@pytest.mark.parametrize(("ref", "said"), [
    ("ts_0000000000000000", "ts_0000000000000000"), ("TS_0000000000000000", "TS_0000000000000000"), ("ts_0", "ts_0"),
    ("", '""'), ("ts_\ud800", r'"ts_\ud800"'), ("x" * 10_000, '"' + "x" * 40 + '"'),
    ("ts_' OR 1; --", '"ts_\' OR 1; --"'),
    (" ts_0000000000000000", '" ts_0000000000000000"'), ("ts_0\n[toolstub]", r'"ts_0\n[toolstub]"'),
    ("\0\u2028", r'"\u0000\u2028"'),
])
def test_an_unknown_ref_is_not_found(store: Store, ref: str, said: str) -> None:
    """Whatever it is made of, in one line, and quoted where what is wrong with it could not be seen."""
    with pytest.raises(RefNotFound) as caught:
        store.read(ref)
    assert str(caught.value) == f"no such ref: {said} (`toolstub list` shows the stored ones)"


def test_names_may_hold_half_a_surrogate_pair(store: Store) -> None:
    """It is kept as its escape, and finds what was stored under it."""
    entry = store.put("x", owner="o\ud800", session="s\ud800", tool="t\ud800", call_id="c\ud800")
    assert store.read(entry.ref, owner="o\ud800").text == "x"
    assert store.list(owner="o\ud800", session="s\ud800", tool="t\ud800").total == 1
    assert entry.tool == "t\\ud800"


def test_rounds_belong_to_a_session(store: Store) -> None:
    """By key, in the order in which they came; the last value of a key counts."""
    store.put_rounds("k2", "old", owner="ann", session="s")
    store.put_rounds("k1", "one \ud800", owner="ann", session="s")
    store.put_rounds("k2", "two", owner="ann", session="s")
    store.put_rounds("k1", "another", owner="ann", session="t")
    assert list(store.rounds(owner="ann", session="s").items()) == [("k2", "two"), ("k1", "one \ud800")]
    assert store.rounds(owner="ann", session="u") == {}


def test_what_is_stored_outlives_the_store(tmp_path: Path) -> None:
    """Closing and opening again changes nothing; a closed store says that it is closed, and closes twice."""
    with open_store(tmp_path / "store.db") as store:
        ref = store.put("text").ref
    with pytest.raises(StoreError, match="is closed"):
        store.read(ref)
    with pytest.raises(StoreError, match="is closed"):
        store.put("text")
    store.close()
    with open_store(f"sqlite:///{tmp_path / 'store.db'}?durability=power-loss") as again:
        assert again.read(ref).text == "text"


def test_use_is_noted_at_most_once_an_hour(store: SqliteStore) -> None:
    """Reading writes only when the time of last use is an hour old, so that reads do not queue behind writes."""
    ref = store.put("text").ref
    with store._database.writing() as connection:
        connection.execute("UPDATE originals SET used = used - 3000")
        (recent,) = connection.execute("SELECT used FROM originals").fetchone()
    store.read(ref)
    assert used(store) == recent
    with store._database.writing() as connection:
        connection.execute("UPDATE originals SET used = used - 3000")
    store.read(ref)
    assert used(store) > recent


def used(store: SqliteStore) -> int:
    """When the only original was last used."""
    with store._database.reading() as connection:
        return int(connection.execute("SELECT used FROM originals").fetchone()[0])
