"""A series is a tuple that grows without being copied."""

from __future__ import annotations

import pickle
from itertools import chain
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.series import Series

GROWN = st.lists(st.lists(st.integers(0, 3), max_size=6), max_size=30)
PLACES = st.integers(-40, 40) | st.none()


def series_of(grown: list[list[int]]) -> Series[int]:
    """One that grew so."""
    series: Series[int] = Series()
    for items in grown:
        series = series + items
    return series


@given(GROWN, PLACES, PLACES, st.integers(1, 3) | st.none() | st.just(-1))
def test_it_is_a_tuple_of_what_it_grew_by(grown: list[list[int]], start: int | None, stop: int | None,
                                          step: int | None) -> None:
    """Length, order, places, slices, equality; also in another process."""
    series, items = series_of(grown), (*chain.from_iterable(grown),)
    assert (*series,) == items
    assert series == items == series
    assert hash(series) == hash(Series(items))
    assert Series.of(series) is series
    assert Series.of(items) == items
    assert (*reversed(series),) == items[::-1]
    assert series[start:stop:step] == items[start:stop:step]
    assert [series[at] for at in range(-len(items), len(items))] == [*items, *items]
    assert series != (*items, 0)
    assert pickle.loads(pickle.dumps(series)) == items
    with pytest.raises(IndexError):
        series[len(items)]


@given(GROWN, st.integers(0, 100), st.integers(0, 3))
def test_what_it_grew_from_stays_as_it_was(grown: list[list[int]], count: int, more: int) -> None:
    """Also where it is cut and goes on otherwise; of many it has few parts."""
    series, items = series_of(grown), (*chain.from_iterable(grown),)
    cut = series.upto(count)
    assert cut + (more,) == (*items[:count], more)  # noqa: RUF005  what is shown is how it grows
    assert cut == items[:count]
    assert series == items
    assert len(series._parts) <= len(items).bit_length() + 1


@given(GROWN, st.lists(st.integers(0, 3), max_size=40), st.integers(-5, 5), st.integers(0, 60))
def test_what_is_moved_is_moved_item_by_item(grown: list[list[int]], others: list[int], by: int, count: int) -> None:
    """Once or twice, cut at either end, and with others behind it; also in another process."""
    items = tuple(item + by for item in chain.from_iterable(grown))
    series = series_of(grown).moved(add, by)
    assert series == items
    assert (*reversed(series),) == items[::-1]
    assert series.moved(add, by) == tuple(item + by for item in items)
    assert series.upto(count) == items[:count]
    assert series.behind(count) == items[count:]
    assert series[count:] == items[count:]
    assert series.followed_by(Series(others)) + [by] == (*items, *others, by)  # noqa: RUF005  as above
    assert pickle.loads(pickle.dumps(series)) == items
