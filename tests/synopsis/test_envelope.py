"""JSON around one long text: what the text is, and what else stands beside it."""

from __future__ import annotations

import json

import pytest

from toolstub_ext.synopsis import synopsize

ORDERS = json.dumps([{"id": number, "state": "late"} for number in range(300)])
LABELS = [{"label": number % 2} for number in range(60)]


@pytest.mark.parametrize(("value", "path", "beside"), [
    ({"ok": True, "result": ORDERS}, "result", "ok true"),
    ({"result": ORDERS, "labels": LABELS}, "result", f"labels array of {len(json.dumps(LABELS))} bytes"),
    ({"note": "n" * 300, "result": {"data": ORDERS}}, "result.data", "note string of 302 bytes"),
    ({"meta": {"pages": [9] * 100}, "result": ORDERS}, "result", "meta object of 311 bytes"),
])
def test_all_that_stands_beside_the_text_is_told(value: object, path: str, beside: str) -> None:
    """The short as it is, the long by its length; and what the text is by its own kind."""
    told = synopsize(json.dumps(value))
    assert (told.kind, told.variant) == ("json", "enveloped")
    assert told.summary[0].startswith(f"an envelope: {path} is a text of {len(ORDERS)} characters")
    assert told.summary[1] == f"beside it: {beside}"
    assert told.summary[2].startswith("array of 300 objects")


def test_a_text_with_nothing_beside_it() -> None:
    """No line about that."""
    assert not any("beside" in line for line in synopsize(json.dumps({"result": ORDERS})).summary)
