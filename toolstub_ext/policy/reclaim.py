"""Gliding Horse's second phase: under pressure, results that were passed whole become references.

    when     a request weighs more than `max_tokens`, what was reclaimed before taken off
    kept     the newest turn: the model has not seen it yet
    steps    nothing is reclaimed unless `step_tokens` go at once

There it happened with every result, pressure or not, and of two parallel calls the one was gone before the model had
seen it.
"""

from __future__ import annotations

from ..settings import Reclaim
from ..store.base import Ref, encode
from ..transcript import ToolResult
from .calls import Call
from .course import Course
from .history import RECLAIMED


class Reclaiming:
    """The rule, by its settings."""

    action = RECLAIMED

    def __init__(self, rule: Reclaim) -> None:
        self._rule = rule
        self.least = max(rule.step_tokens, 1)

    def is_due(self, course: Course, boundary: int, end: int) -> bool:
        """Whether the context is under pressure."""
        return course.tokens(0, end) - course.loose_tokens(0, boundary) > self._rule.max_tokens

    def recent(self, course: Course, end: int) -> int:  # noqa: ARG002  the newest turn stays in any case
        """Nothing but the newest turn."""
        return end

    def may_go(self, result: ToolResult) -> bool:
        """Whether a result is of more than `min_bytes` in UTF-8."""
        return len(encode(result.text)) > self._rule.min_bytes

    def left(self, result: ToolResult, ref: Ref) -> tuple[str, str]:
        """A reference that says what it was and how to read it."""
        text = f"[toolstub] {Call.of(result)}: {len(result.text):,} characters were here; toolstub_read {ref}"
        return text, f"request over {self._rule.max_tokens:,} tokens"
