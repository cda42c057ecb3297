"""What is remembered of a conversation, so that the next request of it costs what is new in it and no more."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias

from ..hidden_rounds import Keys
from ..policy import History
from ..series import Series
from ..transcript import Change, Decision, Outcome, ToolResult, Transcript
from ..wire import Beginning, Edit, Message, Reading
from ..wire.body import Place
from .pieces import Pieces
from .rewritten import Rewritten

Moves: TypeAlias = "tuple[tuple[tuple[int, int], ...], ...]"

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
    """Results in order, and what the policies want done with each."""

    results: Series[ToolResult] = field(default_factory=Series)
    outcomes: Series[Outcome | None] = field(default_factory=Series)

    def __add__(self, more: Transcript) -> Decided:
        return Decided(self.results + more.results, self.outcomes + more.outcomes)

    def between(self, start: int, end: int | None = None) -> Transcript:
        """Some of them, by their numbers."""
        return Transcript(self.results[start:end], self.outcomes[start:end])


class Stored(NamedTuple):
    """For whom all originals of a beginning are in which store, and until when they need not be put there again."""

    owner: str
    session: str
    store: str
    until: float


class Sent(NamedTuple):
    """What was made of a beginning: `body`, up to `end`, by these `edits`, of which `extra` replace no result.

    `moves` are those of the boundaries in front of which results are old.
    """

    body: Pieces
    end: Place
    extra: tuple[Edit, ...]
    edits: Series[Edit]
    told: Series[Decision]
    moves: Moves
    stored: Stored | None


class Answer(NamedTuple):
    """What became of the whole of a body that was asked for in some owner's and session's name: a `rewritten` one but
    for its bytes, of which `behind` follow what was made of the beginning. None follow where it went as it came."""

    owner: str
    session: str | None
    rewritten: partial[Rewritten]
    behind: bytes


@dataclass(slots=True)
class Past:
    """What became of the beginning of a conversation, which is `body` in the client's bytes, and `sent` in ours.

    `rest` are the client's bytes behind it. `decided` is what the policies wanted of all results that `history` has
    taken in, `last` the same of those behind them, which holds if nothing is added to their turn. The history goes on
    growing, and so do the `keys`, so only one request at a time can have them.
    """

    wire: str
    body: Pieces
    rest: bytes
    beginning: Beginning
    decided: Decided
    last: Transcript
    sent: Sent | None
    history: History | None
    keys: Keys
    texts: int
    answer: Answer | None = None

    def known(self, body: bytes) -> Beginning:
        """What a body that begins as this one need not be read for again."""
        beginning = self.beginning
        rest = memoryview(self.rest)[:beginning.whole.end.bytes - beginning.end.bytes]
        return beginning if body.startswith(rest, beginning.end.bytes) else beginning.near

    def answered(self, body: bytes, owner: str, session: str | None) -> partial[Rewritten] | None:
        """What was made of this very body, if it was asked for in the same name. Its messages were the same then, so
        nobody can have kept a hidden round for one of them since."""
        answer, sent, place = self.answer, self.sent, self.beginning.end.bytes
        if answer is None or sent is None or (answer.owner, answer.session) != (owner, session):
            return None
        if len(body) != place + len(self.rest) or not body.startswith(self.rest, place):
            return None
        made = b"".join((*sent.body.parts, answer.behind)) if answer.behind else body
        return partial(answer.rewritten, made, body)

    def borrow(self) -> tuple[History, Keys] | None:
        """History and keys, for the request that continues the conversation; None if another one has them."""
        with _borrowing:
            history, self.history = self.history, None
        return (history, self.keys) if history is not None else None

    def again(self, reading: Reading) -> Decided | None:
        """What was decided, with the results as they stand in `reading`; None unless it says the same in all messages
        to which nothing can be added, adds nothing to their turns, and goes on behind them."""
        before, upto = self.beginning.whole, self.beginning.whole.last_turn
        front = before.turn_before
        following = reading.transcript.results[upto.results:upto.results + 1]
        if reading.closed.messages < upto.messages or (following and following[0].turn < upto.turns):
            return None
        old, new = (messages[front.messages:upto.messages] for messages in (before.messages, reading.messages))
        if [*map(_said, old)] != [*map(_said, new)]:
            return None
        ahead = self.decided.between(front.results)
        same = placed(ahead, reading.transcript.results[front.results:upto.results])
        if same is ahead:
            return self.decided
        decided = Decided(self.decided.results.upto(front.results), self.decided.outcomes.upto(front.results))
        return None if same is None else decided + same

    @property
    def bytes(self) -> int:
        """About what it takes: both bodies, the texts in the client's, and the lines of what is compared with."""
        lines = _INDEX_BYTES * self.history.sources.chars if self.history else 0
        made = self.sent.body.held if self.sent else 0
        made += len(self.answer.behind) if self.answer else 0
        said = self.texts + len(self.rest) + _MESSAGE_BYTES * self.beginning.whole.counts.messages
        return self.body.held + made + said + lines


