"""A search says how often a text stands in originals, and where."""

from __future__ import annotations

import re

import pytest
from retrieval_support import LOG, ORDERS, REPLY_CHARS, ask

from toolstub_ext.store import Entry, Store


def test_a_search_says_how_often_and_where(store: Store, log: Entry) -> None:
    """Each hit has its line, its offset, a call that reads around it, and its own line of text."""
    head, *hits = ask(store, "search", query="ERROR", ref=log.ref).split("\n")
    assert head == f'[toolstub] 8 hits for "ERROR" in {log.ref}'
    assert len(hits) == 16
    for place, line in zip(hits[::2], hits[1::2], strict=True):
        told = re.fullmatch(
            rf'line (\d+), offset (\d+); around it: toolstub_read\(ref="{log.ref}", offset=(\d+), limit=2000\)', place)
        assert told is not None
        number, offset, around = map(int, told.groups())
        assert LOG[offset:offset + 5] == "ERROR"
        assert LOG.split("\n")[number - 1] == line
        assert around <= offset < around + 2_000


def test_hits_that_are_not_shown_are_counted(store: Store, log: Entry) -> None:
    """All of them in one original, and as far as was looked in all together."""
    told = LOG.count("worker 1")
    assert ask(store, "search", query="worker 1", ref=log.ref).startswith(f"[toolstub] {told:,} hits for ")
    assert ask(store, "search", query="worker 1").startswith(f"[toolstub] at least {told:,} hits for ")


def test_few_hits_come_with_their_surroundings(store: Store, log: Entry, orders: Entry) -> None:
    """In whole lines where there are lines, and in characters where there are not."""
    _, _, *lines = ask(store, "search", query="worker 1234", ref=log.ref).split("\n")
    assert "\n".join(lines) in LOG
    assert len(lines) > 10
    excerpt = ask(store, "search", query="order 1234", ref=orders.ref).split("\n")[2]
    assert excerpt.startswith("…")
    assert excerpt.endswith("…")
    assert excerpt[1:-1] in ORDERS
    assert len(excerpt) > 500


@pytest.mark.parametrize("reply_chars", [400, 1_500, REPLY_CHARS])
def test_a_search_goes_on_with_its_cursor(store: Store, log: Entry, reply_chars: int) -> None:
    """Every hit is shown once."""
    found, cursor = [], None
    while True:
        reply = ask(store, "search", reply_chars, query="worker 11", ref=log.ref, cursor=cursor)
        found += map(int, re.findall(r"^line \d+, offset (\d+);", reply, re.MULTILINE))
        more = re.search(r'for more, the same call with cursor="([^"]+)"', reply.partition("\n")[0])
        if more is None:
            break
        cursor = more[1]
    assert found == [match.start() for match in re.finditer("worker 11", LOG)]


def test_a_search_without_ref_covers_all(store: Store, log: Entry, orders: Entry) -> None:
    """Each hit names its original."""
    reply = ask(store, "search", query=r"worker 77\b|order 77\b", regex="true")
    assert [log.ref in reply, orders.ref in reply] == [True, True]
    assert reply.startswith("[toolstub] 2 hits for ")
    assert ask(store, "search", query="WORKER 77\n", ignore_case=True).startswith("[toolstub] 1 hit for ")
    assert ask(store, "search", query="absent") == (
        '[toolstub] no hits for "absent"; try ignore_case, a shorter query, or regex')
