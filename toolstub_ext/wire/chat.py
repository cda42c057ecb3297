"""OpenAI's chat completions: what a request body holds.

A tool result is the content of a message of role `tool` (or the older `function`): a string, or the text parts of a
list. Everything else in a message is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import WireError
from .arguments import long_texts
from .base import Beginning, Call, Message, Reading, Terms
from .body import Body, Tail
from .conversation import Conversation, is_assistants, objects, opened, plain, string, text_in, texts
from .pasted import NONE, Marks
from .spans import Shape, Span, scan

name = "chat"

_MESSAGE: Shape = {"content": [{}]}
_OTHERS: dict[str, Shape] = {"tools": [None], "tool_choice": {"allowed_tools": {"tools": [None]}}}
_UNSIGNED = frozenset(("id", "type", "index", "cache_control", "function", "custom", "name", "arguments", "input"))
"""What a call may have; one of any other members might sign it."""
_RESULT_ROLES = ("tool", "function")


def read(body: Body | str, known: Beginning | None = None, marks: Marks = NONE,
         argument_chars: int | None = None) -> Reading:
    """Find everything in one pass over the text, or over what follows `known`. Raises WireError if it is no chat
    request."""
    request = opened(body, "messages", _MESSAGE, _OTHERS, known, is_assistants)
    conversation = Conversation(request, marks, argument_chars)
    for message in request.items:
        _add(conversation, message, request.tail)
    return conversation.reading(_terms)


def _terms(members: Mapping[str, Span]) -> Terms:
    tools = objects(members.get("tools"))
    return Terms(
        tools_at=members["tools"].start + 1 if tools else None,
        tool_names=tuple([string(_named(tool).get("name")) for tool in tools]),
        stream=plain(members, "stream") is True,
        session=text_in(members, "prompt_cache_key") or None,
        several=plain(members, "n") not in (None, 1.0),
        allowed_at=_allowed_at(members.get("tool_choice")),
    )


def _add(conversation: Conversation, span: Span, tail: Tail) -> None:
    """The next message."""
    members = span.value
    if not isinstance(members, dict):
        raise WireError(f"message {conversation.count} is not an object")
    role = text_in(members, "role")
    content = texts(members.get("content"), "text", ("messages", conversation.count, "content"))
    calls = _calls(members) if role == "assistant" else ()
    made = members.get("tool_calls")
    listed = calls and made and isinstance(made.value, list)
    message = Message(
        role=role,
        text="".join([text.value for _, text in content]),
        start=span.start,
        end=span.end,
        calls=tuple([call.call_id for call in calls]),
        calls_at=made.start + 1 if listed and made else None,
        answers=text_in(members, "tool_call_id") or None,
        calls_end=made.end - 1 if listed and made else None,
    )
    if role == "assistant":
        conversation.answer(calls)
        _add_arguments(conversation, made, calls, tail)
    elif role in _RESULT_ROLES:
        conversation.result(text_in(members, "tool_call_id"), content, tool=text_in(members, "name"))
    elif role == "user":
        conversation.user(content)
    conversation.add(message)


def _add_arguments(conversation: Conversation, made: Span | None, calls: tuple[Call, ...], tail: Tail) -> None:
    """The long texts in the arguments of the `calls` that a message makes."""
    least = conversation.argument_chars
    if least is None or made is None or made.end - made.start <= least:
        return
    if not isinstance(made.value, list) or len(calls) != len(made.value):
        return
    path = ("messages", conversation.count, "tool_calls")
    opened = scan(tail.between(made.start, made.end), [{"function": {}, "custom": {}}], made.start)
    for at, (call, span) in enumerate(zip(calls, opened.value, strict=True)):
        for what, given in (("function", "arguments"), ("custom", "input")):
            part = span.value.get(what)
            if part is not None and isinstance(part.value, dict) and _UNSIGNED.issuperset((*span.value, *part.value)):
                found = long_texts(part.value.get(given), (*path, at, what, given), tail, least, free=what == "custom")
                conversation.arguments(call, found)


def _calls(members: dict[str, Span]) -> tuple[Call, ...]:
    """The calls of an assistant message. An older `function_call` has no id; its name stands for it."""
    made = plain(members, "tool_calls")
    if isinstance(made, list):
        return tuple([_call(call) for call in made if isinstance(call, dict)])
    older = plain(members, "function_call")
    return (_call({"id": older.get("name"), "function": older}),) if isinstance(older, dict) else ()


def _call(call: dict[str, Any]) -> Call:
    what = _named(call)
    return Call(string(call.get("id")), string(what.get("name")), string(what.get("arguments", what.get("input"))))


def _named(item: dict[str, Any]) -> dict[str, Any]:
    """The part of a call or a tool that carries its name: `function` or `custom`."""
    for key in ("function", "custom"):
        if isinstance(what := item.get(key), dict):
            return what
    return item


def _allowed_at(choice: Span | None) -> int | None:
    """Just after the `[` of a non-empty list of allowed tools that leaves the model the choice."""
    allowed = choice.value.get("allowed_tools") if choice and isinstance(choice.value, dict) else None
    if allowed is None or not isinstance(allowed.value, dict) or text_in(allowed.value, "mode") != "auto":
        return None
    tools = allowed.value.get("tools")
    return tools.start + 1 if tools is not None and isinstance(tools.value, list) and tools.value else None