class Known(NamedTuple):
    """What is known of a request from those before it, of a first one nothing; and the results that are `new`. The
    first `front` results stand where the request begins as one that was sent."""

    new: tuple[ToolResult, ...]
    decided: Decided
    front: int
    history: History
    keys: Keys
    sent: Sent | None = None


def known(reading: Reading, past: Past | None, *, goes_on: bool = False) -> Known:
    """What a past tells about a request that begins with it, and may go on as it did up to its last message."""
    results = reading.transcript.results
    decided = None if past is None else past.decided if goes_on else past.again(reading)
    borrowed = past.borrow() if past and decided is not None else None
    if past is None or decided is None or borrowed is None:
        return Known((*results,), Decided(), 0, History(), Keys())
    history, keys = borrowed
    count = len(past.last.results)
    new = (*results[history.results:],)
    last = placed(past.last, new[:count])
    if last and _are_complete(new, count, reading.closed.results - history.results):
        history.take_in(last)
        decided, new = decided + last, new[count:]
    return Known(new, decided, past.beginning.whole.turn_before.results, history, keys, past.sent)


def placed(old: Transcript, new: Sequence[ToolResult]) -> Transcript | None:
    """The results with their outcomes as they stand now; None if they are not the same but for their places."""
    if old.results == new:
        return old
    if len(old.results) != len(new):
        return None
    results, outcomes = [], []
    for (before, outcome), after in zip(old.pairs, new, strict=True):
        here = after._replace(exempt=before.exempt)
        if here.slot.path != before.slot.path or before._replace(slot=here.slot) != here:
            return None
        results.append(here)
        outcomes.append(_placed(outcome, here))
    return Transcript(tuple(results), tuple(outcomes))


def _placed(outcome: Outcome | None, result: ToolResult) -> Outcome | None:
    if isinstance(outcome, Change):
        return outcome._replace(result=result, decision=outcome.decision._replace(slot=result.slot))
    return outcome and outcome._replace(slot=result.slot)


def _are_complete(results: Sequence[ToolResult], count: int, closed: int) -> bool:
    """Whether the first so many are all of their turn, and to the turns of so many as are `closed` nothing can be
    added."""
    return 0 < count <= closed and (count == len(results) or results[count].turn != results[count - 1].turn)


class PastMemory:
    """The conversations continued last, up to `most_bytes` in all. Thread-safe."""

    def __init__(self, most_bytes: int, most: int = 256) -> None:
        self._most_bytes = most_bytes
        self._most = most
        self._pasts: dict[int, tuple[Past, int]] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def find(self, wire: str, body: bytes) -> Past | None:
        """The longest past that `body` begins with. Those it does not begin with differ early, and cost nothing."""
        with self._lock:
            pasts = [*self._pasts.values()]
        found = [past for past, _ in pasts if past.wire == wire and past.body.begin(body)]
        return max(found, key=lambda past: past.beginning.end.bytes, default=None)

    def near(self, wire: str, body: bytes) -> list[Past]:
        """The newest few of which `body` may be a continuation that begins otherwise."""
        least, most = max(_SHORTEST, len(body) // 2), 2 * len(body)
        with self._lock:
            pasts = [*self._pasts.values()]
        found = (past for past, _ in reversed(pasts)
                 if past.wire == wire and least <= past.beginning.end.bytes < most)
        return [*islice(found, _NEAREST)]

    def note(self, past: Past, before: Past | None) -> None:
        """Remember a past, in place of the one it continues."""
        taken = past.bytes
        with self._lock:
            self._forget(id(before))
            self._pasts[id(past)] = past, taken
            self._bytes += taken
            while self._bytes > self._most_bytes or len(self._pasts) > self._most:
                self._forget(next(iter(self._pasts)))

    def _forget(self, number: int) -> None:
        _, taken = self._pasts.pop(number, (None, 0))
        self._bytes -= taken


def texts_of(messages: Sequence[Message], results: Sequence[ToolResult]) -> int:
    """The memory that the texts of messages take, and those that their calls hand over; results are in messages."""
    texts = [message.text for message in messages] + [result.text for result in results if result.is_argument]
    return sum(map(sys.getsizeof, texts))


def _said(message: Message) -> tuple[object, ...]:
    """What a message says, wherever it stands."""
    return message.role, message.text, message.calls, message.answers
