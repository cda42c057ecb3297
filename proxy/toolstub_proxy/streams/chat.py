"""Chat completions as they are answered: the stream the client sees, and the rounds it does not see.

Text passes the moment it arrives, in the bytes it came in. Of a tool call only its name decides: while that may still
become one of ours, the call is held; the client's calls pass, numbered as if ours did not exist. The end of an answer
(finish reason, usage, `[DONE]`) is held where a call of ours is involved, because the loop decides what follows.
A later round continues the message the client is already reading: same id, no second role, usage added up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toolstub_ext.wire.spans import scan

from .. import sse
from ..turns import Call, Mine, Turn
from .chat_answer import CUT_OFF, FAILED, ChatAnswer, older_calls, read, said_in
from .chat_calls import Calls
from .chat_thoughts import Thoughts, keep_apart
from .filtering import Filter
from .usage import added

name = "chat"

KEEP_ALIVE, KEEP_ALIVE_AMID_IDS = sse.KEEP_ALIVE, sse.KEEP_ALIVE_LINE

_HEAD = ("id", "created", "model")


class ChatStream(Filter):
    """The filter for one upstream answer; `thought` says that a client has seen a thought of an earlier one."""

    def __init__(self, mine: Mine, *, head: dict[str, Any] | None = None, usage: dict[str, Any] | None = None,
                 thought: bool = False) -> None:
        super().__init__(mine, later=head is not None)
        self._head = head or {}
        self._before = usage or {}
        self._usage: dict[str, Any] = {}
        self._calls = Calls(mine)
        self._older: tuple[str, ...] = ()
        self._text: list[str] = []
        self._thoughts = Thoughts()
        self._thought_before = thought
        self._finish: str | None = None

    def turn(self) -> Turn | None:
        """What the model did, or None if the answer ended before its end."""
        if self._finish is None and not self.done:
            return None
        return Turn(
            text="".join(self._text),
            ours=self._calls.ours(),
            theirs=(*self._calls.theirs(), *self._older),
            fields=self._thoughts.whole(),
            whole=self._finish not in CUT_OFF,
            ours_last=self._calls.ours_last(),
        )

    def successor(self) -> ChatStream:
        """The stream of the next round, which continues this one for the client."""
        return ChatStream(self._mine, head=self._head, usage=added(self._before, self._usage),
                          thought=self._thought_before or self._thoughts.any_text)

    def failed(self, error: bytes) -> bytes:
        """The event that ends the stream with an error."""
        return sse.event_of(error)

    def _event(self, raw: bytes) -> bytes:
        data = sse.data_of(raw)
        if data is None:
            return raw
        if data.strip() == b"[DONE]":
            self.done = True
            late = self._calls.settle()
            return self._held_or_seen((self._written(late) if late else b"") + raw)
        try:
            chunk = json.loads(data)
        except (ValueError, RecursionError):
            return raw
        if not isinstance(chunk, dict):
            return raw
        seen = self._chunk(chunk, raw)
        self._finish = FAILED if chunk.get("error") else self._finish
        return seen

    def _chunk(self, chunk: dict[str, Any], raw: bytes) -> bytes:
        edited = self._continued(chunk)
        says_something = True
        choice = _choice_of(chunk)
        if choice is not None:
            changed, says_something = self._choice(choice)
            edited |= changed
        usage = chunk.get("usage")
        if isinstance(usage, dict):
            self._usage = usage
            if self._before:
                chunk["usage"] = added(self._before, usage)
                edited = True
        elif not says_something:
            return b""
        return self._held_or_seen(sse.event_of(json.dumps(chunk, separators=(",", ":")).encode()) if edited else raw)

    def _may_go_on(self) -> bool:
        ended = self.done or self._finish is not None
        return ended and (self._later or self._calls.any_of_ours())

    def _continued(self, chunk: dict[str, Any]) -> bool:
        """Make a chunk of a later round one of the message the client is reading; whether that changed it."""
        if not self._later:
            for key in _HEAD:
                if chunk.get(key):  # some begin with a chunk that has no id yet
                    self._head.setdefault(key, chunk[key])
            return False
        known = self._head
        stale = {key: known[key] for key in _HEAD if key in chunk and key in known and chunk[key] != known[key]}
        chunk.update(stale)
        return bool(stale)

    def _choice(self, choice: dict[str, Any]) -> tuple[bool, bool]:
        """Filter a choice in place; whether it was changed, and whether it still says something."""
        edited = False
        delta = choice.get("delta")
        if choice.get("finish_reason") and self._finish != FAILED:  # some say "" until they have one
            self._finish = str(choice["finish_reason"])
        if not isinstance(delta, dict) and self._finish is not None:
            delta = choice["delta"] = {}
        if isinstance(delta, dict):
            self._note(delta)
            edited = self._later and delta.pop("role", None) is not None
            edited |= self._thought_before and keep_apart(delta)
            edited |= self._calls.filter(delta, last=self._finish is not None)
        if self._finish in ("tool_calls", "function_call") and self._calls.only_ours():
            choice["finish_reason"] = "stop"
            edited = True
        return edited, not edited or self._finish is not None or _says_something(delta)

    def _note(self, delta: dict[str, Any]) -> None:
        self._text.append(said_in(delta.get("content")))
        self._older = self._older or older_calls(delta.get("function_call"))
        self._thoughts.add(delta)

    def _written(self, pieces: list[dict[str, Any]]) -> bytes:
        chunk = {"object": "chat.completion.chunk", **self._head,
                 "choices": [{"index": 0, "delta": {"tool_calls": pieces}, "finish_reason": None}]}
        return sse.event_of(json.dumps(chunk, separators=(",", ":")).encode())


def _choice_of(chunk: dict[str, Any]) -> dict[str, Any] | None:
    choices = chunk.get("choices")
    return choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None


def _says_something(delta: Any) -> bool:
    return isinstance(delta, dict) and any(value not in (None, "", []) for value in delta.values())


def stream(mine: Mine) -> ChatStream:
    """A filter for the first streamed answer."""
    return ChatStream(mine)


def answer(body: bytes, mine: Mine) -> ChatAnswer | None:
    """An answer that came whole, or None if it is no chat completion."""
    return read(body, mine)


def round_of(turn: Turn, replies: tuple[str, ...]) -> str:
    """The assistant message with our calls, and the tool messages that answer them."""
    message = {"role": "assistant", "content": turn.text or None, **turn.fields}
    calls = ",".join(call.json for call in turn.ours)
    opened = json.dumps(message, separators=(",", ":"))[:-1]
    return f'{opened},"tool_calls":[{calls}]}},{results_of(turn, replies)}'


def results_of(turn: Turn, replies: tuple[str, ...]) -> str:
    """The tool messages that answer our calls of a turn, comma-joined."""
    return ",".join(_result(call, reply) for call, reply in zip(turn.ours, replies, strict=True))


def _result(call: Call, reply: str) -> str:
    return json.dumps({"role": "tool", "tool_call_id": call.id, "content": reply}, separators=(",", ":"))


def onward(request: str, fields: Mapping[str, Any]) -> str:  # noqa: ARG001, turns are told by their messages alone
    """The next request."""
    return request


def wants_one_text(request: str) -> bool:
    """Whether the client asked for a text that only one round can give: a structured one, or one whose tokens are
    told apart."""
    if '"response_format"' not in request and '"logprobs"' not in request:
        return False
    members = scan(request, {}).value
    wanted, told_apart = (span.value if span else None for span in map(members.get, ("response_format", "logprobs")))
    return told_apart is True or (isinstance(wanted, dict) and wanted.get("type") not in (None, "text"))


def error(message: str, kind: str) -> bytes:
    """An error in OpenAI's shape, as JSON."""
    return json.dumps({"error": {"message": message, "type": kind, "param": None, "code": None}}).encode()
