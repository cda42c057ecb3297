"""Records like all others but for a value that tells of a failure are found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolstub_ext.synopsis import synopsize

BAD = [
    ("level", "info", "ERROR"),
    ("status", 200, 503),
    ("ok", True, False),
    ("exit_code", 0, 137),
    ("error", None, "no stock"),
    ("conclusion", "success", "failure"),
]


def records(key: str, good: object, bad: object, every: int) -> list[dict[str, Any]]:
    """Forty of them, of which one in so many is bad."""
    return [{"id": n, "text": f"step {n}", key: bad if n % every == every - 1 else good} for n in range(40)]


@pytest.mark.parametrize(("key", "good", "bad"), BAD)
def test_a_record_that_failed_is_told_with_its_place(key: str, good: object, bad: object) -> None:
    """By its line where there is one record a line, else by its index and offset."""
    made = records(key, good, bad, 30)
    told = f"has {key}: {json.dumps(bad)} in "
    lines = synopsize("\n".join(map(json.dumps, made)))
    assert any(line.startswith(f"line 30 {told}") for line in lines.notable_items)
    text = json.dumps(made)
    array = synopsize(text)
    assert any(line.startswith(f"item 29 {told}") for line in array.notable_items)
    assert array.anchors[0].offset == text.index('{"id": 29')


@pytest.mark.parametrize(("key", "good", "bad"), BAD)
def test_what_most_records_have_alarms_nobody(key: str, good: object, bad: object) -> None:
    """A list of failures is no list with failures in it."""
    found = synopsize(json.dumps(records(key, good, bad, 2))).notable_items
    assert not any(" has " in line for line in found)


def test_further_ones_are_counted() -> None:
    """Three are told."""
    found = synopsize(json.dumps(records("ok", True, False, 8)), budget=2_000).notable_items
    assert sum(" has ok: false" in line for line in found) == 3
    assert "2 more items with such a value" in found
