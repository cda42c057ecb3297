"""OpenAI's Responses as they are answered: the stream the client sees, and the rounds it does not see.

An output item says at its start what it is; so all events pass as they come, in their bytes, but for those of our
calls. Behind a call of ours the output indexes and the sequence numbers are those there would be without it. A later
round continues the response the client is reading: no second start, items and events numbered on. The event that ends
it is held where a call of ours is involved; it then holds the output and the usage of all rounds, under the id of the
first, for SDKs take another one for another response. A later request that continues this id is to go on from the last
round; see `toolstub_ext.hidden_rounds`.
"""

from __future__ import annotations

import json
from typing import Any

from toolstub_ext.wire.spans import scan

from .. import sse
from ..turns import Mine, Turn
from .chat import error, onward
from .filtering import Filter
from .responses_answer import ResponsesAnswer, read
from .responses_items import hide_offers, is_ours, results_of, round_of, turn_of
from .usage import added

__all__ = ["KEEP_ALIVE", "KEEP_ALIVE_AMID_IDS", "answer", "error", "name", "onward", "results_of", "round_of",
           "stream", "wants_one_text"]

name = "responses"

KEEP_ALIVE, KEEP_ALIVE_AMID_IDS = sse.KEEP_ALIVE, sse.KEEP_ALIVE_LINE

_STARTS = ("response.created", "response.in_progress", "response.queued")
_ENDS = ("response.completed", "response.incomplete", "response.failed")


class _Shown:
    """What the client has seen of earlier rounds: the id, items, usage, and how far the numbers of events have come."""

    def __init__(self) -> None:
        self.items: list[dict[str, Any]] = []
        self.id: Any = None
        self.usage: dict[str, Any] = {}
        self.indexes = 0
        self.sequence: int | None = None


