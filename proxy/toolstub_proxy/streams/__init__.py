"""The answering side of the wire formats: what a client may see of an answer, and what goes back to the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self

from toolstub_ext.wire import wire_for

from ..rounds import Scribe
from ..turns import NOTHING, Mine, Turn
from . import chat, messages, responses

__all__ = ["Answer", "Format", "Stream", "format_for"]


class Stream(Protocol):
    """One streamed answer, filtered as it arrives. `done` says that its last event is in, `has_ids` that events had
    ids."""

    done: bool
    has_ids: bool

    def feed(self, data: bytes) -> bytes:
        """What the client may see now of the answer, with `data` added."""
        ...

    def close(self) -> bytes:
        """What the client may see of the rest, now that the upstream has closed."""
        ...

    def release(self) -> bytes:
        """The end of the answer, which was held back until it was known to be the client's."""
        ...

    def turn(self) -> Turn | None:
        """What the model did, or None if the answer ended before its end."""
        ...

    def successor(self) -> Self:
        """The stream of the next round, which continues this one for the client."""
        ...

    def failed(self, error: bytes) -> bytes:
        """The event that ends the stream with an error, given in this provider's shape, as JSON."""
        ...


class Answer(Protocol):
    """One answer that came whole."""

    usage: dict[str, Any]

    def turn(self) -> Turn:
        """What the model did."""
        ...

    def render(self, text: str, usage: dict[str, Any], parts: str = "", fields: Mapping[str, Any] = NOTHING) -> bytes:
        """The answer for the client, without our calls. Of earlier rounds it holds the `usage`, the `parts`, comma-
        joined JSON, and those of the `fields` that a client needs; where an answer has no parts, it says `text`, which
        is that of all rounds."""
        ...


class Format(Scribe, Protocol):
    """The answering side of a wire format. A module satisfies it.

    `KEEP_ALIVE` is what every client of the format skips in a stream, `KEEP_ALIVE_AMID_IDS` in one whose events have
    ids.
    """

    KEEP_ALIVE: bytes
    KEEP_ALIVE_AMID_IDS: bytes

    def stream(self, mine: Mine) -> Stream:
        """A filter for the first streamed answer."""
        ...

    def answer(self, body: bytes, mine: Mine) -> Answer | None:
        """An answer that came whole, or None if it is not of this format."""
        ...

    def wants_one_text(self, request: str) -> bool:
        """Whether the client asked for a structured text, which only one round can give."""
        ...

    def error(self, message: str, kind: str) -> bytes:
        """An error in this provider's shape, as JSON."""
        ...


_FORMATS: dict[str, Format] = {"chat": chat, "messages": messages, "responses": responses}


def format_for(path: str) -> Format | None:
    """The answering side of the format spoken at a request path, or None if rounds cannot be run in it."""
    spoken = wire_for(path)
    return _FORMATS.get(spoken.name) if spoken is not None else None
