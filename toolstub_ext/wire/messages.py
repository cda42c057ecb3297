"""Anthropic's Messages: what a request body holds.

A tool result is the content of a `tool_result` block in a user message: a string, or the text parts of a list. Images,
documents, search results and tool references in it stay, and so does everything else: thinking and its signatures,
server tools and what they found, `is_error`, and `cache_control`, which stands beside the text it belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import WireError
from .arguments import long_texts
from .base import Beginning, Call, Message, Piece, Reading, Terms
from .body import Body, Tail
from .conversation import Conversation, Path, is_assistants, objects, opened, plain, string, text_in, texts
from .pasted import NONE, Marks
from .spans import Shape, Span

name = "messages"

_MESSAGE: Shape = {"content": [{"content": [{}]}]}
_OTHERS: dict[str, Shape] = {"tools": [None]}
_UNSIGNED = frozenset(("type", "id", "name", "input", "cache_control", "caller"))
"""What a call may have beside its input; one of any others might sign it."""
_IDENTITY = ("signature", "data", "text", "id", "tool_use_id", "thinking")
"""The members by which a block is told from others of its type, whichever of them it has."""


def read(body: Body | str, known: Beginning | None = None, marks: Marks = NONE,
         argument_chars: int | None = None) -> Reading:
    """Find everything in one pass over the text, or over what follows `known`. Raises WireError if it is no such
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
        tool_names=tuple(string(tool.get("name")) for tool in tools),
        stream=plain(members, "stream") is True,
    )


def _add(conversation: Conversation, span: Span, body: Tail) -> None:
    """The next message."""
    members = span.value
    if not isinstance(members, dict):
        raise WireError(f"message {conversation.count} is not an object")
    role = text_in(members, "role")
    blocks = _blocks(members)
    path = ("messages", conversation.count, "content")
    said = texts(members.get("content"), "text", path)
    calls = [(block, _call(block.value, body)) for block in blocks if text_in(block.value, "type") == "tool_use"]
    results = [(at, block) for at, block in enumerate(blocks) if text_in(block.value, "type") == "tool_result"]
    outputs = [texts(block.value.get("content"), "text", (*path, at, "content")) for at, block in results]
    if role == "assistant":
        conversation.answer(call for _, call in calls)
        _add_arguments(conversation, blocks, path, body)
    else:
        for (_, block), output in zip(results, outputs, strict=True):
            conversation.result(text_in(block.value, "tool_use_id"), output,
                                is_error=plain(block.value, "is_error") is True)
    if role == "user" and said:
        conversation.user(said)
    conversation.add(Message(
        role=role,
        text="".join([text.value for output in (*outputs, said) for _, text in output]),
        start=span.start,
        end=span.end,
        calls=tuple([call.call_id for _, call in calls]),
        calls_at=calls[0][0].start if calls else None,
        answers=" ".join([text_in(block.value, "tool_use_id") for _, block in results]) or None,
        answers_at=blocks[0].start if results and results[0][0] == 0 else None,
        pieces=tuple(map(_piece, blocks)) if role == "assistant" else (),
    ))


def _blocks(members: dict[str, Span]) -> list[Span]:
    """The blocks of a message; a string or a malformed list has none."""
    content = plain(members, "content")
    if not isinstance(content, list) or not all(isinstance(block.value, dict) for block in content):
        return []
    return content


def _add_arguments(conversation: Conversation, blocks: list[Span], path: Path, body: Tail) -> None:
    """The long texts in the inputs of the calls among the blocks of an answer."""
    least = conversation.argument_chars
    if least is None:
        return
    for at, block in enumerate(blocks):
        if _is_plain_call(block.value):
            found = long_texts(block.value.get("input"), (*path, at, "input"), body, least)
            conversation.arguments(_call(block.value, body), found)


def _is_plain_call(block: dict[str, Span]) -> bool:
    """Whether it is a call that nobody signed, and that no program of the provider's made."""
    caller = plain(block, "caller")
    ours = caller is None or (isinstance(caller, dict) and caller.get("type") == "direct")
    return text_in(block, "type") == "tool_use" and ours and _UNSIGNED.issuperset(block)


def _call(block: dict[str, Span], body: Tail) -> Call:
    given = block.get("input")
    return Call(text_in(block, "id"), text_in(block, "name"), body.between(given.start, given.end) if given else "")


def _piece(block: Span) -> Piece:
    return Piece(identity({key: span.value for key, span in block.value.items()}), block.start, block.end)


def identity(block: dict[str, Any]) -> str:
    """What tells a block from the others of its message."""
    return f"{string(block.get('type'))} {next(filter(None, (string(block.get(key)) for key in _IDENTITY)), '')}"