class ResponsesStream(Filter):
    """The filter for one upstream answer, which continues what was `shown` before, if anything was."""

    def __init__(self, mine: Mine, shown: _Shown | None = None) -> None:
        super().__init__(mine, later=shown is not None)
        self._shown = shown or _Shown()
        self._before = list(self._shown.items)
        self._numbers: dict[int, int] = {}
        self._ours: set[int | str] = set()
        self._items: dict[int, dict[str, Any]] = {}
        self._response: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._end: dict[str, Any] | None = None
        self._broken = False

    def release(self) -> bytes:
        """The end of the answer, which was held back until it was known to be the client's."""
        tail = super().release()
        if self._end is None:
            return tail
        self._count(self._end)
        return sse.written(self._end) + tail

    def turn(self) -> Turn | None:
        """What the model did, or None if the answer ended before its end."""
        if not self.done and not self._broken:
            return None
        items = [(item, json.dumps(item, separators=(",", ":"))) for _, item in sorted(self._items.items())]
        return turn_of(items, {**self._response, "status": "failed"} if self._broken else self._response, self._mine)

    def successor(self) -> ResponsesStream:
        """The stream of the next round, which continues this one for the client."""
        shown = _Shown()
        shown.items = [*self._before, *self._visible()]
        shown.id = self._shown.id if self._later else self._response.get("id")
        shown.usage = added(self._shown.usage, self._usage)
        shown.indexes, shown.sequence = self._shown.indexes, self._shown.sequence
        return ResponsesStream(self._mine, shown)

    def failed(self, error: bytes) -> bytes:
        """The event that ends the stream with an error."""
        said = json.loads(error)["error"]
        inside = said if isinstance(said, dict) else {"message": str(said)}
        event = {"type": "error", "code": inside.get("code"), "message": inside.get("message"), "param": None,
                 "error": inside}
        if self._shown.sequence is not None:
            event["sequence_number"] = self._shown.sequence
        return sse.written(event)

    def _event(self, raw: bytes) -> bytes:
        data = sse.data_of(raw)
        try:
            event = json.loads(data) if data is not None else None
        except (ValueError, RecursionError):
            return self._held_or_seen(raw) if self.done else raw
        if not isinstance(event, dict) or not isinstance(event.get("type"), str):
            return raw
        if event["type"] in _STARTS:
            return b"" if self._later else self._seen(event, raw, edited=hide_offers(event.get("response"), self._mine))
        if event["type"] in _ENDS:
            return self._ended(event, raw)
        if event["type"] == "error":
            self._broken = True
        return self._seen(event, raw)

    def _seen(self, event: dict[str, Any], raw: bytes, *, edited: bool = False) -> bytes:
        """An event on the way: nothing of our calls, everything else under its number."""
        index, item = event.get("output_index"), event.get("item")
        if event["type"] == "response.output_item.done" and isinstance(item, dict):
            self._items[index if isinstance(index, int) else len(self._items)] = item
        if self._is_of_ours(event, item):
            return b""
        if isinstance(index, int):
            edited |= self._renumber(event, index)
        return sse.written(event) if self._count(event) or edited else raw

    def _is_of_ours(self, event: dict[str, Any], item: Any) -> bool:
        """Whether an event tells of a call of ours: it has its place or, as some servers give none, its id."""
        given = (event.get("output_index"), event.get("item_id"), item.get("id") if isinstance(item, dict) else None)
        names = {name for name in given if isinstance(name, int | str)}
        if is_ours(item, self._mine):
            self._ours |= names
            return True
        return not names.isdisjoint(self._ours)

    def _renumber(self, event: dict[str, Any], index: int) -> bool:
        if index not in self._numbers:
            self._numbers[index] = self._shown.indexes
            self._shown.indexes += 1
        event["output_index"] = self._numbers[index]
        return self._numbers[index] != index

    def _count(self, event: dict[str, Any]) -> bool:
        """Give an event the next number in sequence, where events have one; whether that changed it."""
        number = event.get("sequence_number")
        if not isinstance(number, int):
            return False
        expected = number if self._shown.sequence is None else self._shown.sequence
        if not self._later and not self._ours:
            expected = number
        self._shown.sequence = expected + 1
        event["sequence_number"] = expected
        return expected != number

    def _ended(self, event: dict[str, Any], raw: bytes) -> bytes:
        """The last event, with the whole response in it."""
        self.done = True
        response = event.get("response")
        self._response = response if isinstance(response, dict) else {}
        edited = hide_offers(response, self._mine)
        output = self._response.get("output")
        for index, item in enumerate(output if isinstance(output, list) else ()):
            if isinstance(item, dict):
                self._items.setdefault(index, item)
        usage = self._response.get("usage")
        self._usage = usage if isinstance(usage, dict) else {}
        if not self._later and not self._involves_ours():
            return sse.written(event) if edited else raw
        whole = event["response"] = {**self._response, "output": [*self._before, *self._visible()]}
        if self._later and "id" in whole:
            whole["id"] = self._shown.id
        if self._shown.usage:
            whole["usage"] = added(self._shown.usage, self._usage)
        self._end = event
        return b""

    def _visible(self) -> list[dict[str, Any]]:
        return [item for _, item in sorted(self._items.items()) if not is_ours(item, self._mine)]

    def _involves_ours(self) -> bool:
        return bool(self._ours) or any(is_ours(item, self._mine) for item in self._items.values())

    def _may_go_on(self) -> bool:
        return self._later or self._involves_ours()


def stream(mine: Mine) -> ResponsesStream:
    """A filter for the first streamed answer."""
    return ResponsesStream(mine)


def answer(body: bytes, mine: Mine) -> ResponsesAnswer | None:
    """An answer that came whole, or None if it is no response."""
    return read(body, mine)


def wants_one_text(request: str) -> bool:
    """Whether the client asked for a structured text, which only one round can give."""
    if '"format"' not in request:
        return False
    text = scan(request, {"text": {}}).value.get("text")
    wanted = text.value.get("format") if text is not None and isinstance(text.value, dict) else None
    return wanted is not None and isinstance(wanted.value, dict) and wanted.value.get("type") not in (None, "text")
