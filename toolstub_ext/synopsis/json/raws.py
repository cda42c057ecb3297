"""The members of a JSON value as they are written, as many as there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

from .tokens import Member


class Raws(Sequence[Member]):
    """Members as msgspec gives them, looked into one at a time: an array may have a million of them.

    `text` is the array that they are all items of; empty where they are the values of an object.
    """

    def __init__(self, raws: list[Any], text: Member = b"") -> None:
        self._raws = raws
        self.text = text

    def __iter__(self) -> Iterator[Member]:
        return map(memoryview, self._raws)

    def __len__(self) -> int:
        return len(self._raws)

    @overload
    def __getitem__(self, place: int) -> Member: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Member]: ...

    def __getitem__(self, place: int | slice) -> Member | Sequence[Member]:
        return Raws(self._raws[place]) if isinstance(place, slice) else memoryview(self._raws[place])

    def sizes(self) -> Iterator[int]:
        """How many bytes each of them takes."""
        return map(len, self._raws)

    def joined(self) -> Member:
        """An array of them."""
        return self.text or b"[" + b",".join(self._raws) + b"]"


def joined(members: Sequence[Member]) -> Member:
    """An array of the members."""
    return members.joined() if isinstance(members, Raws) else b"[" + b",".join(members) + b"]"
