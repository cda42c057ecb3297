"""A Responses answer that came whole: read once and changed by splicing, so what we do not touch stays as it was."""

from __future__ import annotations

import json
from typing import Any

from toolstub_ext.errors import WireError
from toolstub_ext.wire import splice
from toolstub_ext.wire.spans import Shape, Span, scan

from ..turns import Mine, Turn
from .replacing import replaced, summed
from .responses_items import is_ours, turn_of
from .usage import usage_in

_SHAPE: Shape = {"output": [None]}


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

    def render(self, text: str, usage: dict[str, Any], parts: str = "") -> bytes:  # noqa: ARG002, the parts say it
        """The answer for the client: without our calls, with `parts` and `usage` of the earlier rounds."""
        edits = summed(self._usage_at, self.usage, usage)
        theirs = [self._slice(span) for span in self._output.value if not is_ours(span.value, self._mine)]
        if parts or len(theirs) < len(self._output.value):
            edits.append(replaced(self._output, f"[{','.join(filter(None, (parts, *theirs)))}]"))
        return splice(self._text, edits).encode("utf-8", "surrogatepass")

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
