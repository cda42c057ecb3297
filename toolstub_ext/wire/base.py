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


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the code points `start:end` of the decoded body by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of what a model said in one message, where that has parts: its span, and what tells it from the others."""

    identity: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Message:
    """One message as far as a conversation is told apart by it; `start:end` is its span in the body.

    `calls` are the ids of the tool calls it makes, `calls_at` is the place in front of the first of them. `answers` are
    the ids of the calls it answers, and `answers_at` is the place in front of the first result it holds, where a result
    is a part of a message.
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


@dataclass(frozen=True, slots=True)
class ReadSoFar:
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


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a body begins, up to its last two turns: what a longer body that begins so need not be read for again.

    A client may still move a mark of its own, such as `cache_control`, in the turn before the last. `members` are those
    in front of the messages, with their spans. `further` is what is known of a body that goes on as this one did, up to
    its last message; then that need not be read again either.
    """

    known: ReadSoFar
    members: Mapping[str, Span]
    further: ReadSoFar | None = None

    @property
    def end(self) -> Place:
        """Where it ends, just behind a message."""
        return self.known.end

    @property
    def messages(self) -> Series[Message]:
        """Its messages."""
        return self.known.messages


@dataclass(frozen=True, slots=True)
class Closed:
    """How many messages and results stand in front of the last turn: to their turns nothing can be added."""

    messages: int
    results: int


@dataclass(frozen=True, slots=True)
class Continued:
    """The id of the answer that a request continues, where the provider keeps what went before; its span."""

    answer: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A request body, understood.

    `tools_at` is the place just after the `[` of a non-empty tools array and None without one; `messages_end` the
    place of the `]` of the messages. `session` is a name the client gave the conversation, or None.
    `several` says that the answer is not one that comes at once. `bare` is the length of the messages where they are
    one text in place of an array, which then ends at `messages_end`, and 0 otherwise. `allowed_at` is the place just
    after the `[` of a list that narrows which tools may be called without forcing a call: names missing there cannot be
    called. `beginning` is None if there are not turns enough yet. `further` is what is known of all messages, None if
    reading cannot go on behind the last. `tail` is what follows a known beginning of `source`, and `members` are those
    of the request.
    """

    source: Body = field(compare=False)
    tail: Tail = field(compare=False)
    members: Mapping[str, Span] = field(compare=False)
    closed: Closed = field(compare=False)
    transcript: Transcript
    messages: Series[Message]
    tools_at: int | None
    tool_names: tuple[str, ...]
    messages_end: int
    stream: bool
    session: str | None
    several: bool
    allowed_at: int | None = None
    beginning: Beginning | None = field(default=None, compare=False)
    further: ReadSoFar | None = field(default=None, compare=False)
    bare: int = 0
    continues: Continued | None = None

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
