"""What is remembered of a conversation, so that the next request of it costs what is new in it and no more.

    front   what the policies wanted of the messages with whose bytes the next request will begin
    ahead   the same of those behind them to which nothing can be added, but whose bytes the client may still change
    last    the same of the last turn, which holds if nothing is added to it
    sent    what was made of the front, in bytes
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from ..hidden_rounds import Keys
from ..policy import History
from ..series import Series
from ..transcript import Change, Decision, ToolResult, Transcript
from ..wire import Beginning, Edit, Message, Reading
from ..wire.body import Place
from .pieces import Pieces

_borrowing = threading.Lock()
_INDEX_BYTES = 5
"""What the index over lines takes for each character."""
_SHORTEST = 8 * 1024
"""Bytes: reading a shorter conversation anew costs as little."""
_NEAREST = 4
_MESSAGE_BYTES = 2_000
"""What is known of a message takes about that, besides its text."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Results in order, and what the policies want done with them."""

    results: Series[ToolResult] = field(default_factory=Series)
    changes: Series[Change] = field(default_factory=Series)
    decisions: Series[Decision] = field(default_factory=Series)

    def __add__(self, other: Decided) -> Decided:
        return Decided(self.results + other.results, self.changes + other.changes, self.decisions + other.decisions)

    def split(self, place: int) -> tuple[Decided, Decided]:
        """What is decided of the results in front of a place, and of the others."""
        front, behind = (
            Decided(
                Series(result for result in self.results if (result.slot.start < place) is wanted),
                Series(change for change in self.changes if (change.result.slot.start < place) is wanted),
                Series(decision for decision in self.decisions if (decision.slot.start < place) is wanted),
            ) for wanted in (True, False)
        )
        return front, behind

    def at(self, results: Sequence[ToolResult]) -> Decided | None:
        """The same about these results, if they are the same but for the places at which they stand now."""
        if self.results == results:
            return self
        if len(results) != len(self.results):
            return None
        moved = {}
        for old, new in zip(self.results, results, strict=True):
            here = replace(new, exempt=old.exempt)
            if here.slot.path != old.slot.path or replace(old, slot=here.slot) != here:
                return None
            moved[old.slot] = here
        return Decided(
            Series(moved.values()),
            Series(replace(change, result=moved[change.result.slot],
                          decision=replace(change.decision, slot=moved[change.result.slot].slot))
                  for change in self.changes),
            Series(replace(decision, slot=moved[decision.slot].slot) for decision in self.decisions),
        )


@dataclass(frozen=True, slots=True)
class Stored:
    """For whom all originals of a beginning are in which store, and until when they need not be put there again."""

    owner: str
    session: str
    store: str
    until: float


@dataclass(frozen=True, slots=True)
class Sent:
    """What was made of a beginning: `body`, up to `end`, by these `edits`, of which `extra` replace no result."""

    body: Pieces
    end: Place
    extra: tuple[Edit, ...]
    edits: Series[Edit]
    told: Series[Decision]
    stored: Stored | None


