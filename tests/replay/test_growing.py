"""Of requests that grow, the longest; and few are waited for at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from toolstub_ext.replay.conversation import Conversation, Item
from toolstub_ext.replay.traces import growing
from toolstub_ext.replay.traces.growing import longest

HUGE = "x" * 4_000_000


def talk(*said: str, start: str = "go") -> Conversation:
    """Answers and questions in turns, after a first question."""
    kinds = ("assistant", "user")
    return Conversation("c", (Item("user", start), *(Item(kinds[at % 2], text) for at, text in enumerate(said))))


@pytest.mark.parametrize(("given", "kept"), [
    ([talk("a"), talk("a", "b", "c")], [talk("a", "b", "c")]),
    ([talk("a", "b", "c"), talk("a")], [talk("a", "b", "c")]),
    ([talk("not recorded"), talk("a", "b", "c")], [talk("a", "b", "c")]),
    ([talk("a", "b", "c"), talk("a", "d", "c")], [talk("a", "b", "c"), talk("a", "d", "c")]),
    ([talk("a"), talk("a", start="other")], [talk("a"), talk("a", start="other")]),
    ([talk("a"), talk("a")], [talk("a")]),
])
def test_what_another_one_begins_with_is_left_out(given: list[Conversation], kept: list[Conversation]) -> None:
    """Whichever came first; the last answer may be lacking in the shorter one."""
    assert [*longest(given)] == kept


@pytest.mark.parametrize("start", ["{}", "the same"])
@pytest.mark.parametrize(("text", "most"), [("x", growing.MOST), (HUGE, growing.MOST_CHARS // len(HUGE))])
def test_few_wait_at_a_time(text: str, most: int, start: str) -> None:
    """By number and by length, so that a log may be of any size, whether they begin alike or not."""
    read = 0

    def log() -> Iterator[Conversation]:
        nonlocal read
        for number in range(200):
            read += 1
            yield talk(str(number), text, "b", start=start.format(number))

    for given_back, _ in enumerate(longest(log()), 1):
        assert read - given_back <= most + 1
    assert given_back == 200
