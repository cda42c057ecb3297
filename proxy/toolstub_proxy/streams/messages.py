"""Anthropic's Messages as they are answered: the stream the client sees, and the rounds it does not see.

A content block says at its start what it is; so all blocks pass as they come, in their bytes, but for calls of ours.
Blocks behind those are numbered as if ours did not exist. A later round continues the message the client is reading:
no second start, its blocks numbered on, usage added up. What ends the message is held where a call of ours is
involved. For the next round each block is put together again as the model has to see it: thinking with its signature,
server tools with what they found. Of later rounds the client does not see the thinking: not every client keeps two
thoughts of one message and their signatures apart, and one that mixes them up would be refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toolstub_ext.wire import Edit, splice
from toolstub_ext.wire.spans import scan

from .. import sse
from ..turns import Call, Mine, Turn
from .filtering import Filter
from .messages_answer import MessagesAnswer, read
from .messages_blocks import CONTAINER, FAILED, Block, turn_of
from .replacing import replaced
from .usage import added

name = "messages"

KEEP_ALIVE = KEEP_ALIVE_AMID_IDS = b'event: ping\ndata: {"type": "ping"}\n\n'

_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
"""What a message's start has told of the first round only, and its end has to correct."""


class MessagesStream(Filter):
    """The filter for one upstream answer; `shown` is how many blocks the client has seen before it, `container` is what
    an earlier one said of the place in which its code was run."""

    def __init__(self, mine: Mine, *, shown: int = 0, usage: dict[str, Any] | None = None,
                 container: Any = None) -> None:
        super().__init__(mine, later=usage is not None)
        self._shown = shown
        self._before = usage or {}
        self._usage: dict[str, Any] = {}
        self._blocks: dict[int, Block] = {}
        self._numbers: dict[int, int] = {}
        self._stop: str | None = None
        self._container = container

    def turn(self) -> Turn | None:
        """What the model did, or None if the answer ended before its end."""
        if self._stop is None and not self.done:
            return None
        return turn_of([block.part(self._mine) for block in self._blocks.values()], self._stop, self._container)

    def successor(self) -> MessagesStream:
        """The stream of the next round, which continues this one for the client."""
        return MessagesStream(self._mine, shown=self._shown, usage=added(self._before, self._usage),
                              container=self._container)

    def failed(self, error: bytes) -> bytes:
        """The event that ends the stream with an error."""
        return b"event: error\n" + sse.event_of(error)

    def _event(self, raw: bytes) -> bytes:
        data = sse.data_of(raw)
        try:
            event = json.loads(data) if data is not None else None
        except (ValueError, RecursionError):
            return raw
        if not isinstance(event, dict):
            return raw
        match event.get("type"):
            case "message_start":
                return self._start(event, raw)
            case "content_block_start" | "content_block_delta" | "content_block_stop":
                return self._block(event, raw)
            case "message_delta":
                return self._held_or_seen(self._delta(event, raw))
            case "message_stop":
                self.done = True
                return self._held_or_seen(raw)
            case "error":
                self._stop = FAILED
        return raw

    def _start(self, event: dict[str, Any], raw: bytes) -> bytes:
        message = event.get("message")
        usage = message.get("usage") if isinstance(message, dict) else None
        self._note_container(message)
        self._usage = usage if isinstance(usage, dict) else {}
        return b"" if self._later else raw

    def _block(self, event: dict[str, Any], raw: bytes) -> bytes:
        index = event.get("index")
        if not isinstance(index, int):
            return raw
        if event["type"] == "content_block_start" and isinstance(event.get("content_block"), dict):
            self._blocks[index] = Block(event["content_block"])
        block = self._blocks.get(index)
        if block is None:
            return raw
        if event["type"] == "content_block_delta" and isinstance(event.get("delta"), dict):
            block.add(event["delta"])
        if block.is_ours(self._mine):
            return b""
        if self._later and all(one.is_thought for one in self._blocks.values()):
            return KEEP_ALIVE
        if index not in self._numbers:
            self._numbers[index] = self._shown
            self._shown += 1
        number = self._numbers[index]
        return raw if number == index else sse.written({**event, "index": number})

    def _delta(self, event: dict[str, Any], raw: bytes) -> bytes:
        """The end of the message: why it ended, and what it cost."""
        delta, usage = event.get("delta"), event.get("usage")
        edited = self._note_container(delta)
        if isinstance(delta, dict) and delta.get("stop_reason") and self._stop != FAILED:
            self._stop = str(delta["stop_reason"])
            calls = [block for block in self._blocks.values() if block.is_call]
            if self._stop == "tool_use" and calls and all(block.is_ours(self._mine) for block in calls):
                delta["stop_reason"] = "end_turn"
                edited = True
        if isinstance(usage, dict):
            self._usage = self._usage | {key: value for key, value in usage.items() if value is not None}
            if self._before:
                total = added(self._before, self._usage)
                event["usage"] = {key: total[key] for key in total if key in usage or key in _INPUT}
                edited = True
        return sse.written(event) if edited else raw

    def _note_container(self, said: Any) -> bool:
        """Take in what is said of a container, or say what was said before; whether the latter."""
        if not isinstance(said, dict):
            return False
        self._container, known = said.get(CONTAINER) or self._container, self._container
        if not self._later or known is None or said.get(CONTAINER):
            return False
        said[CONTAINER] = known
        return True

    def _may_go_on(self) -> bool:
        return self._later or any(block.is_ours(self._mine) for block in self._blocks.values())


