"""Eino's rule: above a threshold of tokens, results that are not recent become a placeholder with a ref.

    when     the results not cleared yet weigh more than `tool_result_token_threshold`, excluded ones too
    kept     the newest messages of all roles, up to `keep_recent_tokens`, and the message with which it is more
    steps    nothing is cleared unless at least `clear_at_least` and at least `step_tokens` go at once: each time the
             provider's cache of everything behind has to be written anew

Every original is stored under its own ref before its placeholder is sent; nothing is overwritten, whatever ids the
calls have, and what would not get smaller stays.
"""

from __future__ import annotations

from bisect import bisect_left
from fnmatch import fnmatchcase

from ..settings import Clear, Settings
from ..store.base import ref_of, sha256_of
from ..transcript import Change, Decision, Slot, ToolResult, Transcript, literal
from .course import Course
from .externalize import untouchable
from .history import CLEARED
from .stubs import takes_less


def clear(transcript: Transcript, settings: Settings, course: Course, made: dict[Slot, Change]) -> Transcript:
    """The transcript with a placeholder for every result in front of the boundary that may be cleared.

    `made` remembers placeholders from one request to the next.
    """
    changes = {change.result.slot: change for change in transcript.changes}
    cleared: list[Change] = []
    for number in range(_boundary(settings.clear, course)):
        for place in course.places[number]:
            result = transcript.results[place]
            change = made.get(result.slot)
            if (change is None or change.result.text is not result.text) and may_go(result, settings):
                made[result.slot] = change = _placeholder(result, settings.clear)
            known = changes.get(result.slot)
            if change and takes_less(change.text, change.literal, known.text if known else result.text):
                cleared.append(change)
    return transcript.replacing(*cleared)


def may_go(result: ToolResult, settings: Settings) -> bool:
    """Whether a result is longer than a placeholder, and nothing protects it."""
    rule = settings.clear
    if len(result.text) <= len(rule.placeholder) or untouchable(result, settings):
        return False
    return not any(fnmatchcase(result.tool or "", pattern) for pattern in rule.exclude_tools)


def _boundary(rule: Clear, course: Course) -> int:
    """How many messages are old, as of the last request at which enough was to be gained."""
    boundary = 0
    least = max(rule.clear_at_least, rule.step_tokens, 1)
    for end in course.requests:
        if course.result_tokens(boundary, end) <= rule.tool_result_token_threshold:
            continue
        start = _recent(course, end, rule.keep_recent_tokens)
        if start > boundary and course.loose_tokens(boundary, start) >= least:
            boundary = start
    return boundary


def _recent(course: Course, end: int, keep: int) -> int:
    """The first of the newest messages in front of `end` that are kept: the one with which `keep` is passed."""
    start = bisect_left(range(end), True, key=lambda at: course.tokens(at, end) <= keep)
    return max(0, start - 1)


def _placeholder(result: ToolResult, rule: Clear) -> Change:
    sha256 = sha256_of(result.text)
    text = rule.placeholder.replace("{ref}", ref_of(sha256))
    reason = f"older than the newest {rule.keep_recent_tokens:,} tokens"
    decision = Decision(result.slot, result.tool, CLEARED, reason, ref_of(sha256), len(result.text), len(text))
    return Change(result, text, literal(text), decision, None, sha256)
