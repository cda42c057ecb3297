"""A conversation that begins otherwise than before, and goes on as before: another system message, other tools.

What follows the difference is found by comparing bytes, and stands some places further on or back. What comes before
it is read anew and has to say the same: then all that was decided holds, and only places differ.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from ..errors import WireError
from ..hidden_rounds import Keys
from ..transcript import Change, Decision, Slot, ToolResult
from ..wire import Beginning, Body, Edit, Message, Piece, Reading
from ..wire.body import START, Place, Tail, size
from .making import edits_of, spliced
from .past import Decided, Past, Sent
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
    before, after = past.front.split(joint.place.chars)
    same = before.at(head.transcript.results)
    if same is None or not all(map(_alike, past.beginning.messages, head.messages)):
        return None
    lent = past.borrow()
    if lent is None:
        return None
    history, _ = lent
    history.move()
    text = data.decode()
    moving = _Moving(len(text) - joint.place.chars)
    end = Place(past.beginning.end.chars + len(text) - joint.place.chars, past.beginning.end.bytes + joint.shift)
    beginning = _beginning(past.beginning, end, head, moving)
    return replace(
        past, body=Pieces((memoryview(body)[:end.bytes],)), rest=b"", front=same + moving.decided(after),
        history=history, keys=Keys(), beginning=beginning, further=beginning,
        sent=_sent(past, known, text, same, joint, moving, offer(head)),
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


def _beginning(before: Beginning, end: Place, head: Reading, moving: _Moving) -> Beginning:
    known, read = before.known, (len(head.messages), len(head.transcript.results))
    return Beginning(
        known=replace(
            known, end=end,
            messages=(*head.messages, *map(moving.message, known.messages[read[0]:])),
            results=(*head.transcript.results, *map(moving.result, known.results[read[1]:])),
        ),
        members={key: span for key, span in head.members.items() if span.end <= head.messages_end},
    )


def _sent(past: Past, known: memoryview, text: str, head: Decided, joint: _Joint, moving: _Moving,
          offered: tuple[Edit, ...]) -> Sent | None:
    """What was made of the past, with `text` in front of the joint; None where rounds were put back, for they belong to
    what was said."""
    sent = past.sent
    if sent is None or any(edit.start >= past.beginning.messages[0].start for edit in sent.extra):
        return None
    old = spliced(Tail(str(known[:joint.place.bytes], "utf-8"), START),
                  (edit for edit in sent.edits if edit.start < joint.place.chars), 0, joint.place.chars)
    extra = offered if sent.extra else ()
    edits = sorted((*extra, *edits_of(head.changes)), key=lambda edit: edit.start)
    new = spliced(Tail(text, START), edits, 0, len(text))
    slots = {result.slot.path: result.slot for result in head.results}
    return replace(
        sent,
        body=Pieces((new.encode(), sent.body.joined()[size(old):])),
        end=Place(sent.end.chars + len(new) - len(old), sent.end.bytes + size(new) - size(old)),
        extra=extra,
        edits=(*edits, *(moving.edit(edit) for edit in sent.edits if edit.start >= joint.place.chars)),
        told=tuple(replace(told, slot=slots[told.slot.path]) if told.slot.path in slots else moving.told(told)
                   for told in sent.told),
    )


class _Moving:
    """Makes what stands so many code points further on; each thing once, for it is told in several places."""

    def __init__(self, by: int) -> None:
        self._by = by
        self._results: dict[int, ToolResult] = {}
        self._told: dict[int, Decision] = {}

    def decided(self, decided: Decided) -> Decided:
        """The same decided of the same results."""
        by_slot = {result.slot: self.result(result) for result in decided.results}
        return Decided(
            tuple(by_slot.values()),
            tuple(Change(by_slot[change.result.slot], change.text, change.literal, self.told(change.decision),
                         change.kind, change.sha256, change.reason, change.budget) for change in decided.changes),
            tuple(map(self.told, decided.decisions)),
        )

    def result(self, old: ToolResult) -> ToolResult:
        """A result."""
        new = self._results.get(id(old))
        if new is None:
            self._results[id(old)] = new = ToolResult(
                self._slot(old.slot), old.text, old.tool, old.call_id, old.arguments, old.turn, old.requests,
                old.is_error, old.exempt, old.is_argument)
        return new

    def told(self, old: Decision) -> Decision:
        """An explanation."""
        new = self._told.get(id(old))
        if new is None:
            self._told[id(old)] = new = Decision(self._slot(old.slot), old.tool, old.action, old.reason, old.ref,
                                                 old.chars_before, old.chars_after)
        return new

    def edit(self, old: Edit) -> Edit:
        """An edit."""
        return Edit(old.start + self._by, old.end + self._by, old.text)

    def message(self, old: Message) -> Message:
        """A message with its pieces."""
        by = self._by
        return Message(
            old.role, old.text, old.start + by, old.end + by, old.calls,
            None if old.calls_at is None else old.calls_at + by, old.answers,
            None if old.answers_at is None else old.answers_at + by,
            tuple(Piece(piece.identity, piece.start + by, piece.end + by) for piece in old.pieces),
        )

    def _slot(self, slot: Slot) -> Slot:
        return Slot(slot.path, slot.start + self._by, slot.end + self._by, slot.inside)
