"""The course of a conversation: what messages weigh, and at which lengths it was sent."""

from __future__ import annotations

from dataclasses import dataclass

from toolstub_ext.policy.course import Course, Weights
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
    return Transcript(results, messages=messages)


def course(*roles: str, known: Weights | None = None, complete: int = 0) -> Course:
    """The course of a conversation of these roles; what is longer than 20 may go."""
    return Course(transcript(*roles), len, lambda result: len(result.text) > 20, known or Weights(), complete)


def test_messages_weigh_what_is_said_in_them() -> None:
    """A result with the arguments of its call; the results alone; and those that may go."""
    found = course("user", "assistant", "tool", "tool", "assistant")
    assert [found.tokens(at, at + 1) for at in range(5)] == [1, 2, 22, 32, 5]
    assert found.result_tokens(0, 5) == 50
    assert found.loose_tokens(0, 5) == 30
    assert (found.count(0, 3), found.count(3, 5)) == (1, 1)


def test_requests_end_where_the_model_speaks() -> None:
    """And where the conversation ends, unless the model spoke last."""
    assert course("user", "assistant", "tool", "assistant", "assistant", "tool", "user").requests == (1, 3, 7)
    assert course("user", "assistant").requests == (1,)
    assert course().requests == ()


def test_the_newest_results_and_the_newest_turn() -> None:
    """By the message where they begin."""
    found = course("user", "assistant", "tool", "tool", "assistant", "tool")
    assert [found.last(results, 6) for results in (1, 2, 3, 9)] == [5, 3, 2, 0]
    assert [found.turn_start(end) for end in found.requests] == [0, 1, 4]


def test_what_is_known_is_not_weighed_again() -> None:
    """Only of messages to which nothing can be added."""
    known = Weights()
    course("user", "assistant", "tool", "assistant", "tool", known=known, complete=3)
    assert (known.messages, known.results, known.loose) == ([1, 2, 22], [0, 0, 20], [0, 0, 0])
    known.messages[0] = 1_000
    assert course("user", "assistant", "tool", known=known, complete=3).tokens(0, 1) == 1_000
