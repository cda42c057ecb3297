"""A streamed answer, put together again: what its events say, as one answer would have said it.

    data: {"choices": [{"delta": {"content": "It "}}]}          {"choices": [{"message": {"role": "assistant",
    data: {"choices": [{"delta": {"content": "works."}}]}  ->       "content": "It works."}}]}
    data: [DONE]

A stream that was cut off gives what had come by then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...wire.conversation import string
from .base import objects

_DATA = "data:"


def answer(text: str) -> dict[str, Any] | None:
    """The answer that a stream of server-sent events gave, in the format of its API; None if it is no such stream."""
    chat, responses, messages = _Chat(), _Responses(), _Messages()
    for event in _events(text):
        if "choices" in event:
            chat.add(event)
        elif string(event.get("type")).startswith("response."):
            responses.add(event)
        else:
            messages.add(event)
    return next(filter(None, (chat.answer(), responses.answer(), messages.answer())), None)


def _events(text: str) -> Iterator[dict[str, Any]]:
    """The objects in the data of the events; the providers write each in one line."""
    for line in text.split("\n"):
        if not line.startswith(_DATA):
            continue
        try:
            event = json.loads(line[len(_DATA):])
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            yield event


class _Chat:
    """Chat completions: the first choice grows by deltas, calls by their index."""

    def __init__(self) -> None:
        self._seen = False
        self._text = ""
        self._calls: dict[int, dict[str, str]] = {}

    def add(self, event: dict[str, Any]) -> None:
        for choice in objects(event["choices"])[:1]:
            self._seen = True
            delta = choice.get("delta")
            if not isinstance(delta, dict) or choice.get("index", 0) != 0:
                continue
            self._text += string(delta.get("content"))
            for place, part in enumerate(objects(delta.get("tool_calls"))):
                index = part.get("index")
                call = self._calls.setdefault(index if isinstance(index, int) else place,
                                              {"id": "", "name": "", "arguments": ""})
                function = part.get("function")
                call["id"] = string(part.get("id")) or call["id"]
                if isinstance(function, dict):
                    call["name"] = string(function.get("name")) or call["name"]
                    call["arguments"] += string(function.get("arguments"))

    def answer(self) -> dict[str, Any] | None:
        if not self._seen:
            return None
        calls = [
            {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
            for _, call in sorted(self._calls.items())
        ]
        message = {"role": "assistant", "content": self._text, **({"tool_calls": calls} if calls else {})}
        return {"choices": [{"message": message}]}


class _Responses:
    """Responses: each item comes whole when it is done."""

    def __init__(self) -> None:
        self._items: list[Any] = []

    def add(self, event: dict[str, Any]) -> None:
        if event["type"] == "response.output_item.done":
            self._items.append(event.get("item"))

    def answer(self) -> dict[str, Any] | None:
        return {"output": self._items} if self._items else None


class _Messages:
    """Anthropic Messages: blocks begin, grow by deltas and end."""

    def __init__(self) -> None:
        self._seen = False
        self._blocks: dict[int, dict[str, Any]] = {}
        self._inputs: dict[int, str] = {}

    def add(self, event: dict[str, Any]) -> None:
        kind, index = event.get("type"), event.get("index")
        self._seen = self._seen or kind == "message_start"
        if not isinstance(index, int):
            return
        if kind == "content_block_start" and isinstance(event.get("content_block"), dict):
            self._blocks[index] = dict(event["content_block"])
        delta = event.get("delta")
        if kind == "content_block_delta" and isinstance(delta, dict) and index in self._blocks:
            block = self._blocks[index]
            if "text" in delta:
                block["text"] = string(block.get("text")) + string(delta["text"])
            self._inputs[index] = self._inputs.get(index, "") + string(delta.get("partial_json"))

    def answer(self) -> dict[str, Any] | None:
        if not self._seen:
            return None
        for index, written in self._inputs.items():
            if written:
                self._blocks[index]["input"] = _value(written)
        return {"role": "assistant", "content": [block for _, block in sorted(self._blocks.items())]}


def _value(written: str) -> Any:
    """The arguments as an object; as they were written if the stream was cut off in them."""
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written
