"""Policies that take away what is old: they differ in when, in how far, and in what is left.

All share one machine. It goes through the requests of a conversation, and where a policy is due it moves the policy's
boundary; every result in front of the boundary becomes something shorter with a ref. Where boundaries stand depends on
the conversation as it was before any of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, Protocol

from ..settings import Settings
from ..store.base import Ref, ref_of, sha256_of
from ..transcript import Change, Decision, Outcome, ToolResult, Transcript, literal, shown
from .course import Count, Course
from .externalize import untouchable
from .history import History
from .stubs import takes_less


class Aging(Protocol):
    """What one such policy decides. An instance is made of its settings."""

    action: str
    least: int

    def is_due(self, course: Course, boundary: int, end: int) -> bool:
        """Whether the request of the first `end` messages is too much, with all in front of `boundary` taken away."""
        ...

    def recent(self, course: Course, end: int) -> int:
        """The first message of that request that stays as it is."""
        ...

    def may_go(self, result: ToolResult) -> bool:
        """Whether a result is long enough, and not of an excluded tool."""
        ...

    def left(self, result: ToolResult, ref: Ref) -> tuple[str, str]:
        """The text that is left of a result, and the reason."""
        ...


@dataclass(frozen=True, slots=True)
class Old:
    """What is old in a request: of each policy the lengths of the requests at which its boundary moved, and where to;
    and what is left of the results in front of the boundaries, by their numbers."""

    moves: tuple[tuple[tuple[int, int], ...], ...] = ()
    left: Mapping[int, Change] = field(default_factory=dict)

    def replacing(self, outcomes: Sequence[Outcome | None], first: int = 0) -> Sequence[Outcome | None]:
        """What becomes of the results from the number `first` on, with these changes among it."""
        if not self.left:
            return outcomes
        return [self.left.get(number, outcome) for number, outcome in enumerate(outcomes, first)]


class _Active(NamedTuple):
    """A policy on its way through the requests of a conversation."""

    policy: Aging
    course: Course
    moves: list[tuple[int, int]]
    may_go: Callable[[ToolResult], bool]


def age(transcript: Transcript, policies: Sequence[tuple[Aging, Count]], settings: Settings, history: History,
        complete: int) -> Old:
    """What is old in a request, of which the transcript has all messages and results.

    Of several policies the one whose boundary passed a result first has it, so it stays as it was when it was sent so.
    To the first `complete` messages nothing can be added; `history` keeps what was found up to there.
    """
    active = [_active(policy, count, transcript, settings, history, complete) for policy, count in policies]
    requests = active[0].course.requests if active else []
    final = bisect_left(requests, complete)  # the turn behind those may be said otherwise, by who goes on there
    for end in requests[history.requests:final]:
        _go_on(active, end, transcript, history.left)
    history.requests = final
    newest, left = [each._replace(moves=[*each.moves]) for each in active], {**history.left}
    for end in requests[final:]:
        _go_on(newest, end, transcript, left)
    return Old(tuple(tuple(each.moves) for each in newest), left)


def _active(policy: Aging, count: Count, transcript: Transcript, settings: Settings, history: History,
            complete: int) -> _Active:
    def may_go(result: ToolResult) -> bool:
        return policy.may_go(result) and not untouchable(result, settings)

    known = history.aged[policy.action]
    known.course.grow(transcript, count, may_go, complete)
    return _Active(policy, known.course, known.moves, may_go)


def _go_on(active: list[_Active], end: int, transcript: Transcript, left: dict[int, Change]) -> None:
    """One request of the first `end` messages: the boundaries move where that is due and enough is to be gained, and
    never into the newest turn, which the model has not seen."""
    for policy, course, moves, may_go in active:
        at = moves[-1][1] if moves else 0
        if not policy.is_due(course, at, end):
            continue
        start = min(policy.recent(course, end), course.turn_start(end))
        if start <= at or course.loose_tokens(at, start) < policy.least:
            continue
        moves.append((end, start))
        for number in chain.from_iterable(course.places[at:start]):
            result, outcome = transcript.results[number], transcript.outcomes[number]
            if number not in left and may_go(result) and (change := _left(policy, result, outcome)):
                left[number] = change


def _left(policy: Aging, result: ToolResult, outcome: Outcome | None) -> Change | None:
    """What the policy leaves of a result, if that is less than what was sent of it before."""
    sha256 = sha256_of(result.text)
    text, reason = policy.left(result, ref_of(sha256))
    written = literal(text)
    if not takes_less(text, written, shown(result, outcome)):
        return None
    decision = Decision(result.slot, result.tool, policy.action, reason, ref_of(sha256), len(result.text), len(text))
    return Change(result, text, written, decision, None, sha256)
