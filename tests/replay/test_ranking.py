"""The best of many."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.replay.ranking import Best


@given(st.lists(st.tuples(st.integers(0, 5), st.integers())), st.integers(1, 4))
def test_the_best_are_kept_and_of_equals_the_first(things: list[tuple[int, int]], most: int) -> None:
    """As sorting all of them would give it."""
    best: Best[tuple[int, int]] = Best(most, lambda thing: thing[0])
    for thing in things:
        best.add(thing)
    assert [*best] == sorted(things, key=lambda thing: -thing[0])[:most]
