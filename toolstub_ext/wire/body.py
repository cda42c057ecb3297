"""A request's body, decoded only as far as somebody needs it.

    body = Body(data)
    tail = body.behind(end)     -> what follows the place `end`; only that is decoded

A place counts code points, as everything that is said about a body does; where a conversation is known up to a place,
its bytes are known to be the same, and are not decoded again.
"""

from __future__ import annotations

from typing import NamedTuple

from ..errors import WireError


class Place(NamedTuple):
    """A place in a body: how many code points are in front of it, and how many bytes."""

    chars: int
    bytes: int


START = Place(0, 0)


class Tail(NamedTuple):
    """The text of a body from `start` on, and how many bytes that takes, if that is known."""

    text: str
    start: Place
    bytes: int | None = None

    @property
    def end(self) -> int:
        """Where it ends in the body, and the body with it."""
        return self.start.chars + len(self.text)

    def between(self, start: int, end: int) -> str:
        """The code points `start:end` of the body, neither in front of this tail."""
        return self.text[start - self.start.chars:end - self.start.chars]

    def place(self, chars: int) -> Place:
        """The place behind so many code points of the body."""
        text, behind = self.text, chars - self.start.chars
        if text.isascii():
            far = behind
        elif self.bytes is None or behind < len(text) // 2:
            far = size(text[:behind])
        else:
            far = self.bytes - size(text[behind:])
        return Place(chars, self.start.bytes + far)


class Body:
    """Bytes in UTF-8, or the text they are."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes | str) -> None:
        self._data = data

    @property
    def text(self) -> str:
        """All of it; bytes are decoded each time, for a text takes up to four times their memory."""
        return self._data.decode() if isinstance(self._data, bytes) else self._data

    def behind(self, place: Place) -> Tail:
        """What follows a place. Raises WireError where that is not UTF-8."""
        if isinstance(self._data, str):
            return Tail(self._data[place.chars:], place)
        try:
            data = self._data[place.bytes:]
            return Tail(data.decode(), place, len(data))
        except UnicodeDecodeError as error:
            raise WireError(f"not UTF-8: {error}") from error


def size(text: str) -> int:
    """How many bytes a text takes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
