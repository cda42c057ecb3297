"""What a stub says to ask finds something: the expression in its last line, asked of the original."""

from __future__ import annotations

import json

import pytest

from toolstub_ext.querying import query
from toolstub_ext.store import Store
from toolstub_ext.synopsis import synopsize

ORDERS = [{"id": n, "status": "late" if n % 9 == 4 else "paid", "desk": {"name": f"desk {n % 3}"}} for n in range(60)]
ROWS = "".join(f"{n},{'late' if n % 9 == 4 else 'paid'},{n * 3}\n" for n in range(60))
ZEEK = (
    "#separator \\x09\n#path\torders\n#fields\tts\tuid\tstate\n#types\ttime\tstring\tstring\n"
    + "".join(f"1320279566.{n}\tC{n}xa\t{'SF' if n % 9 else 'S0'}\n" for n in range(40))
    + "#close\t2026-11-02\n"
)

STUBS_NAME = ("late",)
"""Definitions are named by the first anchor."""

TEXTS = {
    "array": (json.dumps(ORDERS), "[?status=='late']"),
    "array with an odd item": (json.dumps([*ORDERS, {"error": "no stock", "code": 7}, *ORDERS]), "[60]"),
    "records": ("\n".join(map(json.dumps, ORDERS)), "[?status=='late']"),
    "records, one of them no JSON": (
        "\n".join(map(json.dumps, ORDERS)).replace('{"id": 3,', "{3,"),
        "[?status=='late']",
    ),
    "records cut short": ("\n".join(map(json.dumps, ORDERS))[:-9], "[?status=='late']"),
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
