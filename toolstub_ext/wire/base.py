"""What a wire format tells about a request body, and how a body is changed: by splicing, never by re-encoding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ..series import Series
from ..transcript import Said, ToolResult, Transcript
from .body import Body, Place, Tail
from .pasted import NONE, Marks
from .spans import Span


class Edit(NamedTuple):
    """Replace the code points `start:end` of the decoded body by `text`."""

    start: int
    end: int
    text: str


class Piece(NamedTuple):
    """A part of what a model said in one message, where that has parts: its span, and what tells it from the others."""

    identity: str
    start: int
    end: int


class Message(NamedTuple):
    """One message as far as a conversation is told apart by it; `start:end` is its span in the body.

    `calls` are the ids of the tool calls it makes, `calls_at` is the place in front of the first of them, and where
    they have an array of their own, `calls_end` is its end. `answers` are the ids of the calls it answers, and
    `answers_at` is the place in front of the first result it holds, where a result is a part of a message.
    """

    role: str
    text: str
    start: int
    end: int
    calls: tuple[str, ...] = ()
    calls_at: int | None = None
    answers: str | None = None
    answers_at: int | None = None
    pieces: tuple[Piece, ...] = ()
    calls_end: int | None = None

    @property
    def end_of_parts(self) -> int | None:
        """The place behind the last call or, where a message has parts, behind the last of those."""
        return self.pieces[-1].end if self.pieces else self.calls_end


class Counts(NamedTuple):
    """How much there is of a conversation up to one of its messages.

    `items` is how many items of the array its messages are; `requests` and `turns` are how many assistant messages and
    turns there are.
    """

    messages: int = 0
    results: int = 0
    said: int = 0
    items: int = 0
    requests: int = 0
    turns: int = 0


class Call(NamedTuple):
    """One call that a model makes; what it lacks is empty."""

    call_id: str
    tool: str
    arguments: str


class ReadSoFar(NamedTuple):
    """What was read of a body up to `end`, just behind one of its messages.

    The last two turns begin behind so much as `turn_before` and `last_turn` count. `calls` are those that a result
    behind `end` may answer.
    """

    end: Place
    messages: Series[Message]
    results: Series[ToolResult]
    said: Series[Said]
    counts: Counts
    turn_before: Counts
    last_turn: Counts
    calls: Mapping[str, tuple[Call, ...]]


class Continued(NamedTuple):
    """The id of the answer that a request continues, where the provider keeps what went before; its span."""

    answer: str
    start: int
    end: int


class Terms(NamedTuple):
    """What a request says besides its messages.

    `tools_at` is the place just after the `[` of a non-empty tools array and None without one. `session` is a name the
    client gave the conversation, or None. `several` says that the answer is not one that comes at once. `allowed_at` is
    the place just after the `[` of a list that narrows which tools may be called without forcing a call: names missing
    there cannot be called.
    """

    tools_at: int | None
    tool_names: tuple[str, ...]
    stream: bool
    session: str | None = None
    several: bool = False
    allowed_at: int | None = None
    continues: Continued | None = None

    def moved(self, behind: int, by: int) -> Terms:
        """The same where all that stands behind a place stands so many code points further on."""
        tools, allowed, continues = self.tools_at, self.allowed_at, self.continues
        return Terms(
            tools + by if tools is not None and tools > behind else tools, self.tool_names, self.stream, self.session,
            self.several, allowed + by if allowed is not None and allowed > behind else allowed,
            Continued(continues.answer, continues.start + by, continues.end + by)
            if continues is not None and continues.start > behind else continues,
        )


class Ending(NamedTuple):
    """What stands behind the messages of a body, from the place `at` on, and the terms of that request."""

    at: int
    text: str
    terms: Terms


class Beginning(NamedTuple):
    """What a longer body that begins as another one need not be read for again.

    Up to `end`, where the last two turns begin, that is sure to be the same: a client may still move a mark of its own,
    such as `cache_control`, in the turn before the last. With a body that goes on as the other one did, up to its last
    message, nothing of the `whole` need be read again, unless that ended with a message of the model, which may go on.
    `members` are those in front of the messages, with their spans. `ending` is how the other one ended, if it means the
    same behind this beginning.
    """

    end: Place
    whole: ReadSoFar
    goes_on: bool
    members: Mapping[str, Span]
    ending: Ending | None

    @property
    def near(self) -> Beginning:
        """The same for a body that goes on otherwise behind `end`."""
        return self._replace(goes_on=False)

    @property
    def messages(self) -> Series[Message]:
        """The messages up to `end`."""
        return self.whole.messages.upto(self.whole.turn_before.messages)

    @property
    def known(self) -> ReadSoFar:
        """What need not be read again."""
        whole, counts = self.whole, self.whole.turn_before
        if self.goes_on:
            return whole
        return ReadSoFar(self.end, self.messages, whole.results.upto(counts.results), whole.said.upto(counts.said),
                         counts, counts, counts, {})


class Closed(NamedTuple):
    """How many messages and results stand in front of the last turn: to their turns nothing can be added."""

    messages: int
    results: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A request body, understood.

    `messages_end` is the place of the `]` of the messages. `bare` is the length of the messages where they are one text
    in place of an array, which then ends at `messages_end`, and 0 otherwise. `beginning` is what is known of a longer
    one, None if there are not turns enough yet. `tail` is what follows a known beginning of `source`, and `members` are
    those in front of the messages.
    """

    source: Body = field(compare=False)
    tail: Tail = field(compare=False)
    members: Mapping[str, Span] = field(compare=False)
    closed: Closed = field(compare=False)
    transcript: Transcript
    messages: Series[Message]
    terms: Terms
    messages_end: int
    bare: int = 0
    beginning: Beginning | None = field(default=None, compare=False)

    @property
    def body(self) -> str:
        """The body as text, decoded when it is first asked for."""
        return self.source.text


class Wire(Protocol):
    """One wire format of requests. A module satisfies it."""

    name: str

    def read(self, body: Body | str, known: Beginning | None = None, marks: Marks = NONE,
             argument_chars: int | None = None) -> Reading:
        """Find everything in one pass over the text. Raises WireError if it is not of this format.

        `known` is of an earlier reading with whose text `body` begins; it changes the time that is taken, and nothing
        else. What a text of the user holds behind one of the `marks` with which it begins is a result.
        """
        ...


def splice(body: str, edits: Iterable[Edit], at: int = 0) -> str:
    """The body from `at` on with the edits made; they do not overlap, and several at one place are made in their
    order."""
    out: list[str] = []
    for edit in sorted(edits, key=lambda e: e.start):
        out.append(body[at:edit.start])
        out.append(edit.text)
        at = max(at, edit.end)
    out.append(body[at:])
    return "".join(out)
