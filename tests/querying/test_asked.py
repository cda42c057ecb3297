"""What a stub says to ask finds something: the expression in its last line, asked of the original."""

from __future__ import annotations

import json

import pytest

from toolstub_ext.querying import Listing, query
from toolstub_ext.store import Store
from toolstub_ext.synopsis import synopsize

ORDERS = [{"id": n, "status": "late" if n % 9 == 4 else "paid", "desk": {"name": f"desk {n % 3}"}} for n in range(60)]
ROWS = "".join(f"{n},{'late' if n % 9 == 4 else 'paid'},{n * 3}\n" for n in range(60))
ZEEK = (
    "#separator \\x09\n#path\torders\n#fields\tts\tuid\tstate\n#types\ttime\tstring\tstring\n"
    + "".join(f"1320279566.{n}\tC{n}xa\t{'SF' if n % 9 else 'S0'}\n" for n in range(40))
    + "#close\t2026-11-02\n"
)

STUBS_NAME = ("late", "Late", "LATE ORDERS")
"""Definitions and headings are named by an anchor."""

TEXTS = {
    "array": (json.dumps(ORDERS), "[?status=='late']"),
    "array with an odd item": (json.dumps([*ORDERS, {"error": "no stock", "code": 7}, *ORDERS]), "[60]"),
    "records": ("\n".join(map(json.dumps, ORDERS)), "[?status=='late']"),
    "records, one of them no JSON": (
        "\n".join(map(json.dumps, ORDERS)).replace('{"id": 3,', "{3,"),
        "[?status=='late']",
    ),
    "records cut short": ("\n".join(map(json.dumps, ORDERS))[:-9], "[?status=='late']"),
    "array cut short": (json.dumps(ORDERS)[:-30], "[?status=='late']"),
    "array cut short, an odd item before": (json.dumps([ORDERS[0], {"error": "no stock"}, *ORDERS])[:-30], "[1]"),
    "array in an object cut short": (json.dumps({"ok": True, "orders": ORDERS})[:-30], "orders[?status=='late']"),
    "array cut short inside its only item": (json.dumps([{"orders": ORDERS}])[:-30], "[0].orders[?status=='late']"),
    "Markdown under capitals": ("# DESK\n\nWith [one](a) here.\n\nLATE ORDERS\n\n`x`\n\n- one\n- two\n", "LATE ORDERS"),
    "numbered Markdown in a frame": (
        "The file /a.md has been updated. Here's the result of running `cat -n` on a snippet of /a.md:\n"
        + "".join(f"{n:6}→{line}\n" for n, line in enumerate(["# Desk", "", "[one](a)", "", "## Late", "", "- x"], 7)),
        "Late",
    ),
    "records behind a prefix": ("\n".join("desk-1 | " + json.dumps(each) for each in ORDERS), "[?status=='late']"),
    "array in an object": (json.dumps({"ok": True, "data": {"orders": ORDERS}}), "data.orders[?status=='late']"),
    "array in an array of one": (json.dumps({"runs": [{"orders": ORDERS}]}), "runs[0].orders[?status=='late']"),
    "object": (json.dumps({"ok": True, "desk": {"name": "a" * 90, "seats": {"left": 4}}}), "desk"),
    "csv": ("id,state,total\n" + ROWS, "id, state where state == 'late'"),
    "names that need quotes": ("id,order state,total\n" + ROWS, "rows 1:20"),
    "comments above a table": (ZEEK, "ts, uid where state == 'S0'"),
    "yaml": ("desk:\n  name: one\n  seats:\n    left: 4\norders:\n  - id: 1\n  - id: 2\n", "desk.seats"),
    "code": ("import os\n\n\ndef late(orders):\n    return [each for each in orders if each.due]\n" * 9, "late"),
}


@pytest.mark.parametrize(("text", "asked"), TEXTS.values(), ids=TEXTS)
def test_what_a_stub_asks_has_an_answer(store: Store, text: str, asked: str) -> None:
    """The expression is the one expected, and selects something."""
    entry = store.put(text)
    assert synopsize(text).query == asked or asked in STUBS_NAME
    answer = str(query(store, entry.ref, asked))
    assert answer.strip()
    assert answer.strip() != "null"


def test_what_cannot_be_asked_is_not(store: Store) -> None:
    """A template is no YAML as it stands."""
    text = "desk:\n  name: {{ .name }}\n{{- if .seats }}\n  seats:\n    left: 4\n{{- end }}\n" * 2
    assert synopsize(text).variant == "templated"
    assert not synopsize(text).query
    with pytest.raises(ValueError, match="not whole YAML"):
        query(store, store.put(text).ref, "desk.seats")


def test_of_what_is_cut_short_the_whole_of_it_is_there(store: Store) -> None:
    """Members that are complete, at any depth, and none that is not; the answer says so."""
    text = json.dumps({"ok": True, "data": {"orders": ORDERS, "more": 1}})
    for end in range(130, len(text), 501):
        answer = query(store, store.put(text[:end]).ref, "data.orders[*].desk.name")
        assert isinstance(answer, Listing)
        assert answer.value == [f"desk {n % 3}" for n in range(text[:end].count('"}'))]
        assert "cut short, as far as it is there" in answer.what
