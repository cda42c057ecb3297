"""A model can reach every character of an original, in replies that always fit and say how to go on."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from retrieval_support import LOG, ORDERS, REPLY_CHARS, ask

from toolstub_ext import retrieval
from toolstub_ext.store import Entry, Store


def test_a_read_says_what_it_covers_and_how_to_go_on(store: Store, log: Entry) -> None:
    """The first line has characters, lines and totals; the text behind it is exact and ends with a whole line."""
    head, _, text = ask(store, "read", ref=log.ref).partition("\n")
    lines = text.count("\n")
    assert head == (f"[toolstub] {log.ref} chars 0..{len(text)} of {len(LOG)} (lines 1..{lines} of 3000); "
                    f"continue with offset={len(text)}")
    assert LOG.startswith(text)
    assert len(text) > REPLY_CHARS - 300
    assert text.endswith("\n")


def test_a_result_is_read_by_the_id_of_its_call(store: Store) -> None:
    """Among any number of others, and only in the session, and for the owner, that stored it."""
    store.put(LOG, session="s", call_id="call_1")
    for number in range(2, 600):
        store.put(f"{number}\n", session="s", call_id=f"call_{number}")

    def read(call_id: str, *, owner: str = "local", session: str = "s", **arguments: Any) -> str:
        return retrieval.run(f"read_full_result_{call_id}", json.dumps(arguments), store=store, owner=owner,
                             session=session)

    assert read("call_1", lines="8").endswith("; all that was asked for\n10:00:07 ERROR worker 7")
    assert read("call_9").partition("\n")[2] == "9\n"
    nothing = '[toolstub] no result of the call "call_1" is stored; toolstub_list shows what is'
    assert read("call_1", session="other") == read("call_1", owner="other") == nothing


@pytest.mark.parametrize("original", [LOG, ORDERS, "x", "\n" * 20_000, "é😀\ud800" * 5_000])
@pytest.mark.parametrize("reply_chars", [300, 1_000, REPLY_CHARS])
def test_following_the_offsets_reads_everything(store: Store, original: str, reply_chars: int) -> None:
    """Of long lines and short ones, whatever the size of a reply."""
    ref = store.put(original[:30_000]).ref
    pages, call = [], {"ref": ref}
    while True:
        head, _, text = ask(store, "read", reply_chars, **call).partition("\n")
        pages.append(text)
        onward = re.search(r"continue with offset=(\d+)$", head)
        if onward is None:
            assert head.endswith("; end of the original")
            break
        call = {"ref": ref, "offset": onward[1]}
    assert "".join(pages) == original[:30_000]


def test_lines_and_values_are_read_as_asked_for(store: Store, log: Entry, orders: Entry) -> None:
    """The reply says that it is all that was asked for; what is too long for one reply says how to go on."""
    head, _, text = ask(store, "read", ref=log.ref, lines="8:10").partition("\n")
    assert text == "\n".join(LOG.split("\n")[7:10])
    assert head.endswith("(lines 8..10 of 3000); all that was asked for")
    head, _, text = ask(store, "read", ref=orders.ref, pointer="/1500").partition("\n")
    assert json.loads(text) == {"id": 1500, "name": "order 1500"}
    assert head.endswith("; all that was asked for")
    assert "; continue with offset=" in ask(store, "read", ref=log.ref, lines="1:2000").partition("\n")[0]
    assert "; continue with offset=" in ask(store, "read", ref=orders.ref, pointer="").partition("\n")[0]


@pytest.mark.parametrize(("arguments", "text"), [
    ({"offset": "6", "limit": "3"}, "678"),
    ({"offset": 6.0, "limit": 3}, "678"),
    ({"offset": None, "limit": 3}, "012"),
    ({"offset": "", "limit": 0, "lines": "", "pointer": ""}, "0123456789\nabc\ndef"),
    ({"offset": 12, "limit": -1}, "bc\ndef"),
    ({"limit": 10**40}, "0123456789\nabc\ndef"),
    ({"lines": "2-3"}, "abc\ndef"),
    ({"lines": "L2-L3"}, "abc\ndef"),
    ({"lines": 2}, "abc"),
    ({"lines": "2", "offset": 0}, "abc"),
    ({"lines": "2:"}, "abc\ndef"),
    ({"lines": ":2"}, "0123456789\nabc"),
    ({"lines": "L2"}, "abc"),
    ({"lines": "2 -"}, "abc\ndef"),
    ({"lines": "l2..l3"}, "abc\ndef"),
    ({"lines": "1", "surprise": [1]}, "0123456789"),
])
def test_arguments_are_taken_as_meant(store: Store, arguments: dict[str, Any], text: str) -> None:
    """Numbers as strings, null or nothing for what is left out, other ways to write lines, arguments nobody knows."""
    ref = store.put("0123456789\nabc\ndef").ref
    assert ask(store, "read", ref=f" `{ref}` ", **arguments).partition("\n")[2] == text


@pytest.mark.parametrize(("more", "counted"), [
    ({"lines": "2", "pointer": "/0"}, "lines counted, and not pointer"),
    ({"lines": "2", "pointer": "/0", "offset": 3}, "lines counted, and not pointer or offset"),
    ({"lines": "2", "offset": 3}, "lines counted, and not offset"),
    ({"pointer": "/0", "offset": 3}, "pointer counted, and not offset"),
    ({"lines": "2", "pointer": "", "offset": 0}, ""), ({"offset": 3}, ""),
])
def test_of_several_places_it_is_said_which_one_counted(store: Store, more: dict[str, Any], counted: str) -> None:
    """A model need not guess what it got."""
    head = ask(store, "read", ref=store.put("[1,\n2,\n3]").ref, **more).partition("\n")[0]
    assert head.endswith(f"; {counted}") if counted else "counted" not in head
