"""The answering side of the wire formats: what a client may see of an answer, and what goes back to the model."""

from __future__ import annotations

from typing import Any, Protocol, Self

from toolstub_ext import wire
from toolstub_ext.wire import wire_for

from ..rounds import Scribe
from ..turns import Mine, Turn
from . import chat

__all__ = ["Answer", "Format", "Stream", "format_for"]


class Stream(Protocol):
    """One streamed answer, filtered as it arrives. `done` says that its last event is in."""

    done: bool

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


class Answer(Protocol):
    """One answer that came whole."""

    usage: dict[str, Any]

    def turn(self) -> Turn:
        """What the model did."""
        ...

    def render(self, text: str, usage: dict[str, Any]) -> bytes:
        """The answer for the client: without our calls, saying `text`, with `usage` of the earlier rounds added."""
        ...


class Format(Scribe, Protocol):
    """The answering side of a wire format. A module satisfies it."""

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


def format_for(path: str) -> Format | None:
    """The answering side of the format spoken at a request path, or None if rounds cannot be run in it."""
    return chat if wire_for(path) is wire.chat else None
