"""OpenAI's Responses: what a request body holds.

The input is a list of items, some the model's, some the client's. A tool result is the output of a function or a custom
tool (a string, or the text parts of a list), of a local shell, of a shell (what each command wrote) or of a patch. All
that the provider's own tools found, reasoning, screenshots, tool searches and references to items stay. A run of the
model's items is one message here, so a conversation is told apart as in the other formats.

Two kinds of requests are left alone: those in the background, whose answer is fetched by others, and those of a
conversation that the provider keeps, to which a hidden round would be added twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from ..errors import WireError
from .arguments import long_texts
from .base import Beginning, Call, Continued, Message, Piece, Reading, Terms
from .body import Body, Tail
from .conversation import Conversation, Path, objects, opened, plain, string, text_in, texts
from .pasted import NONE, Marks
from .spans import Shape, Span

name = "responses"

_ITEM: Shape = {"content": [{}], "output": [{}]}
_OTHERS: dict[str, Shape] = {"tools": [None], "tool_choice": {"tools": [None]}}
_ANSWERED = {
    "function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action", "shell_call": "action",
    "apply_patch_call": "operation", "computer_call": "action", "tool_search_call": "arguments",
    "mcp_approval_request": "arguments",
}
"""What a client answers, and which member says what is asked for."""
_ANSWERS = ("_output", "_response")
"""How the types of its answers end."""
_ARGUMENTS = {"function_call": "arguments", "custom_tool_call": "input"}
"""Those whose arguments are the client's affair alone."""
_UNSIGNED = frozenset(("type", "id", "call_id", "name", "namespace", "arguments", "input", "status"))
"""What a call may have beside its arguments; one of any others might sign it."""
_TEXT_OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output",
                 "apply_patch_call_output")
_IDENTITY = ("encrypted_content", "call_id", "id")


def read(body: Body | str, known: Beginning | None = None, marks: Marks = NONE,
         argument_chars: int | None = None) -> Reading:
    """Find everything in one pass over the text, or over what follows `known`. Raises WireError if it is no such
    request."""
    request = opened(body, "input", _ITEM, _OTHERS, known, _is_models, or_text=True)
    conversation = Conversation(request, marks, argument_chars)
    for of_model, run in groupby(request.items, _is_models):
        together = [*run]
        if of_model:
            _add_answer(conversation, together, request.tail)
        else:
            for item in together:
                _add(conversation, item, ("input", conversation.items))
    if request.bare:
        _add_text(conversation, request.members["input"])
    return conversation.reading(_terms)


def _terms(members: Mapping[str, Span]) -> Terms:
    tools = objects(members.get("tools"))
    return Terms(
        tools_at=members["tools"].start + 1 if tools else None,
        tool_names=tuple(_names(tools)),
        stream=plain(members, "stream") is True,
        session=text_in(members, "prompt_cache_key") or None,
        several=plain(members, "background") is True or plain(members, "conversation") is not None,
        allowed_at=_allowed_at(members.get("tool_choice")),
        continues=_continued(members),
    )


def _is_models(item: Span) -> bool:
    """Whether the model made an item: a message of its own, a call, a thought, what a tool of the provider found."""
    if not isinstance(item.value, dict):
        raise WireError("an item of the input is not an object")
    kind = text_in(item.value, "type")
    if kind in ("", "message"):
        return text_in(item.value, "role") == "assistant"
    return not kind.endswith(_ANSWERS) and kind not in ("additional_tools", "compaction_trigger")


def _add_text(conversation: Conversation, text: Span) -> None:
    """An input that is one text of the user."""
    conversation.user([(("input",), text)])
    conversation.add(Message("user", text.value, text.start, text.end))


def _add_answer(conversation: Conversation, items: list[Span], body: Tail) -> None:
    """What the model said and called in one run."""
    calls = [(item, _call(item.value, body)) for item in items
             if is_call(text_in(item.value, "type"), text_in(item.value, "execution"))]
    conversation.answer(call for _, call in calls)
    _add_arguments(conversation, items, body)
    conversation.add(Message(
        role="assistant",
        text="".join(_said(item.value) for item in items),
        start=items[0].start,
        end=items[-1].end,
        calls=tuple(call.call_id for _, call in calls),
        calls_at=calls[0][0].start if calls else None,
        pieces=tuple(Piece(_identity(item.value), item.start, item.end) for item in items),
    ), len(items))


