"""The body for the provider, made of the bytes that were made before and of what is new."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import NamedTuple

from ..policy import Old
from ..series import Series
from ..transcript import Change, Decision, Outcome, Transcript
from ..wire import Edit, Reading
from ..wire.base import Counts
from ..wire.body import START, Place, Tail
from .past import Answer, Known, Moves, Past, Sent, Stored, texts_of
from .pieces import Pieces
from .storing import Storing

_BY_START, _END = attrgetter("start"), attrgetter("end")
_NOTHING = Sent(Pieces(), START, (), Series(), Series(), (), None)


class Request(NamedTuple):
    """A request, with what is known from those before it, and what is wanted of the results behind those."""

    wire: str
    reading: Reading
    past: Past | None
    known: Known
    wanted: Transcript

    @property
    def whole(self) -> Transcript:
        """All results, with what is wanted of each."""
        decided = self.known.decided + self.wanted
        return Transcript(decided.results, decided.outcomes, self.reading.transcript.said, self.reading.messages)

    def carried(self, old: Old, storing: Storing) -> Sent | None:
        """What was made of the front, if nothing of it became old since, and all of it is stored."""
        sent = self.known.sent
        return sent if sent is not None and sent.moves == old.moves and storing.has(sent.stored) else None

    def outcomes(self, front: int) -> tuple[Outcome | None, ...]:
        """What is wanted of all but so many results."""
        return (*self.known.decided.outcomes[front:], *self.wanted.outcomes)

    def remembered(self, body: bytes, sent: Sent | None, answer: Answer) -> Past | None:
        """What to remember of it and of its `answer`; None while there are not turns enough."""
        before, known, wanted = self.past, self.known, self.wanted
        beginning = self.reading.beginning
        if beginning is None:
            return None
        end, whole = beginning.end.bytes, beginning.whole
        front_body, at = (before.body, before.beginning.end.bytes) if before else (Pieces(), 0)
        read, front = before.beginning.whole.turn_before if before else Counts(), whole.turn_before
        new = known.history.results - len(known.decided.results)
        return Past(
            wire=self.wire,
            body=front_body.further(body, at, end),
            rest=body[end:],
            beginning=beginning,
            decided=known.decided + Transcript(wanted.results[:new], wanted.outcomes[:new]),
            last=Transcript(wanted.results[new:], wanted.outcomes[new:]),
            sent=sent,
            history=known.history,
            keys=known.keys,
            texts=(before.texts if before else 0) + texts_of(
                whole.messages[read.messages:front.messages], whole.results[read.results:front.results]),
            answer=answer,
        )


class Plan(NamedTuple):
    """What is done with a request, and what is told about it; without the front, if that is `carried`."""

    changed: tuple[Edit, ...]
    rounds: tuple[Edit, ...]
    told: tuple[Decision, ...]
    moves: Moves
    carried: Sent | None
    stored: Stored | None
    offered: tuple[Edit, ...] = ()

    @classmethod
    def of(cls, settled: Iterable[Outcome | None], folded: tuple[Change, ...], rounds: tuple[Edit, ...], *,
           moves: Moves, carried: Sent | None, stored: Stored | None) -> Plan:
        """What is settled outside of the stretches that become a history, and the histories."""
        outcomes = [outcome for outcome in settled if outcome is not None]
        if folded:
            stays = _outside(folded)
            outcomes = [*(outcome for outcome in outcomes if stays(decision_of(outcome).slot.start)), *folded]
            outcomes.sort(key=lambda outcome: decision_of(outcome).slot.start)
            rounds = tuple(edit for edit in rounds if stays(edit.start))
        return cls(edits_of(outcomes), rounds, tuple(map(decision_of, outcomes)), moves, carried, stored)

    @property
    def extra(self) -> tuple[Edit, ...]:
        """The edits that replace no result."""
        return (*self.offered, *self.rounds)


class Made(NamedTuple):
    """The body, and of it what follows its beginning, if anything was changed; what is told about it, where its
    messages end in it, by how many characters it is longer than the client's, and what was made of its beginning, if
    that stands for itself."""

    body: bytes
    behind: bytes
    told: Series[Decision]
    messages_end: int
    grown: int
    sent: Sent | None


def make(request: Request, plan: Plan, body: bytes) -> Made:
    """The body with everything done that was planned; `body` itself if that is nothing."""
    reading, extra = request.reading, plan.extra
    front, edits, tail = _front(request, plan, extra)
    at, end = tail.start, reading.beginning.end if reading.beginning else tail.start
    first = [edit for edit in edits if edit.start <= end.chars]
    apart = not first or max(map(_END, first)) <= end.chars
    if not apart:  # an edit begins in the beginning and ends behind it, so nothing is kept of what is made here
        first, end = [], at
    text = spliced(tail, first, at.chars, end.chars).encode() if first else body[at.bytes:end.bytes]
    behind = edits[len(first):]
    rest = spliced(tail, behind, end.chars, tail.end).encode() if behind else body[end.bytes:]
    changed = edits or front.edits
    made = b"".join((*front.body.parts, text, rest)) if changed else body
    told = plan.carried.told if plan.carried else Series()
    moved = front.end.chars - at.chars
    grown, upto = moved + _growth(first), front.end.bytes + len(text)
    sent = Sent(
        body=front.body.further(made, front.end.bytes, upto),
        end=Place(end.chars + grown, upto),
        extra=_until(end.chars, extra),
        edits=front.edits + first,
        told=told + [decision for decision in plan.told if decision.slot.start < end.chars],
        moves=plan.moves,
        stored=plan.stored,
    ) if apart else None
    inside = [edit for edit in behind if edit.start <= reading.messages_end]
    return Made(made, rest if changed else b"", told + plan.told,
                reading.messages_end + grown + _growth(inside), grown + _growth(behind), sent)


def _front(request: Request, plan: Plan, extra: tuple[Edit, ...]) -> tuple[Sent, list[Edit], Tail]:
    """What was made before and can be taken as it is, the edits in what follows, and that."""
    past, carried, reading = request.past, plan.carried, request.reading
    place = past.beginning.end.chars if past else 0
    if carried and carried.extra == _until(place, extra):
        behind = [edit for edit in extra if edit.start > place]
        return carried, _in_order((*behind, *plan.changed)), reading.tail
    before = {*carried.extra} if carried else {}
    known = [edit for edit in carried.edits if edit not in before] if carried else ()
    edits = _in_order((*extra, *known, *plan.changed))
    sent = past.sent if past else None
    if sent is not None and sent.edits == _until(place, edits):
        return sent, edits[len(sent.edits):], reading.tail
    return _NOTHING, edits, reading.tail if past is None else reading.source.behind(START)


def _until(place: int, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Those that begin no further on."""
    return tuple([edit for edit in edits if edit.start <= place])


