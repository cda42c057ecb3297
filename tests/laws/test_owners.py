"""Law 8: nobody reads another owner's originals, and a ref is not a capability."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from laws_support import slow

from toolstub_ext.errors import RefNotFound
from toolstub_ext.querying import query
from toolstub_ext.retrieval import NAMES, run
from toolstub_ext.store import Store, open_store, ref_of, sha256_of

OWNERS = ("ann", "bob", "bob ", "BOB", "", "b\ud800b")
TEXTS = tuple(f'{{"needle": "{word}", "items": [{{"id": {n}}}]}}\n' * (1 + n * 700) for n, word in enumerate(
    ["one", "two", "zwei \u4e2d", "\ud83d", "needle"]))
NEVER = ref_of(sha256_of("never stored"))

owners = st.sampled_from(OWNERS)
texts = st.sampled_from(TEXTS)
steps = st.tuples(owners, texts, st.sampled_from(["put", "read", "search", "list", "query", "ask", "pin", "unpin",
                                                  "export", "rounds"]))
histories = st.lists(steps, max_size=25)


def done(store: Store, folder: Path, owner: str, text: str, action: str) -> Any:
    """What an owner sees of one step, without the time and without places in a list that goes on."""
    ref = ref_of(sha256_of(text))
    asked = json.dumps({"ref": ref, "query": "needle", "expression": "items[0].id", "lines": "1:2"})

    def listed() -> Any:
        found = store.list(owner=owner, limit=3)
        return [(entry.ref, entry.tool, entry.session, entry.chars) for entry in found.items], found.total

    def exported() -> bytes:
        return store.export(ref, folder, owner=owner).read_bytes()

    def rounds() -> Any:
        store.put_rounds(ref, owner, owner=owner, session="s")
        return store.rounds(owner=owner, session="s")

    def replies() -> list[str]:
        return [run(name, asked, store=store, owner=owner, session="s") for name in NAMES if name != "toolstub_list"]

    ways: dict[str, Callable[[], Any]] = {
        "put": lambda: store.put(text, owner=owner, tool=owner, session="s").ref,
        "read": lambda: store.read(ref, owner=owner, limit=-1).text,
        "search": lambda: [(hit.ref, hit.offset, hit.snippet) for hit in store.search(
            "needle", owner=owner, limit=30).items],
        "list": listed,
        "query": lambda: str(query(store, ref, "needle", owner=owner)),
        "ask": replies,
        "pin": lambda: store.pin(ref, owner=owner),
        "unpin": lambda: store.pin(ref, owner=owner, pinned=False),
        "export": exported,
        "rounds": rounds,
    }
    try:
        return ways[action]()
    except (RefNotFound, ValueError) as error:
        return type(error), str(error)


@slow
@given(histories)
def test_law_8_what_others_do_changes_nothing_that_an_owner_sees(history: list[tuple[str, str, str]]) -> None:
    """Every answer to an owner is the one of a store that nobody else has used."""
    with TemporaryDirectory() as name, open_store(Path(name, "shared.db")) as shared:
        seen = [(owner, done(shared, Path(name), owner, text, action)) for owner, text, action in history]
        for own in dict.fromkeys(owner for owner, _, _ in history):
            with open_store(Path(name, f"{OWNERS.index(own)}.db")) as alone:
                expected = [done(alone, Path(name), own, text, action) for owner, text, action in history
                            if owner == own]
            assert [answer for owner, answer in seen if owner == own] == expected


@settings(slow, max_examples=60)
@given(histories, st.sampled_from([0, 200, 1 << 30]), histories)
def test_law_8_holds_before_and_after_a_collection(
    before: list[tuple[str, str, str]], max_bytes: int, after: list[tuple[str, str, str]],
) -> None:
    """Whatever was stored, pinned and collected, what an owner gets of a text that he never had is what there is to
    say of one that never was."""
    with TemporaryDirectory() as name, open_store(Path(name, "store.db")) as store:
        for owner, text, action in before:
            done(store, Path(name), owner, text, action)
        store.gc(max_bytes=max_bytes)
        for owner, text, action in after:
            done(store, Path(name), owner, text, action)
        for owner in OWNERS:
            had = {text for who, text, action in before + after if who == owner and action == "put"}
            for text in set(TEXTS) - had:
                ref = ref_of(sha256_of(text))
                for action in ("read", "query", "ask", "pin", "export"):
                    answer = repr(done(store, Path(name), owner, text, action))
                    unknown = repr(done(store, Path(name), owner, "never stored", action))
                    assert answer.replace(ref, NEVER) == unknown
            own = {ref_of(sha256_of(text)) for text in had}
            assert {entry.ref for entry in store.list(owner=owner).items} <= own
            assert {hit.ref for hit in store.search("e", owner=owner, limit=1_000).items} <= own
            assert all(value == owner for value in store.rounds(owner=owner, session="s").values())
