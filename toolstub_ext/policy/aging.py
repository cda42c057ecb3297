"""Policies that take away what is old: they differ in when, in how far, and in what is left.

All share one machine. It goes through the requests of a conversation, and where a policy is due it moves the policy's
boundary; every result in front of the boundary becomes something shorter with a ref. Where boundaries stand depends on
the conversation as it was before any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..settings import Settings
from ..store.base import Ref, ref_of, sha256_of
from ..transcript import Change, Decision, ToolResult, Transcript, literal, shown
from .course import Count, Course
from .externalize import untouchable
from .history import Aged
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
class _Passed:
    """A policy, and for each message in front of its boundary the length of the request at which that passed it."""

    policy: Aging
    course: Course
    at: Sequence[int]
    may_go: Callable[[ToolResult], bool]
    known: Aged


def age(transcript: Transcript, policies: Sequence[tuple[Aging, Count]], settings: Settings,
        aged: Mapping[str, Aged], complete: int) -> Transcript:
    """The transcript with a change for every result in front of the boundary of one of the policies.

    Of several the one whose boundary passed the result first has it, so it stays as it was when it was sent so. To the
    first `complete` messages nothing can be added.
    """
    passed = [_passed(transcript, policy, count, settings, aged[policy.action], complete) for policy, count in policies]
    outcomes = [outcome for _, outcome in transcript.pairs]
    for number in range(max((len(each.at) for each in passed), default=0)):
        ready = sorted((each for each in passed if number < len(each.at)), key=lambda each: each.at[number])
        for place in passed[0].course.places[number]:
            result = transcript.results[place]
            now = shown(result, outcomes[place])
            left = (_left(result, each) for each in ready)
            outcomes[place] = next((one for one in left if one and takes_less(one.text, one.literal, now)),
                                   outcomes[place])
    return transcript.with_outcomes(outcomes)


def boundaries(course: Course, policy: Aging) -> list[tuple[int, int]]:
    """The lengths of the requests at which the boundary moved, and where to.

    It moves where the policy is due and enough is to be gained, and never into the newest turn, which the model has not
    seen.
    """
    moves: list[tuple[int, int]] = []
    at = 0
    for end in course.requests:
        if policy.is_due(course, at, end):
            start = min(policy.recent(course, end), course.turn_start(end))
            if start > at and course.loose_tokens(at, start) >= policy.least:
                moves.append((end, start))
                at = start
    return moves


def _passed(transcript: Transcript, policy: Aging, count: Count, settings: Settings, known: Aged,
            complete: int) -> _Passed:
    def may_go(result: ToolResult) -> bool:
        return policy.may_go(result) and not untouchable(result, settings)

    course = Course(transcript, count, may_go, known.weights, complete)
    at: list[int] = []
    for end, start in boundaries(course, policy):
        at += [end] * (start - len(at))
    return _Passed(policy, course, at, may_go, known)


def _left(result: ToolResult, passed: _Passed) -> Change | None:
    """What the policy leaves of a result, from memory where it was seen before."""
    known = passed.known.changes.get(result.slot)
    if known is not None and known.result.text is result.text:
        return known
    if not passed.may_go(result):
        return None
    sha256 = sha256_of(result.text)
    text, reason = passed.policy.left(result, ref_of(sha256))
    decision = Decision(result.slot, result.tool, passed.policy.action, reason, ref_of(sha256), len(result.text),
                        len(text))
    passed.known.changes[result.slot] = change = Change(result, text, literal(text), decision, None, sha256)
    return change
