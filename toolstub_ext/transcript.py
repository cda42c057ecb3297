"""A neutral, immutable view of a conversation: which tool results it holds, and where in the body they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import NamedTuple, Protocol, TypeAlias

_quoted = json.JSONEncoder(ensure_ascii=False).encode
_SURROGATE = re.compile("[\ud800-\udfff]")


class Slot(NamedTuple):
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


class ToolResult(NamedTuple):
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


class Decision(NamedTuple):
    """What was done with one result, and why. `reason` is written for a person; counts are characters."""

    slot: Slot
    tool: str | None
    action: str
    reason: str
    ref: str | None
    chars_before: int
    chars_after: int


class Change(NamedTuple):
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


class Said(NamedTuple):
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


Outcome: TypeAlias = "Change | Decision"
"""What becomes of a result: another text, or nothing, and why."""


class Transcript(NamedTuple):
    """The results in order, what the policies want done with each, and what the user said between them.

    `outcomes` has one for each result, None where nothing has been decided yet; or none at all. `messages` are all
    there are, results too, for policies that look at the conversation as a whole.
    """

    results: Sequence[ToolResult]
    outcomes: Sequence[Outcome | None] = ()
    said: Sequence[Said] = ()
    messages: Sequence[Spoken] = ()

    @property
    def pairs(self) -> Iterator[tuple[ToolResult, Outcome | None]]:
        """Each result with its outcome."""
        return zip(self.results, self.outcomes or repeat(None))

    @property
    def changes(self) -> tuple[Change, ...]:
        """The outcomes that are changes."""
        return tuple([outcome for outcome in self.outcomes if isinstance(outcome, Change)])

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The outcomes that are explanations of what is left alone."""
        return tuple(outcome for outcome in self.outcomes if isinstance(outcome, Decision))

    @property
    def left_out(self) -> frozenset[str]:
        """The texts that calls do not show any more."""
        return frozenset([change.result.text for change in self.changes if change.result.is_argument])

    def judged(self, judge: Callable[[ToolResult], Outcome | None]) -> Transcript:
        """The same conversation with what `judge` says about each result about which nothing has been decided."""
        return self.with_outcomes([judge(result) if outcome is None else outcome for result, outcome in self.pairs])

    def with_outcomes(self, outcomes: Iterable[Outcome | None]) -> Transcript:
        """The same conversation with these outcomes, one for each result."""
        return Transcript(self.results, tuple(outcomes), self.said, self.messages)


def shown(result: ToolResult, outcome: Outcome | None) -> str:
    """The text that is sent for a result."""
    return outcome.text if isinstance(outcome, Change) else result.text


def literal(text: str) -> str:
    """The JSON string that says `text`: as it is where UTF-8 can say it, escaped where not (lone surrogates)."""
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", _quoted(text))
