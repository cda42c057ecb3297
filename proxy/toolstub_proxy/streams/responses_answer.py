"""A Responses answer that came whole: read once and changed by splicing, so what we do not touch stays as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from toolstub_ext.errors import WireError
from toolstub_ext.wire import Edit, splice
from toolstub_ext.wire.spans import Shape, Span, scan

from ..turns import NOTHING, Mine, Turn
from .replacing import replaced, summed
from .responses_items import is_offer, is_ours, turn_of
from .usage import usage_in

_OFFERED: Shape = {"tools": [None]}
_SHAPE: Shape = {"output": [None], "tools": [None], "tool_choice": _OFFERED}


class ResponsesAnswer:
    """One answer. `text` is its body and `root` the members of the response."""

    def __init__(self, text: str, root: dict[str, Span], mine: Mine) -> None:
        self._text = text
        self._root = root
        self._mine = mine
        self._output = root["output"]
        self._usage_at = root.get("usage")
        self.usage = usage_in(json.loads(self._slice(self._usage_at))) if self._usage_at else {}

    def turn(self) -> Turn:
        """What the model did."""
        response = {key: span.value for key, span in self._root.items()}
        return turn_of([(span.value, self._slice(span)) for span in self._output.value], response, self._mine)

    def render(self, text: str, usage: dict[str, Any], parts: str = "",  # noqa: ARG002, the parts say it
               fields: Mapping[str, Any] = NOTHING) -> bytes:  # noqa: ARG002, those are the model's alone
        """The answer for the client: without our calls, with `parts` and `usage` of the earlier rounds."""
        edits = summed(self._usage_at, self.usage, usage)
        theirs = [self._slice(span) for span in self._output.value if not is_ours(span.value, self._mine)]
        if parts or len(theirs) < len(self._output.value):
            edits.append(replaced(self._output, f"[{','.join(filter(None, (parts, *theirs)))}]"))
        edits += self._without_offers()
        return splice(self._text, edits).encode("utf-8", "surrogatepass")

    def _without_offers(self) -> Iterator[Edit]:
        """The edits that take our tools out of those that the answer repeats from its request."""
        choice = self._root.get("tool_choice")
        for members in (self._root, choice.value if choice is not None else None):
            offered = members.get("tools") if isinstance(members, dict) else None
            if offered is not None and isinstance(offered.value, list):
                theirs = [self._slice(tool) for tool in offered.value if not is_offer(tool.value, self._mine)]
                if len(theirs) < len(offered.value):
                    yield replaced(offered, f"[{','.join(theirs)}]")

    def _slice(self, span: Span) -> str:
        return self._text[span.start:span.end]


def read(body: bytes, mine: Mine) -> ResponsesAnswer | None:
    """The answer in `body`, or None if it is none."""
    try:
        text = body.decode("utf-8", "surrogatepass")
        root = scan(text, _SHAPE).value
    except (WireError, UnicodeDecodeError):
        return None
    output = root.get("output") if isinstance(root, dict) else None
    if output is None or not isinstance(output.value, list):
        return None
    return ResponsesAnswer(text, root, mine) if all(isinstance(item.value, dict) for item in output.value) else None