def _outside(folded: Iterable[Change]) -> Callable[[int], bool]:
    """Whether a place is outside of stretches, which are in order."""
    spans = [change.result.slot for change in folded]

    def stays(place: int) -> bool:
        after = bisect_left(spans, place, key=lambda span: span.end)
        return after >= len(spans) or spans[after].start > place

    return stays


def decision_of(outcome: Outcome) -> Decision:
    """Why it is so."""
    return outcome.decision if isinstance(outcome, Change) else outcome


def edits_of(outcomes: Iterable[Outcome | None]) -> tuple[Edit, ...]:
    """What the changes among them replace."""
    return tuple([_edit(outcome) for outcome in outcomes if isinstance(outcome, Change) and outcome.replaces])


def _edit(change: Change) -> Edit:
    slot = change.result.slot
    return Edit(slot.start, slot.end, change.literal[1:-1] if slot.inside else change.literal)


def _in_order(edits: Iterable[Edit]) -> list[Edit]:
    """By their places; several at one place stay in their order."""
    return sorted(edits, key=_BY_START)


def spliced(tail: Tail, edits: Iterable[Edit], start: int, end: int) -> str:
    """The text between two places with the edits made."""
    out: list[str] = []
    for edit in edits:
        out += tail.between(start, edit.start), edit.text
        start = max(start, edit.end)
    out.append(tail.between(start, end))
    return "".join(out)


def _growth(edits: Iterable[Edit]) -> int:
    """By how much the edits make a text longer."""
    return sum([len(edit.text) - (edit.end - edit.start) for edit in edits])