def _add_arguments(conversation: Conversation, items: list[Span], body: Tail) -> None:
    """The long texts in the arguments of the calls among the items of an answer."""
    least = conversation.argument_chars
    if least is None:
        return
    for at, item in enumerate(items, conversation.items):
        given = _ARGUMENTS.get(text_in(item.value, "type"))
        if given is not None and _UNSIGNED.issuperset(item.value):
            found = long_texts(item.value.get(given), ("input", at, given), body, least, free=given == "input")
            conversation.arguments(_call(item.value, body), found)


def _add(conversation: Conversation, item: Span, path: Path) -> None:
    """An item that is not the model's: a message, or what a tool gave."""
    members = item.value
    kind = text_in(members, "type")
    role, said = text_in(members, "role"), _said(members)
    answers = next(filter(None, (text_in(members, key) for key in ("call_id", "approval_request_id", "id"))), "")
    outputs = [*_outputs(members, kind, (*path, "output"))]
    if kind.endswith("_output"):
        conversation.result(answers, outputs)
    elif role == "user":
        conversation.user(texts(members.get("content"), "input_text", (*path, "content")))
    conversation.add(Message(
        role=role or kind,
        text=said + "".join(text.value for _, text in outputs),
        start=item.start,
        end=item.end,
        answers=answers if kind.endswith(_ANSWERS) else None,
        answers_at=item.start if kind.endswith(_ANSWERS) else None,
    ))


def _said(members: dict[str, Span]) -> str:
    """The text of a message."""
    if text_in(members, "type") not in ("", "message"):
        return ""
    kind = "output_text" if text_in(members, "role") == "assistant" else "input_text"
    return "".join(text.value for _, text in texts(members.get("content"), kind))


def _outputs(members: dict[str, Span], kind: str, path: Path) -> Iterator[tuple[Path, Span]]:
    """The texts of a tool's output, each with its path."""
    output = members.get("output")
    if kind in _TEXT_OUTPUTS:
        yield from texts(output, "input_text", path)
    elif kind == "shell_call_output" and output is not None and isinstance(output.value, list):
        for at, command in enumerate(output.value):
            for stream in ("stdout", "stderr"):
                text = command.value.get(stream) if isinstance(command.value, dict) else None
                if text is not None and isinstance(text.value, str):
                    yield (*path, at, stream), text


def is_call(kind: str, execution: str) -> bool:
    """Whether an item of that type asks the client for something; a search for tools may be the provider's own."""
    return kind in _ANSWERED and (kind != "tool_search_call" or execution == "client")


def _call(item: dict[str, Span], body: Tail) -> Call:
    kind = text_in(item, "type")
    given = item.get(_ANSWERED[kind])
    asked = ""
    if given is not None:
        asked = given.value if isinstance(given.value, str) else body.between(given.start, given.end)
    return Call(text_in(item, "call_id") or text_in(item, "id"), text_in(item, "name") or kind.removesuffix("_call"),
                asked)


def _identity(members: dict[str, Span]) -> str:
    said = _said(members)
    return identity({"text": said, **{key: span.value for key, span in members.items() if key != "text"}})


def identity(item: dict[str, Any]) -> str:
    """What tells an item from the others of its run; of a message its `text`, for clients send one without its id."""
    kind = string(item.get("type")) or "message"
    if kind == "message":
        return f"message {string(item.get('text'))}"
    return f"{kind} {next(filter(None, (string(item.get(key)) for key in _IDENTITY)), '')}"


def _names(tools: tuple[dict[str, Any], ...]) -> Iterator[str]:
    """The names of tools, and of those in a namespace."""
    for tool in tools:
        yield string(tool.get("name"))
        inner = tool.get("tools")
        if isinstance(inner, list):
            yield from (string(each.get("name")) for each in inner if isinstance(each, dict))


def _allowed_at(choice: Span | None) -> int | None:
    """Just after the `[` of a non-empty list of allowed tools that leaves the model the choice."""
    if choice is None or not isinstance(choice.value, dict) or text_in(choice.value, "mode") != "auto":
        return None
    tools = choice.value.get("tools")
    return tools.start + 1 if tools is not None and isinstance(tools.value, list) and tools.value else None


def _continued(members: Mapping[str, Span]) -> Continued | None:
    before = members.get("previous_response_id")
    if before is None or not isinstance(before.value, str) or not before.value:
        return None
    return Continued(before.value, before.start, before.end)
