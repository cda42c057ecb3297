"""Bytes in pieces are the same bytes."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.rewriting.pieces import Pieces

GROWN = st.lists(st.binary(max_size=40), min_size=1, max_size=30)


@given(GROWN, st.binary(max_size=3))
def test_they_are_what_they_grew_from(grown: list[bytes], more: bytes) -> None:
    """In few pieces, of which the first may be a view of something longer; also in another process."""
    pieces = Pieces((memoryview(grown[0] + b"rest")[:len(grown[0])],))
    for part in grown[1:]:
        pieces = pieces.grown(part)
    whole = b"".join(grown)
    assert pieces.joined() == whole
    assert pieces.size == len(whole)
    assert len(pieces.parts) <= 10
    assert pieces.begin(whole + more)
    assert not pieces.begin(b"x" + whole) or not whole.strip(b"x")
    assert pickle.loads(pickle.dumps(pieces)).joined() == whole


def test_a_large_piece_is_joined_with_no_other() -> None:
    """To grow by a little must not cost a copy of all."""
    large = bytes(2 * 1024 * 1024)
    pieces = Pieces((large,)).grown(large).grown(b"x").grown(b"y")
    assert pieces.parts[0] is large
    assert pieces.parts[1] is large
    assert [*map(len, pieces.parts[2:])] == [2]


@pytest.mark.parametrize(("large", "copied"), [(0, 7), (20, 5), (100, 0)])
def test_what_goes_on_is_kept_as_it_came_while_it_is_short(
    large: int, copied: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only of what is longer there are copies, each of what is new."""
    monkeypatch.setattr("toolstub_ext.rewriting.pieces._LARGE", large)
    whole, pieces, copies = bytes(range(50)), Pieces(), 0
    for at in range(0, 40, 5):
        pieces = pieces.further(whole[:at + 10], at, at + 5)
        assert bytes(pieces.joined()) == whole[:at + 5]
        copies += isinstance(pieces.parts[-1], bytes)
    assert copies == copied


def test_a_long_whole_has_few_pieces_and_none_is_a_large_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of some sizes there are eight each; neither to compare them nor to grow takes long."""
    monkeypatch.setattr("toolstub_ext.rewriting.pieces._LARGE", 1)
    pieces = Pieces()
    for size in range(1, 5_000):
        pieces = pieces.grown(b"x")
        assert len(pieces.parts) < 8 * size.bit_length() + 8
        assert len(pieces.parts[-1]) <= max(1, size / 8)
