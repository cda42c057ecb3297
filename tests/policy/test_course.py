"""The course of a conversation: what messages weigh, and at which lengths it was sent."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.policy.course import Count, Course
from toolstub_ext.transcript import Slot, ToolResult, Transcript


@dataclass(frozen=True)
class Line:
    """A message of ten characters in the body."""

    role: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Just behind it."""
        return self.start + 10


def transcript(*roles: str) -> Transcript:
    """One message of each role; a tool's says ten letters for each place it has, asked for by `ab`."""
    messages = tuple(Line(role, "x" * (place + 1), 10 * place) for place, role in enumerate(roles))
    results = tuple(
        ToolResult(Slot(("messages", place), 10 * place + 1, 10 * place + 2), "y" * 10 * place, "t", None, "ab", 0, 1)
        for place, role in enumerate(roles) if role == "tool"
    )
    return Transcript(results, (None,) * len(results), messages=messages)


def course(*roles: str, grown: Course | None = None, complete: int = 0, count: Count = len) -> Course:
    """The course of a conversation of these roles; what is longer than 20 may go."""
    found = grown or Course()
    found.grow(transcript(*roles), count, lambda result: len(result.text) > 20, complete)
    return found


def test_messages_weigh_what_is_said_in_them() -> None:
    """A result with the arguments of its call; the results alone; and those that may go."""
    found = course("user", "assistant", "tool", "tool", "assistant")
    assert [found.tokens(at, at + 1) for at in range(5)] == [1, 2, 22, 32, 5]
    assert found.result_tokens(0, 5) == 50
    assert found.loose_tokens(0, 5) == 30
    assert (found.count(0, 3), found.count(3, 5)) == (1, 1)


def test_requests_end_where_the_model_speaks() -> None:
    """And where the conversation ends, unless the model spoke last."""
    assert course("user", "assistant", "tool", "assistant", "assistant", "tool", "user").requests == [1, 3, 7]
    assert course("user", "assistant").requests == [1]
    assert course().requests == []


def test_the_newest_results_and_the_newest_turn() -> None:
    """By the message where they begin."""
    found = course("user", "assistant", "tool", "tool", "assistant", "tool")
    assert [found.last(results, 6) for results in (1, 2, 3, 9)] == [5, 3, 2, 0]
    assert [found.turn_start(end) for end in found.requests] == [0, 1, 4]


def test_what_is_known_is_not_weighed_again() -> None:
    """Only of messages to which nothing can be added."""
    found = course("user", "assistant", "tool", "assistant", "tool", complete=3)
    course("user", "assistant", "tool", "assistant", "tool", "tool", "user", grown=found, complete=3, count=lambda _: 7)
    assert [found.tokens(at, at + 1) for at in range(7)] == [1, 2, 22, 7, 14, 14, 7]
    assert (found.requests, found.places) == ([1, 3, 7], [[], [], [0], [], [1], [2], []])
    assert found.result_tokens(0, 7) == 34


@given(st.lists(st.sampled_from(["user", "assistant", "tool"]), max_size=12), st.data())
def test_what_grew_is_what_it_would_be_at_once(roles: list[str], data: st.DataObject) -> None:
    """Whatever it grew by, and however much of it was complete."""
    found, complete = Course(), 0
    for end in sorted(data.draw(st.lists(st.integers(0, len(roles)), max_size=4))):
        complete = data.draw(st.integers(complete, max(complete, end)))
        course(*roles[:end], grown=found, complete=complete)
    course(*roles, grown=found, complete=complete)
    alone = course(*roles)
    assert (found.requests, found.places) == (alone.requests, alone.places)
    assert [found.tokens(0, at) for at in range(len(roles))] == [alone.tokens(0, at) for at in range(len(roles))]
