"""A recorded conversation, whatever it was recorded as: what was said, called and returned, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

Kind = Literal["system", "user", "assistant", "result"]

MOST_CHARS = 8_000_000
"""No model takes more in one request; a longer record is not one conversation."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; `call_id` is unique in its conversation, `arguments` is JSON or whatever the model wrote."""

    call_id: str
    tool: str
    arguments: str


@dataclass(frozen=True)
class Item:
    """One thing the model reads: a text, the calls an assistant message makes, or the result of the call `call_id`."""

    kind: Kind
    text: str
    calls: tuple[Call, ...] = ()
    call_id: str = ""

    @cached_property
    def spoken(self) -> str:
        """Everything a model reads of it: the text, and name and arguments of each call."""
        return " ".join([self.text, *(f"{call.tool} {call.arguments}" for call in self.calls)])

    @property
    def written(self) -> str:
        """What a model wrote of its own accord: the text and the arguments, not the names of tools."""
        return "\n".join([self.text, *(call.arguments for call in self.calls)])


@dataclass(frozen=True)
class Conversation:
    """`tools` is the JSON text of the client's tool definitions, comma-joined; empty if they were not recorded.

    Every assistant item is a turn: the model was asked with all that stands before it. What follows the last one was
    never sent, as far as is known.
    """

    name: str
    items: tuple[Item, ...]
    tools: str = ""

    @property
    def turns(self) -> list[int]:
        """The places of the assistant items."""
        return [place for place, item in enumerate(self.items) if item.kind == "assistant"]

    @property
    def has_results(self) -> bool:
        """Whether a tool was ever used."""
        return any(item.kind == "result" for item in self.items)


@dataclass
class Builder:
    """Puts a conversation together from the messages of any format.

    Assistant messages that follow each other, and parts of one message recorded apart (`message_id`), are one turn.
    Results find their calls by the recorded id; one without an id answers the first call that has no answer yet. A
    record longer than `MOST_CHARS` becomes several conversations: `overfull` hands out what is complete.
    """

    name: str
    tools: str = ""
    _items: list[Item] = field(default_factory=list)
    _open: dict[str, str] = field(default_factory=dict)
    _answered: set[str] = field(default_factory=set)
    _message: tuple[str, int] | None = None
    _calls: int = 0
    _parts: int = 0
    chars: int = field(default=0, init=False)
    """Characters of the conversation so far."""

    def system(self, text: str) -> None:
        """What stands above the conversation."""
        self._add(Item("system", text))

    def user(self, text: str) -> None:
        """What a person (or a program in a person's place) said."""
        self._add(Item("user", text))

    def assistant(self, text: str, calls: Sequence[tuple[str, str, str]] = (), message_id: str = "") -> None:
        """What the model said, and the calls it made: id (may be empty), tool, arguments."""
        made = tuple(self._call(*call) for call in calls)
        at = self._continued(message_id)
        if at is None:
            self._add(Item("assistant", text, made))
            at = len(self._items) - 1
        else:
            before = self._items[at]
            joined = "\n".join(part for part in (before.text, text) if part)
            self._items[at] = replace(before, text=joined, calls=before.calls + made)
            self.chars += len(text)
        if message_id:
            self._message = message_id, at

    def result(self, text: str, call_id: str = "", tool: str = "") -> None:
        """What a tool gave back. If nothing called it, the last turn is made to have called `tool`."""
        unique = self._open.get(call_id) if call_id else self._unanswered()
        if unique is None and self._items:
            unique = self._called_after_all(tool)
        self._answered.add(unique or "")
        self._add(Item("result", text, call_id=unique or "call_0"))

    def overfull(self) -> Iterator[Conversation]:
        """The conversation so far, if no model would take more of it; what follows begins another one."""
        if self.chars > MOST_CHARS:
            yield from self.finished()

    def finished(self) -> Iterator[Conversation]:
        """The conversation, if there was one; the builder begins another."""
        if any(item.kind == "assistant" for item in self._items):
            self._parts += 1
            name = self.name if self._parts == 1 else f"{self.name} ({self._parts})"
            yield Conversation(name, tuple(self._items), self.tools)
        self._items, self._open, self._answered = [], {}, set()
        self._message, self._calls, self.chars = None, 0, 0

    def _add(self, item: Item) -> None:
        self._items.append(item)
        self.chars += len(item.spoken)

    def _continued(self, message_id: str) -> int | None:
        """The turn an assistant message belongs to, if it is not a new one."""
        if message_id and self._message and self._message[0] == message_id:
            return self._message[1]
        return len(self._items) - 1 if self._items and self._items[-1].kind == "assistant" else None

    def _call(self, recorded: str, tool: str, arguments: str) -> Call:
        self._calls += 1
        self.chars += len(tool) + len(arguments)
        unique = f"call_{self._calls}"
        if recorded:
            self._open[recorded] = unique
        return Call(unique, tool, arguments)

    def _unanswered(self) -> str | None:
        """The first call of the last turn that has no answer yet."""
        last = next((item for item in reversed(self._items) if item.kind == "assistant"), None)
        return next((call.call_id for call in last.calls if call.call_id not in self._answered), None) if last else None

    def _called_after_all(self, tool: str) -> str | None:
        """The id of a call added to the last turn, for a result whose call was not recorded; None before any turn."""
        for at in range(len(self._items) - 1, -1, -1):
            if self._items[at].kind == "assistant":
                call = self._call("", tool, "")
                self._items[at] = replace(self._items[at], calls=(*self._items[at].calls, call))
                return call.call_id
        return None