def stream(mine: Mine) -> MessagesStream:
    """A filter for the first streamed answer."""
    return MessagesStream(mine)


def answer(body: bytes, mine: Mine) -> MessagesAnswer | None:
    """An answer that came whole, or None if it is no message."""
    return read(body, mine)


def round_of(turn: Turn, replies: tuple[str, ...]) -> str:
    """The assistant message with our calls, and the user message that answers them."""
    content = ",".join(part.json for part in turn.parts if part.identity.strip() != "text")
    results = results_of(turn, replies)
    return f'{{"role":"assistant","content":[{content}]}},{{"role":"user","content":[{results}]}}'


def results_of(turn: Turn, replies: tuple[str, ...]) -> str:
    """The blocks that answer our calls of a turn, comma-joined."""
    return ",".join(_result(call, reply) for call, reply in zip(turn.ours, replies, strict=True))


def _result(call: Call, reply: str) -> str:
    return json.dumps({"type": "tool_result", "tool_use_id": call.id, "content": reply}, separators=(",", ":"))


def onward(request: str, fields: Mapping[str, Any]) -> str:
    """The next request, in the container in which the model's code was run: a new one would be empty."""
    container = fields.get(CONTAINER)
    return request if container is None else splice(request, [_contained(request, json.dumps(container["id"]))])


def _contained(request: str, name: str) -> Edit:
    """The edit by which a request says the name of its container."""
    said = scan(request, {CONTAINER: {}}).value.get(CONTAINER)
    if said is None:
        end = request.rindex("}")
        return Edit(end, end, f',"{CONTAINER}":{name}')
    if not isinstance(said.value, dict):
        return replaced(said, name)
    if (known := said.value.get("id")) is not None:
        return replaced(known, name)
    return Edit(said.start + 1, said.start + 1, f'"id":{name}{"," if said.value else ""}')


def wants_one_text(request: str) -> bool:
    """Whether the client asked for a structured text, which only one round can give."""
    if '"output_format"' not in request and '"output_config"' not in request:
        return False
    members = scan(request, {"output_config": {}}).value
    config = members.get("output_config")
    inside = config.value.get("format") if config is not None and isinstance(config.value, dict) else None
    return any(span is not None and span.value is not None for span in (members.get("output_format"), inside))


def error(message: str, kind: str) -> bytes:
    """An error in Anthropic's shape, as JSON."""
    return json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()
