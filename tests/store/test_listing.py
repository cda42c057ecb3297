"""A list shows each original once, by its newest sighting, in pages that do not shift."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext.store import Entry, Store, open_store

sightings = st.lists(st.tuples(
    st.sampled_from("abcdef"), st.sampled_from([None, "s", "t"]), st.sampled_from([None, "bash", "cat"])), max_size=15)


def pages(store: Store, limit: int, **asked: str | None) -> list[Entry]:
    """All entries, page by page; each page tells the same total."""
    entries: list[Entry] = []
    cursor = None
    while True:
        page = store.list(limit=limit, cursor=cursor, **asked)
        entries += page.items
        if page.cursor is None:
            assert page.total == len(entries)
            return entries
        cursor = page.cursor


@settings(max_examples=40)
@given(seen=sightings, session=st.sampled_from([None, "s", "t", "u"]), tool=st.sampled_from([None, "bash"]),
       limit=st.integers(1, 5))
def test_the_newest_sighting_counts(
    tmp_path_factory: pytest.TempPathFactory, seen: list[tuple[str, str | None, str | None]], session: str | None,
    tool: str | None, limit: int,
) -> None:
    """Filters choose among sightings: an original seen in two sessions is in the lists of both."""
    with open_store(tmp_path_factory.mktemp("store") / "store.db") as store:
        expected: dict[str, tuple[str | None, str | None]] = {}
        for text, where, by in seen:
            ref = store.put(text, session=where, tool=by).ref
            if session in (None, where) and tool in (None, by):
                expected.pop(ref, None)
                expected[ref] = (where, by)
        listed = [(entry.ref, (entry.session, entry.tool)) for entry in pages(store, limit, session=session, tool=tool)]
        assert listed == list(reversed(expected.items()))


def test_pages_do_not_shift(store: Store) -> None:
    """What is stored meanwhile does not move the page after."""
    refs = [store.put(f"text {n}").ref for n in range(4)]
    first = store.list(limit=2)
    store.put("another")
    second = store.list(limit=2, cursor=first.cursor)
    assert [entry.ref for entry in first.items + second.items] == refs[::-1]


@pytest.mark.parametrize(("asked", "said"), [
    ({"limit": 0}, "limit is 0"), ({"cursor": "-1"}, "cursor is '-1'"), ({"cursor": "9" * 30}, "cursor is"),
])
def test_what_makes_no_sense_is_a_value_error(store: Store, asked: dict[str, object], said: str) -> None:
    """One line says what to give instead."""
    with pytest.raises(ValueError, match=said):
        store.list(**asked)  # type: ignore[arg-type]
