"""A neutral, immutable view of a conversation: which tool results it holds, and where in the body they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a result's text stands: its path in the body, and the span of its JSON string literal, quotes included.

    `start` and `end` count code points of the decoded body. Where `inside` is set, the text is only a part of the
    literal, and its span has no quotes.
    """

    path: tuple[str | int, ...]
    start: int
    end: int
    inside: bool = False

    def __str__(self) -> str:
        return "/" + "/".join(map(str, self.path))


@dataclass(frozen=True, slots=True)
class ToolResult:
    """One text of one tool's output; or one that a call hands over, if it `is_argument`.

    `turn` numbers the turn it belongs to and `requests` counts the assistant messages before it, both from 0; so both
    depend on nothing that comes later. `exempt` says why no policy may touch it, or is empty.
    """

    slot: Slot
    text: str
    tool: str | None
    call_id: str | None
    arguments: str
    turn: int
    requests: int
    is_error: bool = False
    exempt: str = ""
    is_argument: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What was done with one result, and why. `reason` is written for a person; counts are characters."""

    slot: Slot
    tool: str | None
    action: str
    reason: str
    ref: str | None
    chars_before: int
    chars_after: int


@dataclass(frozen=True, slots=True)
class Change:
    """A result's new text. The original, whose digest is `sha256`, has to be stored before the text is used.

    `literal` is the text as a JSON string; `kind` is what the synopsis found, None where none was made; `reason` and
    `budget` are those a stub was made with. With the result's own text nothing is replaced: the original is stored, and
    `literal` is empty.
    """

    result: ToolResult
    text: str
    literal: str
    decision: Decision
    kind: str | None
    sha256: str
    reason: str = ""
    budget: int = 0

    @property
    def replaces(self) -> bool:
        """Whether the result's text gives way to another one."""
        return self.text != self.result.text


@dataclass(frozen=True, slots=True)
class Said:
    """What the user said at one point, and how many results of the conversation stand before it."""

    text: str
    results: int


class Spoken(Protocol):
    """One message of a conversation: who said what, and its span in the body."""

    @property
    def role(self) -> str: ...  # noqa: D102  as the class says

    @property
    def text(self) -> str: ...  # noqa: D102

    @property
    def start(self) -> int: ...  # noqa: D102

    @property
    def end(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Transcript:
    """The results in order, what the user said between them, and what the policies want done with the results.

    `messages` are all there are, results too, for policies that look at the conversation as a whole.
    """

    results: Sequence[ToolResult]
    changes: tuple[Change, ...] = ()
    decisions: tuple[Decision, ...] = ()
    said: Sequence[Said] = ()
    messages: Sequence[Spoken] = ()

    def text_of(self, result: ToolResult) -> str:
        """The text that would be sent for `result` as things stand."""
        return next((c.text for c in self.changes if c.result is result), result.text)

    @property
    def open(self) -> tuple[ToolResult, ...]:
        """The results about which nothing has been decided yet."""
        closed = {change.result.slot for change in self.changes} | {decision.slot for decision in self.decisions}
        return tuple(result for result in self.results if result.slot not in closed)

    @property
    def left_out(self) -> frozenset[str]:
        """The texts that calls do not show any more."""
        return frozenset(change.result.text for change in self.changes if change.result.is_argument)

    def with_changes(self, *changes: Change) -> Transcript:
        """The same conversation with more changes."""
        return replace(self, changes=self.changes + changes)

    def replacing(self, *changes: Change) -> Transcript:
        """The same conversation with these changes in place of whatever was decided about their results."""
        slots = {change.result.slot for change in changes}
        return replace(
            self,
            changes=(*(change for change in self.changes if change.result.slot not in slots), *changes),
            decisions=tuple(decision for decision in self.decisions if decision.slot not in slots),
        )

    def with_decisions(self, *decisions: Decision) -> Transcript:
        """The same conversation with more explanations of what was left alone."""
        return replace(self, decisions=self.decisions + decisions)


def literal(text: str) -> str:
    """The JSON string that says `text`: as it is where UTF-8 can say it, escaped where not (lone surrogates)."""
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))
