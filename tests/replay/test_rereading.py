"""What it costs to read again what was missed."""

from __future__ import annotations

import pytest

from toolstub_ext.replay.conversation import Item
from toolstub_ext.replay.missing import Miss
from toolstub_ext.replay.rereading import Rereads

TEXT = "x" * 1_000 + " collect_rows " + "x" * 1_000 + " count_rows " + "x" * 9_000 + " sort_rows "
ITEMS = [Item("user", "go"), Item("assistant", ""), Item("result", TEXT, call_id="1")]


def miss(literal: str, *, turn: int = 3) -> Miss:
    """A name that only the result has."""
    return Miss(turn, literal, "id", (2,))


def test_a_miss_costs_two_rounds_and_what_they_read_to_the_end() -> None:
    """10,000 characters twice at a tenth; 3,300 of calls and window once in full and then in four more requests."""
    rereads = Rereads(ITEMS, 5)
    assert rereads.charge(10_000, [miss("collect_rows")]) == pytest.approx(2 * 1_000 + 3_300 * 1.4)
    assert rereads.cost_of == {2: pytest.approx(rereads.cost)}


def test_a_window_shows_what_else_stands_in_it() -> None:
    """Also to later turns; another place is one more call and window."""
    rereads = Rereads(ITEMS, 3)
    both = rereads.charge(0, [miss("collect_rows"), miss("count_rows")])
    assert both == pytest.approx(3_300 * 1.2)
    assert rereads.charge(0, [miss("count_rows")]) == 0
    assert rereads.charge(1_000, [miss("sort_rows")]) == pytest.approx(2 * 0.1 * (1_000 + 3_300) + 3_300)


def test_places_far_apart_are_read_one_by_one() -> None:
    """In the same two rounds."""
    rereads = Rereads(ITEMS, 1)
    assert rereads.charge(0, [miss("collect_rows"), miss("sort_rows")]) == pytest.approx(400 + 2 * 2_900)


def test_without_a_miss_nothing_is_charged() -> None:
    """Whatever is sent."""
    rereads = Rereads(ITEMS, 1)
    assert rereads.charge(10_000, []) == 0
    assert rereads.cost == 0
