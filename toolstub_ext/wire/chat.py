"""OpenAI's chat completions: what a request body holds.

A tool result is the content of a message of role `tool` (or the older `function`): a string, or the text parts of a
list. Everything else in a message is left alone. A result is paired with a call of its own turn that has its id; it
cannot answer another one, and some providers number the calls of every turn from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..errors import WireError
from ..transcript import Said, Slot, ToolResult, Transcript
from .base import Beginning, Message, Reading
from .spans import Shape, Span, resume, scan

name = "chat"

_MESSAGE: Shape = {"content": [{}]}
_SHAPE: dict[str, Shape] = {
    "messages": [_MESSAGE],
    "tools": [None],
    "tool_choice": {"allowed_tools": {"tools": [None]}},
}
_RESULT_ROLES = ("tool", "function")


class _Call(NamedTuple):
    """One call of an assistant message; what it lacks is empty."""

    call_id: str
    tool: str
    arguments: str


def read(body: str, known: Beginning | None = None) -> Reading:
    """Find everything in one pass over the text, or over what follows `known`. Raises WireError if it is no chat
    request."""
    if known is None:
        members, messages, end = _all(body)
    else:
        messages, end, following = resume(body, len(known.text), _MESSAGE, _SHAPE)
        if "messages" in following:
            return read(body)
        members = {**known.members, **following}
    conversation = _Conversation(known)
    for message in messages:
        conversation.add(message)
    tools_at, tool_names = _tools(members.get("tools"))
    return Reading(
        body=body,
        transcript=Transcript(tuple(conversation.results), said=tuple(conversation.said)),
        messages=tuple(conversation.messages),
        tools_at=tools_at,
        tool_names=tool_names,
        messages_end=end - 1,
        stream=_plain(members, "stream") is True,
        session=_text(members, "prompt_cache_key") or None,
        several=_plain(members, "n") not in (None, 1.0),
        allowed_at=_allowed_at(members.get("tool_choice")),
        beginning=conversation.beginning(body, members),
    )


def _all(body: str) -> tuple[dict[str, Span], list[Span], int]:
    """The members of a body, its messages, and the place just behind them."""
    members = scan(body, _SHAPE).value
    if not isinstance(members, dict):
        raise WireError("a chat request is a JSON object")
    messages = members.get("messages")
    if messages is None or not isinstance(messages.value, list):
        raise WireError("a chat request has an array of messages")
    return members, messages.value, messages.end


class _Conversation:
    """Collects messages and results in order, and knows the calls of the turn, which a result may answer."""

    def __init__(self, known: Beginning | None) -> None:
        self.messages: list[Message] = [*known.messages] if known else []
        self.results: list[ToolResult] = [*known.results] if known else []
        self.said: list[Said] = [*known.said] if known else []
        self._requests = known.requests if known else 0
        self._turns = known.turns if known else 0
        self._calls: dict[str, list[_Call]] = {}
        self._last_turn = self._here()

    def _here(self) -> tuple[int, int, int, int, int]:
        """How much there is so far: messages, results, what the user said, assistant messages, turns."""
        return len(self.messages), len(self.results), len(self.said), self._requests, self._turns

    def add(self, span: Span) -> None:
        """The next message."""
        members = span.value
        if not isinstance(members, dict):
            raise WireError(f"message {len(self.messages)} is not an object")
        role = _text(members, "role")
        calls = _calls(members) if role == "assistant" else ()
        made = members.get("tool_calls")
        message = Message(
            role=role,
            text="".join(text.value for _, text in _texts(members.get("content"))),
            start=span.start,
            end=span.end,
            calls=tuple(call.call_id for call in calls),
            calls_at=made.start + 1 if calls and made else None,
            answers=_text(members, "tool_call_id") or None,
        )
        if role == "assistant":
            self._answer(calls)
        elif role in _RESULT_ROLES:
            self._result(members)
        elif role == "user":
            self.said.append(Said(message.text, len(self.results)))
        self.messages.append(message)

    def beginning(self, body: str, members: dict[str, Span]) -> Beginning | None:
        """What stands before the last turn, if that is not the first."""
        messages, results, said, requests, turns = self._last_turn
        if not turns:
            return None
        first, last = self.messages[0], self.messages[messages - 1]
        return Beginning(
            text=body[:last.end],
            members={name: span for name, span in members.items() if span.start < first.start and name != "messages"},
            messages=tuple(self.messages[:messages]),
            results=tuple(self.results[:results]),
            said=tuple(self.said[:said]),
            requests=requests,
            turns=turns,
        )

    def _answer(self, calls: tuple[_Call, ...]) -> None:
        if not self.messages or self.messages[-1].role != "assistant":
            self._last_turn = self._here()
            self._turns += 1
            self._calls = {}
        self._requests += 1
        made: dict[str, list[_Call]] = {}
        for call in calls:
            made.setdefault(call.call_id, []).append(call)
        self._calls.update(made)

    def _result(self, members: dict[str, Span]) -> None:
        call_id = _text(members, "tool_call_id")
        tool = _text(members, "name")
        call = self._answered(call_id or tool)
        for path, text in _texts(members.get("content")):
            self.results.append(ToolResult(
                slot=Slot(("messages", len(self.messages), "content", *path), text.start, text.end),
                text=text.value,
                tool=call.tool or tool or None,
                call_id=call_id or None,
                arguments=call.arguments,
                turn=max(self._turns - 1, 0),
                requests=self._requests,
            ))

    def _answered(self, call_id: str) -> _Call:
        """The call a result answers; of several with one id, each in its turn."""
        calls = self._calls.get(call_id)
        if not calls:
            return _Call(call_id, "", "")
        return calls.pop(0) if len(calls) > 1 else calls[0]


def _texts(content: Span | None) -> Iterator[tuple[tuple[str | int, ...], Span]]:
    """The texts of a message, each with its path in the content."""
    if content is None:
        return
    if isinstance(content.value, str):
        yield (), content
    elif isinstance(content.value, list):
        for index, part in enumerate(content.value):
            if isinstance(part.value, dict) and _text(part.value, "type") == "text":
                text = part.value.get("text")
                if text is not None and isinstance(text.value, str):
                    yield (index, "text"), text


def _calls(members: dict[str, Span]) -> tuple[_Call, ...]:
    """The calls of an assistant message. An older `function_call` has no id; its name stands for it."""
    made = _plain(members, "tool_calls")
    if isinstance(made, list):
        return tuple(_call(call) for call in made if isinstance(call, dict))
    older = _plain(members, "function_call")
    return (_call({"id": older.get("name"), "function": older}),) if isinstance(older, dict) else ()


def _call(call: dict[str, Any]) -> _Call:
    what = _named(call)
    return _Call(_string(call.get("id")), _string(what.get("name")), _string(what.get("arguments", what.get("input"))))


def _named(item: dict[str, Any]) -> dict[str, Any]:
    """The part of a call or a tool that carries its name: `function` or `custom`."""
    for key in ("function", "custom"):
        if isinstance(what := item.get(key), dict):
            return what
    return item


def _tools(tools: Span | None) -> tuple[int | None, tuple[str, ...]]:
    if tools is None or not isinstance(tools.value, list) or not tools.value:
        return None, ()
    if not all(isinstance(tool.value, dict) for tool in tools.value):
        return None, ()
    return tools.start + 1, tuple(_string(_named(tool.value).get("name")) for tool in tools.value)


def _allowed_at(choice: Span | None) -> int | None:
    """Just after the `[` of a non-empty list of allowed tools that leaves the model the choice."""
    allowed = choice.value.get("allowed_tools") if choice and isinstance(choice.value, dict) else None
    if allowed is None or not isinstance(allowed.value, dict) or _text(allowed.value, "mode") != "auto":
        return None
    tools = allowed.value.get("tools")
    return tools.start + 1 if tools is not None and isinstance(tools.value, list) and tools.value else None


def _plain(members: dict[str, Span], key: str) -> Any:
    member = members.get(key)
    return None if member is None else member.value


def _text(members: dict[str, Span], key: str) -> str:
    return _string(_plain(members, key))


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""
