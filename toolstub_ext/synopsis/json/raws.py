"""The members of a JSON value as they are written, as many as there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

from .tokens import Member


class Raws(Sequence[Member]):
    """Members as msgspec gives them, looked into one at a time: an array may have a million of them.

    `raws` are what msgspec gave; `text` is the array that they are all items of, empty where they are the values of an
    object.
    """

    def __init__(self, raws: list[Any], text: Member = b"") -> None:
        self.raws = raws
        self.text = text

    def __iter__(self) -> Iterator[Member]:
        return map(memoryview, self.raws)

    def __len__(self) -> int:
        return len(self.raws)

    @overload
    def __getitem__(self, place: int) -> Member: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Member]: ...

    def __getitem__(self, place: int | slice) -> Member | Sequence[Member]:
        return Raws(self.raws[place]) if isinstance(place, slice) else memoryview(self.raws[place])

    def sizes(self) -> Iterator[int]:
        """How many bytes each of them takes."""
        return map(len, self.raws)

    def joined(self) -> Member:
        """An array of them."""
        return self.text or b"[" + b",".join(self.raws) + b"]"


def followed(members: Sequence[Member], further: Sequence[Member]) -> Sequence[Member]:
    """The members and further ones: one by one only where they are not as msgspec gives them."""
    if not isinstance(members, Raws):
        return [*members, *further]
    text = members.text
    if text and further:
        text = b"[" + b",".join([*([text[1:-1]] if members else ()), *further]) + b"]"
    return Raws([*members.raws, *further], text)


def joined(members: Sequence[Member]) -> Member:
    """An array of the members."""
    return members.joined() if isinstance(members, Raws) else b"[" + b",".join(members) + b"]"
