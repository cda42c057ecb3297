"""Sends a conversation again, turn by turn, through the rewriting that a proxy does, and says what the model would
get each time.

The conversation goes as chat completions, whatever it was recorded as: policies see calls and results, not formats.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .. import retrieval
from ..rewriting import Rewriter, Rewritten
from ..tokens import estimate
from ..wire import Reading, chat
from .conversation import Conversation, Item

PATH = "/v1/chat/completions"
STAND_IN = '{"type":"function","function":{"name":"client_tool","parameters":{"type":"object"}}}'
"""A definition for records without any: only with tools a request may be changed. It is not counted."""


@dataclass(frozen=True)
class Piece:
    """What the model gets in one message, without the syntax around it.

    `item` is the place of the item it is, None if a policy wrote it; then `replaces` is the place of the result or the
    calls whose place it takes, None if it takes that of none.
    """

    text: str
    item: int | None = None
    replaces: int | None = None

    @cached_property
    def chars(self) -> int:
        """Its size in characters."""
        return len(self.text)

    @cached_property
    def tokens(self) -> int:
        """Its size in estimated tokens."""
        return estimate(self.text)


@dataclass(frozen=True)
class Sent:
    """One request, asked at the item `turn`: its pieces, of which the first `same` are those of the request before.

    `tools` are the client's definitions and `ours` those of the retrieval tools, which stand in front of all pieces.
    """

    turn: int
    pieces: tuple[Piece, ...]
    same: int
    tools: Piece
    ours: Piece


class Sender:
    """Sends one conversation, under any number of settings."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._messages = [_message(item) for item in conversation.items]
        self._definitions = Piece(conversation.tools)
        self._whole: dict[str, Piece] = {}
        for place, (message, item) in enumerate(zip(self._messages, conversation.items, strict=True)):
            self._whole.setdefault(message, Piece(item.spoken, place))
        self._results = {item.call_id: place for place, item in enumerate(conversation.items) if item.kind == "result"}
        self._calls = {call.call_id: place for place, item in enumerate(conversation.items) for call in item.calls}

    def untouched(self) -> Iterator[Sent]:
        """Every request as the client sends it."""
        pieces, definitions, nothing = tuple(map(self._whole.__getitem__, self._messages)), self._definitions, Piece("")
        same = 0
        for turn in self._conversation.turns:
            yield Sent(turn, pieces[:turn], same, definitions, nothing)
            same = turn

    def requests(self, rewriter: Rewriter, reasons: dict[int, str]) -> Iterator[Sent]:
        """Every request of the conversation, as a client that keeps its history sends it.

        `reasons` gets what was done with each result that did not stay as it was, by its place. What the rewriter could
        not do for a fault of its own is counted there; the request is then the client's.
        """
        known = dict(self._whole)
        pieces: tuple[Piece, ...] = ()
        reading: Reading | None = None
        ours, nothing = Piece(retrieval.definitions(chat.name)), Piece("")
        for turn, body in self._bodies():
            rewritten = rewriter.rewrite(body, path=PATH, session=self._conversation.name)
            before, pieces_before = reading, pieces
            reading = _reading(rewritten.text or body.decode(), before)
            pieces = self._pieces(reading, known, before, pieces_before)
            _explain(rewritten, reasons)
            yield Sent(turn, pieces, _same(pieces, pieces_before), self._definitions,
                       ours if rewritten.injected else nothing)

    def _bodies(self) -> Iterator[tuple[int, bytes]]:
        """The body of every request, with the place of the item that answered it."""
        tools = self._conversation.tools or (STAND_IN if self._conversation.has_results else "")
        text = '{"model":"replay",' + (f'"tools":[{tools}],' if tools else "") + '"messages":['
        at = 0
        for turn in self._conversation.turns:
            new = ",".join(self._messages[at:turn])
            text += f",{new}" if at and new else new
            at = turn
            yield turn, (text + "]}").encode()

    def _pieces(self, reading: Reading, known: dict[str, Piece], before: Reading | None,
                pieces_before: tuple[Piece, ...]) -> tuple[Piece, ...]:
        """The pieces of a request. One that was in the request before, at its place, is the same object."""
        earlier = zip(before.messages, pieces_before, strict=True) if before else iter(())
        pieces: list[Piece] = []
        for message in reading.messages:
            old, piece = next(earlier, (None, None))
            if piece is None or old is not message:
                written = reading.body[message.start:message.end]
                piece = known.get(written)
                if piece is None:
                    place = (self._calls.get(message.calls[0]) if message.calls
                             else self._results.get(message.answers or ""))
                    piece = known[written] = Piece(_spoken(json.loads(written)), replaces=place)
            pieces.append(piece)
        return tuple(pieces)


def _message(item: Item) -> str:
    """The item as a chat message."""
    message: dict[str, Any] = {"role": "tool" if item.kind == "result" else item.kind, "content": item.text}
    if item.calls:
        message["tool_calls"] = [
            {"id": call.call_id, "type": "function", "function": {"name": call.tool, "arguments": call.arguments}}
            for call in item.calls
        ]
    if item.kind == "result":
        message["tool_call_id"] = item.call_id
    return json.dumps(message)


def _spoken(message: dict[str, Any]) -> str:
    """What the model reads of a chat message."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [{"text": content or ""}]
    calls = (call["function"] for call in message.get("tool_calls", ()))
    return " ".join(["\n".join(part.get("text", "") for part in parts),
                     *(f"{call['name']} {call['arguments']}" for call in calls)])


def _reading(text: str, before: Reading | None) -> Reading:
    """The request that was sent; what it has in common with the one before is not read again."""
    beginning = before.beginning.near if before and before.beginning else None
    known = before.body[:beginning.end.chars] if before and beginning else ""
    return chat.read(text, beginning if known and text.startswith(known) else None)


def _same(pieces: tuple[Piece, ...], before: tuple[Piece, ...]) -> int:
    """How many pieces two requests begin with alike."""
    return next((n for n, (one, other) in enumerate(zip(pieces, before)) if one is not other),
                min(len(pieces), len(before)))


def _explain(rewritten: Rewritten, reasons: dict[int, str]) -> None:
    for decision in rewritten.decisions:
        place = decision.slot.path[1]
        if decision.action != "kept" and isinstance(place, int) and place not in reasons:
            reasons[place] = f"{decision.action}: {decision.reason}"
