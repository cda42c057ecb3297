"""A place in a body is told in characters and in bytes."""

from __future__ import annotations

import pytest

from toolstub_ext.wire import Body
from toolstub_ext.wire.body import START, Place, Tail


@pytest.mark.parametrize("text", ["", "plain", "é", "aé→🙂 of bytes", "🙂" * 9 + "plain", "plain" + "→" * 9])
@pytest.mark.parametrize("before", ["", "ü plain in front "])
def test_a_place_has_as_many_bytes_in_front_of_it_as_the_text_there_takes(text: str, before: str) -> None:
    """Whether it is nearer to the beginning or to the end, and whether the bytes are known or not."""
    whole = before + text
    start = Place(len(before), len(before.encode()))
    for tail in (Body(whole.encode()).behind(start), Body(whole).behind(start), Tail(text, start)):
        for chars in range(len(before), len(whole) + 1):
            assert tail.place(chars) == Place(chars, len(whole[:chars].encode()))
    assert Body(whole).behind(START).place(len(before)) == start
