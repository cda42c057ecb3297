"""A chat completion that came whole: read once and changed by splicing, so what we do not touch stays as it was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toolstub_ext.errors import WireError
from toolstub_ext.wire import Edit, splice
from toolstub_ext.wire.spans import Shape, Span, scan

from ..turns import NOTHING, Call, Mine, Turn, arguments_in, repeated
from .chat_thoughts import LISTS, TEXTS
from .replacing import replaced, summed
from .usage import usage_in

_SHAPE: Shape = {"choices": [{"message": {"tool_calls": [None]}}]}
FAILED = "error"
"""The reason to end that some providers give for an error, and that stands for any."""
CUT_OFF = ("length", "content_filter", FAILED)
"""Why an answer may end before its calls are whole."""
_ECHOED = (*TEXTS, *LISTS)
_OLDER = "function_call"


class ChatAnswer:
    """One answer. `text` is its body, `root` and `choice` the members of those objects; `calls` are its tool calls."""

    def __init__(self, text: str, root: dict[str, Span], choice: dict[str, Span], mine: Mine) -> None:
        self._text = text
        self._choice = choice
        self._message: dict[str, Span] = choice["message"].value
        calls = self._message.get("tool_calls")
        self.calls: list[Span] = calls.value if calls is not None and isinstance(calls.value, list) else []
        self._ours = [span for span in self.calls if mine(_name(span))]
        self._usage_at = root.get("usage")
        self.usage = usage_in(self._json(self._usage_at)) if self._usage_at is not None else {}

    def turn(self) -> Turn:
        """What the model did."""
        return Turn(
            text=said_in(self._plain("content")),
            ours=tuple(self._call(n, span) for n, span in enumerate(self._ours)),
            theirs=(*(_id(span) for span in self.calls if span not in self._ours), *older_calls(self._plain(_OLDER))),
            fields={field: self._json(self._message[field]) for field in _ECHOED if self._plain(field)},
            whole=self._finish() not in CUT_OFF,
            ours_last=bool(self._ours) and self._ours[-1] is self.calls[-1],
        )

    def render(self, text: str, usage: dict[str, Any],
               parts: str = "", fields: Mapping[str, Any] = NOTHING) -> bytes:  # noqa: ARG002, a chat message has neither
        """The answer for the client: without our calls, saying `text`, with `usage` of the earlier rounds added."""
        edits = summed(self._usage_at, self.usage, usage)
        edits += self._saying(text)
        if self._ours:
            edits += self._without_ours()
        return splice(self._text, edits).encode("utf-8", "surrogatepass")

    def _saying(self, text: str) -> list[Edit]:
        """The edit by which it says `text`: that of earlier rounds, too, of which parts keep theirs apart."""
        at = self._message.get("content")
        own = said_in(at.value) if at is not None else ""
        if at is None or text == own:
            return []
        if not isinstance(at.value, list):
            return [replaced(at, json.dumps(text))]
        before = json.dumps({"type": "text", "text": text.removesuffix(own)})
        return [Edit(at.start + 1, at.start + 1, f"{before}," if at.value else before)]

    def _without_ours(self) -> list[Edit]:
        theirs = [self._text[s.start:s.end] for s in self.calls if s not in self._ours]
        edits = [replaced(self._message["tool_calls"], f"[{','.join(theirs)}]" if theirs else "null")]
        if not theirs and self._finish() == "tool_calls":
            edits.append(replaced(self._choice["finish_reason"], '"stop"'))
        return edits

    def _call(self, number: int, span: Span) -> Call:
        """The call in its bytes or, where its server leaves out or writes otherwise what APIs ask for, as they do."""
        written = self._text[span.start:span.end]
        call = json.loads(written)
        call_id, arguments = _id(span) or f"call_{number}", arguments_in(call["function"].get("arguments"))
        function = {**call["function"], "arguments": repeated(arguments)}
        due = {**call, "id": call_id, "type": "function", "function": function}
        return Call(call_id, _name(span), arguments, written if due == call else json.dumps(due))

    def _plain(self, key: str) -> Any:
        span = self._message.get(key)
        return span.value if span is not None else None

    def _finish(self) -> Any:
        span = self._choice.get("finish_reason")
        return span.value if span is not None else None

    def _json(self, span: Span) -> Any:
        return json.loads(self._text[span.start:span.end])


def read(body: bytes, mine: Mine) -> ChatAnswer | None:
    """The answer in `body`, or None if it is no chat completion.

    Of several choices, into which some providers divide one answer, it is the one with calls, or the first.
    """
    try:
        text = body.decode("utf-8", "surrogatepass")
        root = scan(text, _SHAPE).value
    except (WireError, UnicodeDecodeError):
        return None
    choices = root.get("choices") if isinstance(root, dict) else None
    if choices is None or not isinstance(choices.value, list):
        return None
    answers = [ChatAnswer(text, root, choice.value, mine) for choice in choices.value if _has_message(choice.value)]
    return next((answer for answer in answers if answer.calls), answers[0] if answers else None)


def _has_message(choice: Any) -> bool:
    message = choice.get("message") if isinstance(choice, dict) else None
    return message is not None and isinstance(message.value, dict)


def older_calls(call: Any) -> tuple[str, ...]:
    """The call in a message of the time before `tool_calls`, if it is one; without an id, its name stands for it."""
    return (str(call["name"]),) if isinstance(call, dict) and call.get("name") else ()


def said_in(content: Any) -> str:
    """What a message says: a text, or the texts among its parts."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    texts = (part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _function(span: Span) -> dict[str, Any]:
    call = span.value
    function = call.get("function") if isinstance(call, dict) else None
    return function if isinstance(function, dict) else {}


def _name(span: Span) -> str:
    return str(_function(span).get("name") or "")


def _id(span: Span) -> str:
    return str(span.value.get("id") or "") if isinstance(span.value, dict) else ""
