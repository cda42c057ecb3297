"""A message on its way from the kernel to the front-end, and how much of it a reader sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

DRAWS = ("<script", "<svg", "<img", "<iframe", "<canvas", "<video", "<audio", "<object", "<embed")


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """One message of the Jupyter protocol: `parent` is the header of the request that caused it.

    `source` is whatever the sender needs to send it the way it was meant to go; a message of ours has none.
    """

    type: str
    content: Mapping[str, Any]
    parent: Mapping[str, Any]
    source: Any = None

    @property
    def cell(self) -> str:
        """The id of the request: one execution of one cell."""
        return str(self.parent.get("msg_id", ""))

    def with_content(self, **changes: Any) -> Message:
        """The same message, saying something else."""
        return replace(self, content={**self.content, **changes})


def display(data: Mapping[str, str], metadata: Mapping[str, Any], parent: Mapping[str, Any],
            display_id: str | None = None, *, update: bool = False) -> Message:
    """A display of our own; with a `display_id` it can be updated later."""
    transient = {} if display_id is None else {"display_id": display_id}
    content = {"data": dict(data), "metadata": dict(metadata), "transient": transient}
    return Message("update_display_data" if update else "display_data", content, parent)


def stream(name: str, text: str, parent: Mapping[str, Any]) -> Message:
    """Plain text of our own on stdout or stderr."""
    return Message("stream", {"name": name, "text": text}, parent)


def texts(data: Mapping[str, Any]) -> dict[str, str]:
    """The parts of a mime bundle that may be replaced by a stub: text and JSON, but nothing that draws a picture."""
    return {mime: _text(value) for mime, value in data.items() if _is_text(mime) and not _draws(mime, value)}


def is_view(data: Mapping[str, Any]) -> bool:
    """Whether the bundle is a live view (a widget, a plot) that only its own front-end code understands."""
    return any(mime.startswith("application/vnd.") or mime == "application/javascript" for mime in data)


def _is_text(mime: str) -> bool:
    return mime.startswith("text/") or mime == "application/json"


def _draws(mime: str, value: object) -> bool:
    return mime == "text/html" and isinstance(value, str) and any(tag in value.lower() for tag in DRAWS)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    from json import dumps

    return dumps(value, ensure_ascii=False, indent=1)


class Screen:
    """Counts the characters a reader sees of a stream: what a carriage return overwrites is not counted again."""

    def __init__(self) -> None:
        self._above = 0
        self._line = 0

    @property
    def chars(self) -> int:
        """Characters on the screen so far."""
        return self._above + self._line

    def after(self, text: str) -> int:
        """What `chars` would be after `text`."""
        above, line = self._advance(text)
        return above + line

    def write(self, text: str) -> None:
        """Count `text`."""
        self._above, self._line = self._advance(text)

    def _advance(self, text: str) -> tuple[int, int]:
        above, line = self._above, self._line
        if "\r" not in text:
            end = text.rfind("\n")
            return (above, line + len(text)) if end < 0 else (above + line + end + 1, len(text) - end - 1)
        *full, rest = text.split("\n")
        for piece in full:
            above, line = above + _widest(line, piece) + 1, 0
        return above, _widest(line, rest)


def _widest(line: int, piece: str) -> int:
    first, *over = piece.split("\r")
    return max(line + len(first), *map(len, over)) if over else line + len(first)
