"""A message that came whole: read once and changed by splicing, so what we do not touch stays as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import dropwhile
from typing import Any

from toolstub_ext.errors import WireError
from toolstub_ext.wire import Edit, splice
from toolstub_ext.wire.messages import identity
from toolstub_ext.wire.spans import Shape, Span, scan

from ..turns import NOTHING, Mine, Part, Turn
from .messages_blocks import CONTAINER, THOUGHTS, turn_of
from .replacing import replaced, summed
from .usage import usage_in

_SHAPE: Shape = {"content": [{}]}


class MessagesAnswer:
    """One answer. `text` is its body and `root` the members of the message."""

    def __init__(self, text: str, root: dict[str, Span], mine: Mine) -> None:
        self._text = text
        self._content = root["content"]
        self._blocks: list[Span] = self._content.value
        self._ours = [span for span in self._blocks if _type(span) == "tool_use" and mine(_member(span, "name"))]
        self._stop_at = root.get("stop_reason")
        self._container_at = root.get(CONTAINER)
        self._usage_at = root.get("usage")
        self.usage = usage_in(json.loads(self._slice(self._usage_at))) if self._usage_at else {}

    def turn(self) -> Turn:
        """What the model did."""
        container = json.loads(self._slice(self._container_at)) if self._container_at is not None else None
        return turn_of([self._part(span) for span in self._blocks], self._stop(), container)

    def render(self, text: str, usage: dict[str, Any], parts: str = "",  # noqa: ARG002, the parts say it
               fields: Mapping[str, Any] = NOTHING) -> bytes:
        """The answer for the client: without our calls, with `parts` and `usage` of the earlier rounds, and with the
        container that one of them was run in."""
        edits = [*summed(self._usage_at, self.usage, usage), *self._contained(fields.get(CONTAINER))]
        if usage or parts or self._ours:
            later = bool(usage or parts)
            seen = dropwhile(lambda span: later and _type(span) in THOUGHTS, self._blocks)
            theirs = [self._slice(span) for span in seen if span not in self._ours]
            edits.append(replaced(self._content, f"[{','.join(filter(None, (parts, *theirs)))}]"))
            calls = [span for span in self._blocks if _type(span) == "tool_use"]
            if self._stop_at is not None and self._stop() == "tool_use" and calls == self._ours:
                edits.append(replaced(self._stop_at, '"end_turn"'))
        return splice(self._text, edits).encode("utf-8", "surrogatepass")

    def _contained(self, container: Any) -> Iterator[Edit]:
        if container is None or (self._container_at is not None and self._container_at.value is not None):
            return
        if self._container_at is not None:
            yield replaced(self._container_at, json.dumps(container))
        else:
            yield Edit(self._content.end, self._content.end, f',"{CONTAINER}":{json.dumps(container)}')

    def _part(self, span: Span) -> tuple[Part, dict[str, Any], str]:
        block = {key: member.value for key, member in span.value.items()}
        given = span.value.get("input")
        part = Part(self._slice(span), identity(block), span in self._ours)
        return part, block, self._slice(given) if given is not None else ""

    def _stop(self) -> str | None:
        return str(self._stop_at.value) if self._stop_at is not None else None

    def _slice(self, span: Span) -> str:
        return self._text[span.start:span.end]


def read(body: bytes, mine: Mine) -> MessagesAnswer | None:
    """The answer in `body`, or None if it is no message."""
    try:
        text = body.decode("utf-8", "surrogatepass")
        root = scan(text, _SHAPE).value
    except (WireError, UnicodeDecodeError):
        return None
    content = root.get("content") if isinstance(root, dict) else None
    if content is None or not isinstance(content.value, list):
        return None
    return MessagesAnswer(text, root, mine) if all(isinstance(b.value, dict) for b in content.value) else None


def _type(span: Span) -> str:
    return _member(span, "type")


def _member(span: Span, key: str) -> str:
    member = span.value.get(key)
    return member.value if member is not None and isinstance(member.value, str) else ""
