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

from ..settings import Clear
from ..store.base import Ref
from ..transcript import ToolResult
from .course import Course
from .history import CLEARED


class Clearing:
    """The rule, by its settings."""

    action = CLEARED

    def __init__(self, rule: Clear) -> None:
        self._rule = rule
        self.least = max(rule.clear_at_least, rule.step_tokens, 1)

    def is_due(self, course: Course, boundary: int, end: int) -> bool:
        """Whether the results that are left weigh too much."""
        return course.result_tokens(boundary, end) > self._rule.tool_result_token_threshold

    def recent(self, course: Course, end: int) -> int:
        """The message with which the newest are more than what is kept."""
        keep = self._rule.keep_recent_tokens
        start = bisect_left(range(end), True, key=lambda at: course.tokens(at, end) <= keep)
        return max(0, start - 1)

    def may_go(self, result: ToolResult) -> bool:
        """Whether a result is longer than a placeholder, and not of an excluded tool."""
        excluded = any(fnmatchcase(result.tool or "", pattern) for pattern in self._rule.exclude_tools)
        return not excluded and len(result.text) > len(self._rule.placeholder)

    def left(self, result: ToolResult, ref: Ref) -> tuple[str, str]:  # noqa: ARG002  the same for every result
        """The placeholder."""
        reason = f"older than the newest {self._rule.keep_recent_tokens:,} tokens"
        return self._rule.placeholder.replace("{ref}", ref), reason
