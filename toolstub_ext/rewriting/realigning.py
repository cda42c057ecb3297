"""A conversation that begins otherwise than before, and goes on as before: another system message, other tools.

What follows the difference is found by comparing bytes, and stands some places further on or back. What comes before
it is read anew and has to say the same: then all that was decided holds, and only places differ.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from ..errors import WireError
from ..hidden_rounds import Keys
from ..series import Series
from ..transcript import Change, Decision, Outcome, Slot, ToolResult, Transcript
from ..wire import Beginning, Body, Edit, Message, Piece, Reading
from ..wire.body import START, Place, Tail, size
from .making import edits_of, spliced
from .past import Decided, Past, Sent, placed
from .pieces import Pieces

_PROBE = 64
_BLANKS = b" \t\r\n"
_INSTRUCTING = ("system", "developer")

Read = Callable[[Body], Reading]
Offer = Callable[[Reading], tuple[Edit, ...]]


class _Joint(NamedTuple):
    """From where on two bodies are the same: the number of the message that begins there, the place in the one that is
    known, and how many bytes further on it is in the other."""

    number: int
    place: Place
    shift: int


def realigned(past: Past, body: bytes, read: Read, offer: Offer) -> Past | None:
    """The past as one with which `body` begins, or None if it does not go on alike.

    `read` reads a body; `offer` gives the edits by which our tools are offered in it. The new past has what the old one
    could lend.
    """
    known = past.body.joined()
    joint = _joint(past, known, body)
    if joint is None:
        return None
    data = body[:joint.place.bytes + joint.shift]
    head = _head(data, read)
    if head is None or len(head.messages) != joint.number:
        return None
    number = len(head.transcript.results)
    same = placed(past.decided.between(0, number), head.transcript.results)
    if same is None or not all(map(_alike, past.beginning.messages, head.messages)):
        return None
    lent = past.borrow()
    if lent is None:
        return None
    history, _ = lent
    history.move()
    text = data.decode()
    by = len(text) - joint.place.chars
    end = Place(past.beginning.end.chars + by, past.beginning.end.bytes + joint.shift)
    return replace(
        past, body=Pieces((memoryview(body)[:end.bytes],)), rest=b"", answer=None,
        beginning=_beginning(past.beginning, end, head, by), decided=_decided(same, past.decided, by),
        history=history, keys=Keys(),
        sent=_sent(past, known, text, same, joint, offer(head)),
    )


def _joint(past: Past, view: memoryview, body: bytes) -> _Joint | None:
    """Where the known beginning, which is `view`, goes on behind the difference. Its end is looked for first."""
    end, messages = past.beginning.end.bytes, past.beginning.messages
    shift = body.find(view[end - _PROBE:end], end // 2) - (end - _PROBE)
    least, most = 0, min(end, len(body))
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if body.startswith(view[least:middle], least) else (least, middle - 1)
    same = str(view[:least], "utf-8", "ignore")
    number = bisect_right(messages, len(same), key=lambda message: message.start)
    if number == len(messages):
        return None
    chars, start = messages[number].start - len(same), size(same)
    start += size(str(view[start:start + 4 * chars], "utf-8", "ignore")[:chars])
    if start + shift < 0 or not body.startswith(view[start:end], start + shift):
        return None
    return _Joint(number, Place(messages[number].start, start), shift)


def _head(data: bytes, read: Read) -> Reading | None:
    """A body up to one of its messages, read as if there were no more."""
    whole = data.rstrip(_BLANKS).removesuffix(b",") + b"]}"
    try:
        head = read(Body(whole))
    except WireError:
        return None
    return head if head.messages_end == head.tail.end - len("]}") else None


def _alike(old: Message, new: Message) -> bool:
    """Whether two messages are the same to the policies, which do not look at instructions."""
    if (old.role, old.calls, old.answers) != (new.role, new.calls, new.answers):
        return False
    return old.text == new.text or old.role in _INSTRUCTING


def _decided(same: Transcript, before: Decided, by: int) -> Decided:
    """What was decided, of the first results as it is the `same` again, of the others moved."""
    number = len(same.results)
    return Decided(Series(same.results).followed_by(before.results.behind(number).moved(_result, by)),
                   Series(same.outcomes).followed_by(before.outcomes.behind(number).moved(_outcome, by)))


def _beginning(before: Beginning, end: Place, head: Reading, by: int) -> Beginning:
    """What is known of the new beginning; what follows the messages may say something else together with it."""
    whole, results = before.whole, Series(head.transcript.results)
    return Beginning(
        end=end,
        whole=whole._replace(
            messages=head.messages.followed_by(whole.messages.behind(len(head.messages)).moved(_message, by)),
            results=results.followed_by(whole.results.behind(len(results)).moved(_result, by)),
        ),
        goes_on=False,
        members=head.members,
        ending=None,
    )


def _sent(past: Past, known: memoryview, text: str, head: Transcript, joint: _Joint,
          offered: tuple[Edit, ...]) -> Sent | None:
    """What was made of the past, with `text` in front of the joint; None where rounds were put back, for they belong to
    what was said, and where results were old, for which are depends on what the instructions weigh."""
    sent, by = past.sent, len(text) - joint.place.chars
    if sent is None or any(sent.moves) or any(edit.start >= past.beginning.messages[0].start for edit in sent.extra):
        return None
    before = bisect_left(sent.edits, joint.place.chars, key=lambda edit: edit.start)
    old = spliced(Tail(str(known[:joint.place.bytes], "utf-8"), START), sent.edits[:before], 0, joint.place.chars)
    extra = offered if sent.extra else ()
    edits = sorted((*extra, *edits_of(head.outcomes)), key=lambda edit: edit.start)
    new = spliced(Tail(text, START), edits, 0, len(text))
    slots = {result.slot.path: result.slot for result in head.results}
    told = bisect_left(sent.told, joint.place.chars, key=lambda decision: decision.slot.start)
    return sent._replace(
        body=Pieces((new.encode(), sent.body.joined()[size(old):])),
        end=Place(sent.end.chars + len(new) - len(old), sent.end.bytes + size(new) - size(old)),
        extra=extra,
        edits=Series(edits).followed_by(sent.edits.behind(before).moved(_edit, by)),
        told=Series(one._replace(slot=slots.get(one.slot.path, one.slot)) for one in sent.told[:told]).followed_by(
            sent.told.behind(told).moved(_decision, by)),
    )


def _slot(old: Slot, by: int) -> Slot:
    return Slot(old.path, old.start + by, old.end + by, old.inside)


def _result(old: ToolResult, by: int) -> ToolResult:
    return old._replace(slot=_slot(old.slot, by))


def _outcome(old: Outcome | None, by: int) -> Outcome | None:
    if isinstance(old, Change):
        return old._replace(result=_result(old.result, by), decision=_decision(old.decision, by))
    return old and _decision(old, by)


def _decision(old: Decision, by: int) -> Decision:
    return old._replace(slot=_slot(old.slot, by))


def _edit(old: Edit, by: int) -> Edit:
    return Edit(old.start + by, old.end + by, old.text)


def _message(old: Message, by: int) -> Message:
    return old._replace(
        start=old.start + by,
        end=old.end + by,
        calls_at=None if old.calls_at is None else old.calls_at + by,
        answers_at=None if old.answers_at is None else old.answers_at + by,
        calls_end=None if old.calls_end is None else old.calls_end + by,
        pieces=tuple(Piece(piece.identity, piece.start + by, piece.end + by) for piece in old.pieces),
    )
