"""Bytes that grow at their end, and are compared with what others begin with; neither costs a copy of all of them."""

from __future__ import annotations

from dataclasses import dataclass

_LARGE = 1024 * 1024
_PART = 16
"""A piece of so many bytes, if that is such a part of all, is joined with no other: so growing costs little beside a
comparison of all, which takes the longer the more pieces there are."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """One after another they are the bytes. A first one may be a view of something longer, which it keeps alive."""

    parts: tuple[bytes | memoryview, ...] = ()

    @property
    def size(self) -> int:
        """How many bytes they are."""
        return sum(map(len, self.parts))

    @property
    def held(self) -> int:
        """How many bytes they keep alive."""
        first = self.parts[0] if self.parts else b""
        return self.size + (memoryview(first.obj).nbytes - len(first) if isinstance(first, memoryview) else 0)

    def begin(self, data: bytes) -> bool:
        """Whether `data` begins with these bytes."""
        at = 0
        for part in self.parts:
            if not data.startswith(part, at):
                return False
            at += len(part)
        return True

    def grown(self, more: bytes) -> Pieces:
        """These bytes and some more. Of small pieces each is longer than the one behind it, so there are few."""
        if not more:
            return self
        parts = [*self.parts]
        while parts and len(parts[-1]) <= len(more) and (len(more) < _LARGE or len(more) < self.size // _PART):
            more = b"".join((parts.pop(), more))
        return Pieces((*parts, more))

    def further(self, whole: bytes, at: int, end: int) -> Pieces:
        """The first bytes of `whole`, up to `end`; up to `at` they are these. While they are few, a view of them."""
        if end < _LARGE or not self.parts:
            return Pieces((memoryview(whole)[:end],))
        return self.grown(whole[at:end])

    def joined(self) -> memoryview:
        """All of them in one; without a copy, if they are."""
        return memoryview(self.parts[0] if len(self.parts) == 1 else b"".join(self.parts))

    def __reduce__(self) -> tuple[object, ...]:
        """For who hands them to another process: a view cannot go there."""
        return Pieces, (tuple(map(bytes, self.parts)),)