@dataclass(slots=True)
class Past:
    """What became of the beginning of a conversation, which is `body` in the client's bytes.

    `rest` are the bytes behind it up to the last message; `further` is the beginning for who goes on with those, too.
    `closed` are the messages behind the beginning to which nothing can be added. `history` has taken in all results up
    to there. It goes on growing, and so do the `keys`, so only one request at a time can have them.
    """

    wire: str
    body: Pieces
    rest: bytes
    beginning: Beginning
    further: Beginning
    front: Decided
    ahead: Decided
    last: Decided
    closed: tuple[Message, ...]
    sent: Sent | None
    history: History | None
    keys: Keys
    texts: int

    def known(self, body: bytes) -> Beginning:
        """What a body that begins as this one need not be read for again."""
        return self.further if body.startswith(self.rest, self.beginning.end.bytes) else self.beginning

    def borrow(self) -> tuple[History, Keys] | None:
        """History and keys, for the request that continues the conversation; None if another one has them."""
        with _borrowing:
            history, self.history = self.history, None
        return (history, self.keys) if history is not None else None

    def goes_on(self, reading: Reading) -> Decided | None:
        """What was decided of the closed messages, as they stand in `reading`; None unless it says the same in them,
        and goes on behind them."""
        known = len(self.beginning.messages)
        again = reading.messages[known:min(known + len(self.closed), reading.closed.messages)]
        if again != self.closed and [*map(_said, again)] != [*map(_said, self.closed)]:
            return None
        return self.ahead.at(reading.transcript.results[len(self.front.results):][:len(self.ahead.results)])

    @property
    def bytes(self) -> int:
        """About what it takes: both bodies, the texts in the client's, and the lines of what is compared with."""
        lines = _INDEX_BYTES * self.history.sources.chars if self.history else 0
        made = self.sent.body.held if self.sent else 0
        said = self.texts + len(self.rest) + _MESSAGE_BYTES * len(self.beginning.messages)
        return self.body.held + made + said + lines


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a request from those before it: of a first one nothing."""

    front: Decided
    ahead: Decided
    history: History
    keys: Keys
    sent: Sent | None = None


def known(reading: Reading, past: Past | None) -> Known:
    """What a past tells about a request that begins with it."""
    ahead = past.goes_on(reading) if past else None
    borrowed = past.borrow() if past and ahead is not None else None
    if past is None or ahead is None or borrowed is None:
        return Known(Decided(), Decided(), History(), Keys())
    history, keys = borrowed
    last = past.last.at(reading.transcript.results[history.results:][:len(past.last.results)])
    if last and last.results and _is_complete(last, reading, history.results + len(last.results)):
        history.take_in(Transcript(last.results, (*last.changes,)))
        ahead += last
    return Known(past.front, ahead, history, keys, past.sent)


def _is_complete(last: Decided, reading: Reading, until: int) -> bool:
    """Whether results up to a place, the last of them these, are all of their turn, and nothing can be added to it."""
    following = reading.transcript.results[until:until + 1]
    return until <= reading.closed.results and not any(result.turn == last.results[-1].turn for result in following)


class PastMemory:
    """The conversations continued last, up to `most_bytes` in all. Thread-safe."""

    def __init__(self, most_bytes: int, most: int = 256) -> None:
        self._most_bytes = most_bytes
        self._most = most
        self._pasts: list[Past] = []
        self._lock = threading.Lock()

    def find(self, wire: str, body: bytes) -> Past | None:
        """The longest past that `body` begins with. Those it does not begin with differ early, and cost nothing."""
        with self._lock:
            pasts = self._pasts
        found = [past for past in pasts if past.wire == wire and past.body.begin(body)]
        return max(found, key=lambda past: past.beginning.end.bytes, default=None)

    def near(self, wire: str, body: bytes) -> list[Past]:
        """The newest few of which `body` may be a continuation that begins otherwise."""
        least, most = max(_SHORTEST, len(body) // 2), 2 * len(body)
        found = (past for past in reversed(self._pasts)
                 if past.wire == wire and least <= past.beginning.end.bytes < most)
        return [*islice(found, _NEAREST)]

    def note(self, past: Past, before: Past | None) -> None:
        """Remember a past, in place of the one it continues."""
        with self._lock:
            pasts = [other for other in self._pasts if other is not before][1 - self._most:]
            pasts.append(past)
            taken = sum(kept.bytes for kept in pasts)
            while taken > self._most_bytes:
                taken -= pasts.pop(0).bytes
            self._pasts = pasts


def texts_of(messages: Sequence[Message], results: Sequence[ToolResult]) -> int:
    """The memory that the texts of messages take, and those that their calls hand over; results are in messages."""
    handed_over = sum(sys.getsizeof(result.text) for result in results if result.is_argument)
    return handed_over + sum(sys.getsizeof(message.text) for message in messages)


def _said(message: Message) -> tuple[object, ...]:
    """What a message says, wherever it stands."""
    return message.role, message.text, message.calls, message.answers
