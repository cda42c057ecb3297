"""Request bodies and bare arrays of messages, in the formats of the three APIs: one a file, or one a line.

A body in a log is often wrapped (`{"request": {...}, "response": {...}}`), and the bodies of one conversation follow
each other, each beginning with the one before: then only the longest is replayed, which has them all in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from ...wire.conversation import string
from ..conversation import Builder, Conversation
from . import chat, messages, responses, streamed
from .base import Trace, objects, text_of
from .growing import longest

suffixes = (".json", ".jsonl", ".ndjson")

WRAPPERS = ("request", "body", "request_body", "kwargs")
LISTS = ("messages", "input")


def reads(trace: Trace) -> bool:
    """If the first value is a body, or a list of messages."""
    return bool(trace.first) and unwrapped(trace.first[0]) is not None


def read(trace: Trace) -> Iterator[Conversation]:
    """The longest of each conversation."""
    return longest(_all(trace), expected=f"{trace.name}, line 1: a conversation in which a model has answered")


def _all(trace: Trace) -> Iterator[Conversation]:
    for name, value, items in trace.arrays(_path):
        yield from conversations_of(value, name, items)


def conversations_of(value: Any, name: str, items: Iterable[Any] | None = None) -> Iterator[Conversation]:
    """What a body (in a wrapper or not) or a list of messages holds; nothing if it is none.

    `items` are its messages, where `value` is only an outline.
    """
    body = unwrapped(value)
    if body is None:
        return
    builder = Builder(name, tools=tools_of(body))
    head = text_of(body.get("system")) or text_of(body.get("instructions"))
    if head:
        builder.system(head)
    if isinstance(body.get("input"), str):
        builder.user(body["input"])
    add = adder_of(body)
    for item in chain(body[_list_in(body)] if items is None else items, _answer(value)):
        if isinstance(item, dict):
            yield from builder.overfull()
            add(item, builder)
    yield from builder.finished()


def of_exchange(sent: str, received: str, name: str) -> Iterator[Conversation]:
    """What a request over HTTP and its answer hold, by their texts; nothing if it was no request to a model.

    An answer that is neither JSON nor a stream of events was given all the same; what it said is in the next request.
    """
    answer = _json(received) or streamed.answer(received) or {"role": "assistant"}
    exchange = {"request": _json(sent), "response": answer}
    return conversations_of(exchange, name)


def unwrapped(value: Any) -> dict[str, Any] | None:
    """The body that a value is or wraps; a bare list of messages becomes one. None if there is none."""
    if isinstance(value, list):
        found = objects(value)
        fits = bool(found) and len(found) == len(value) and all("role" in o or responses.is_item(o) for o in found[:20])
        return {"input" if any(map(responses.is_item, found)) else "messages": found} if fits else None
    if not isinstance(value, dict):
        return None
    if _list_in(value):
        return value
    inner = value.get(_wrapper(value))
    return unwrapped(_json(inner) if isinstance(inner, str) else inner)


def _path(value: Any) -> tuple[str, ...] | None:
    """Where the messages of a body stand; None if it is none, or written as a text."""
    if isinstance(value, list):
        return ()
    if not isinstance(value, dict):
        return None
    if found := _list_in(value):
        return (found,)
    wrapper = _wrapper(value)
    inner = _path(value.get(wrapper))
    return None if inner is None else (wrapper, *inner)


def _list_in(body: dict[str, Any]) -> str:
    """The name of the list of messages in a body; empty if it has none."""
    return next((name for name in LISTS if isinstance(body.get(name), list)), "")


def _wrapper(value: dict[str, Any]) -> str:
    """The name under which a body is wrapped in a value; empty if it has none of them."""
    return next((name for name in WRAPPERS if name in value), "")


def tools_of(body: dict[str, Any]) -> str:
    """The definitions of the client's tools, comma-joined."""
    return ",".join(json.dumps(tool) for tool in objects(body.get("tools") or body.get("functions")))


def adder_of(body: dict[str, Any]) -> Callable[[dict[str, Any], Builder], None]:
    """The function that understands the messages of a body."""
    if "messages" not in body:
        return responses.add
    is_messages = "system" in body or any("input_schema" in tool for tool in objects(body.get("tools")))
    return messages.add if is_messages else _add


def _add(message: dict[str, Any], to: Builder) -> None:
    """A message that says by itself of which format it is, if of a special one."""
    if any(block.get("type") in messages.BLOCKS for block in objects(message.get("content"))):
        messages.add(message, to)
    else:
        chat.add(message, to)


def _answer(value: Any) -> list[dict[str, Any]]:
    """The messages of the answer that a wrapper holds beside the body, in the format of the body."""
    answer = value.get("response") if isinstance(value, dict) else None
    if isinstance(answer, str):
        answer = _json(answer) or streamed.answer(answer)
    if not isinstance(answer, dict):
        return []
    if choices := objects(answer.get("choices")):
        return objects([choices[0].get("message")])
    if isinstance(answer.get("output"), list):
        return objects(answer["output"])
    return [answer] if string(answer.get("role")) == "assistant" else []


def _json(text: str) -> Any:
    """The value of a JSON text; None for any other."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
