"""The body for the provider, made of the bytes that were made before and of what is new."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..series import Series
from ..settings import Settings
from ..transcript import Change, Decision, Transcript
from ..wire import Edit, Reading
from ..wire.body import START, Place, Tail
from .past import Decided, Known, Past, Sent, Stored, texts_of
from .pieces import Pieces
from .storing import Storing


@dataclass(frozen=True, slots=True)
class Request:
    """A request, with what is known from those before; `behind` is what is wanted of all results behind the front."""

    wire: str
    reading: Reading
    past: Past | None
    known: Known
    behind: Decided

    def carried(self, settings: Settings, storing: Storing) -> Sent | None:
        """What was made of the front, if that is final and all of it is stored."""
        ages = (settings.clear, settings.compress, settings.reclaim, settings.window)
        sent = self.known.sent
        if sent is None or any(rule.enabled for rule in ages) or not storing.has(sent.stored):
            return None
        return sent

    def wanted(self, carried: Sent | None) -> Transcript:
        """All results with what is wanted of them; of the front nothing, where it is carried on as it was sent."""
        wanted = self.behind if carried else self.known.front + self.behind
        return Transcript(wanted.results, (*wanted.changes,), (*wanted.decisions,), self.reading.transcript.said,
                          self.reading.messages)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is done with a request, and what is told about it; without the front, if that is `carried`."""

    changed: tuple[Edit, ...]
    rounds: tuple[Edit, ...]
    told: tuple[Decision, ...]
    carried: Sent | None
    stored: Stored | None
    offered: tuple[Edit, ...] = ()

    @classmethod
    def of(cls, settled: Transcript, folded: tuple[Change, ...], rounds: tuple[Edit, ...], *,
           carried: Sent | None, stored: Stored | None) -> Outcome:
        """What is settled outside of the stretches that become a history, and the histories."""
        spans = [change.result.slot for change in folded]

        def stays(place: int) -> bool:
            after = bisect_left(spans, place, key=lambda span: span.end)
            return after >= len(spans) or spans[after].start > place

        changes = [*(change for change in settled.changes if stays(change.result.slot.start)), *folded]
        told = [*(decision for decision in settled.decisions if stays(decision.slot.start)),
                *(change.decision for change in changes)]
        return cls(
            changed=edits_of(changes),
            rounds=tuple(edit for edit in rounds if stays(edit.start)),
            told=tuple(sorted(told, key=lambda decision: decision.slot.start)),
            carried=carried,
            stored=stored,
        )


@dataclass(frozen=True, slots=True)
class Made:
    """The body, what is told about it, where its messages end in it, by how many characters it is longer than the
    client's, and what to remember of it."""

    body: bytes
    told: Series[Decision]
    messages_end: int
    grown: int
    past: Past | None


@dataclass(frozen=True, slots=True)
class _Plan:
    """The front that was made before, if it can be taken as it is, and the edits in what follows it, the `tail`."""

    front: Sent | None
    edits: list[Edit]
    at: Place
    tail: Tail


def make(request: Request, outcome: Outcome, body: bytes) -> Made:
    """The body with everything done that the outcome says; `body` itself if that is nothing."""
    reading, plan = request.reading, _plan(request, outcome)
    end = reading.beginning.end if reading.beginning else plan.at
    first = [edit for edit in plan.edits if edit.start <= end.chars]
    apart = all(edit.end <= end.chars for edit in first)
    if not apart:
        first, end = [], plan.at
    text = spliced(plan.tail, first, plan.at.chars, end.chars).encode()
    rest = spliced(plan.tail, plan.edits[len(first):], end.chars, plan.tail.end).encode()
    before = plan.front.body if plan.front else Pieces()
    changed = plan.edits or (plan.front and plan.front.edits)
    made = b"".join((*before.parts, text, rest)) if changed else body
    moved = plan.front.end.chars - plan.at.chars if plan.front else 0
    known: Series[Decision] = outcome.carried.told if outcome.carried else Series()
    sent = None
    if apart:
        sent = Sent(
            body=before.grown(text) if before.parts else Pieces((memoryview(made)[:len(text)],)),
            end=Place(end.chars + moved + _growth(first), (plan.front.end.bytes if plan.front else 0) + len(text)),
            extra=tuple(edit for edit in (*outcome.offered, *outcome.rounds) if edit.start <= end.chars),
            edits=(plan.front.edits if plan.front else Series[Edit]()) + first,
            told=known + (decision for decision in outcome.told if decision.slot.start < end.chars),
            stored=outcome.stored,
        )
    inside = [edit for edit in plan.edits if edit.start <= reading.messages_end]
    return Made(made, known + outcome.told, reading.messages_end + moved + _growth(inside),
                moved + _growth(plan.edits), _past(request, body, sent))


def _plan(request: Request, outcome: Outcome) -> _Plan:
    past, carried, reading = request.past, outcome.carried, request.reading
    place = past.beginning.end if past else START
    extra = (*outcome.offered, *outcome.rounds)
    if carried and carried.extra == tuple(edit for edit in extra if edit.start <= place.chars):
        return _Plan(carried, _in_order((*extra, *outcome.changed), place.chars), place, reading.tail)
    edits = _in_order((*extra, *(edits_of(request.known.front.changes) if carried else ()), *outcome.changed))
    sent = past.sent if past else None
    if sent is not None and sent.edits == tuple(edit for edit in edits if edit.start <= place.chars):
        return _Plan(sent, edits[len(sent.edits):], place, reading.tail)
    return _Plan(None, edits, START, reading.tail if past is None else reading.source.behind(START))


def _past(request: Request, body: bytes, sent: Sent | None) -> Past | None:
    """What to remember: of the results those to which nothing can be added."""
    reading, known, before = request.reading, request.known, request.past
    beginning, further = reading.beginning, reading.further
    if beginning is None:
        return None
    closed = reading.closed.messages
    behind, last = request.behind.split(reading.messages[closed - 1].end if closed else 0)
    front, ahead = behind.split(beginning.end.chars)
    read = len(before.beginning.messages) if before else 0
    return Past(
        wire=request.wire,
        body=_body(before, body, beginning.end.bytes),
        rest=body[beginning.end.bytes:further.end.bytes] if further else b"",
        beginning=beginning,
        further=replace(beginning, further=further),
        front=known.front + front,
        ahead=ahead,
        last=last,
        closed=reading.messages[len(beginning.messages):closed],
        sent=sent,
        history=known.history,
        keys=known.keys,
        texts=(before.texts if before else 0) + texts_of(beginning.messages[read:], front.results),
    )


def _body(before: Past | None, body: bytes, end: int) -> Pieces:
    """How a body begins that goes on as another one did before."""
    if before is None:
        return Pieces((memoryview(body)[:end],))
    known = before.beginning.end.bytes
    return before.body.grown(body[known:end]) if end > known else before.body


def edits_of(changes: Iterable[Change]) -> tuple[Edit, ...]:
    """What the changes replace."""
    return tuple(_edit(change) for change in changes if change.replaces)


def _edit(change: Change) -> Edit:
    slot = change.result.slot
    return Edit(slot.start, slot.end, change.literal[1:-1] if slot.inside else change.literal)


def _in_order(edits: Iterable[Edit], behind: int = -1) -> list[Edit]:
    """Those behind a place, by their places; several at one place stay in their order."""
    return sorted((edit for edit in edits if edit.start > behind), key=lambda edit: edit.start)


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
    return sum(len(edit.text) - (edit.end - edit.start) for edit in edits)
