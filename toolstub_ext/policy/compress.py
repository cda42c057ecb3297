"""Gliding Horse's second layer: of many tool messages the older keep their first lines and a ref.

    when     more than `max_tool_messages` results have not been compressed
    kept     the newest `keep` of them, as they are
    left     the first `lines` lines, each cut at 200 characters; there a long line was not shortened at all

Since the older ones go together, the boundary moves once for every `max_tool_messages - keep` results.
"""

from __future__ import annotations

from ..phrases import counted
from ..settings import Compress
from ..store.base import Ref
from ..transcript import ToolResult
from .course import Course
from .history import COMPRESSED

SHORTEST = 200
"""Characters: a shorter result stays as it is."""
LINE_CHARS = 200


class Compressing:
    """The rule, by its settings."""

    action = COMPRESSED
    least = 1

    def __init__(self, rule: Compress) -> None:
        self._rule = rule

    def is_due(self, course: Course, boundary: int, end: int) -> bool:
        """Whether there are too many."""
        return course.count(boundary, end) > self._rule.max_tool_messages

    def recent(self, course: Course, end: int) -> int:
        """The message of the first that is kept."""
        return course.last(self._rule.keep, end)

    def may_go(self, result: ToolResult) -> bool:
        """Whether a result is worth shortening."""
        return len(result.text) > SHORTEST

    def left(self, result: ToolResult, ref: Ref) -> tuple[str, str]:
        """The first lines."""
        lines = result.text[:self._rule.lines * 2 * LINE_CHARS].split("\n")[:self._rule.lines]
        shown = "\n".join(line if len(line) <= LINE_CHARS else line[:LINE_CHARS] + "…" for line in lines)
        total = result.text.count("\n") + (not result.text.endswith("\n"))
        return f"{shown}\n[toolstub] begins so; {counted(total, 'line')} in all. ref: {ref}", (
            f"more than {self._rule.max_tool_messages} results, and not of the newest {self._rule.keep}")
