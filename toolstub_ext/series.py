"""A sequence that grows at its end without being copied: what it grew from stays as it was.

    longer = series + [one, more]

A conversation that is sent again has all it had before and a little more, and each of its requests wants all of that
for itself. A tuple of it would be copied with every request, which touches everything that is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any, TypeVar, overload

T = TypeVar("T")


Move = Callable[[T, int], T]
"""Makes of an item what it is at another place. To move twice is to move by the sum."""


class _Moved(Sequence[T]):
    """Items at another place, each made when it is asked for."""

    __slots__ = ("_by", "_items", "_move")

    def __init__(self, items: Sequence[T], move: Move[T], by: int) -> None:
        self._items, self._move, self._by = items, move, by

    def moved(self, move: Move[T], by: int) -> _Moved[T]:
        """Moved once more."""
        return _Moved(self._items, move, self._by + by)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return map(self._move, self._items, repeat(self._by))

    def __reversed__(self) -> Iterator[T]:
        return map(self._move, reversed(self._items), repeat(self._by))

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...

    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        if isinstance(at, slice):
            return _Moved(self._items[at], self._move, self._by)
        return self._move(self._items[at], self._by)


class Series(Sequence[T]):
    """Immutable. It equals every series and tuple of the same items."""

    __slots__ = ("_length", "_parts")

    def __init__(self, items: Iterable[T] = ()) -> None:
        only = tuple(items)
        self._parts: tuple[Sequence[T], ...] = (only,) if only else ()
        self._length = len(only)

    @classmethod
    def of(cls, items: Sequence[T]) -> Series[T]:
        """The same items; a series is not copied."""
        return items if isinstance(items, cls) else cls(items)

    @staticmethod
    def _of(parts: tuple[Sequence[T], ...], length: int) -> Series[T]:
        made: Series[T] = Series.__new__(Series)
        made._parts, made._length = parts, length
        return made

    def __add__(self, more: Iterable[T]) -> Series[T]:
        """These items and some more. Each part is longer than the one behind it, so there are few."""
        last = tuple(more)
        if not last:
            return self
        parts, length = self._parts, self._length + len(last)
        kept = len(parts)
        while kept and len(parts[kept - 1]) <= len(last):
            kept -= 1
            last = (*parts[kept], *last)
        return self._of((*parts[:kept], last), length)

    def upto(self, count: int) -> Series[T]:
        """The first so many items."""
        too_many = self._length - count
        if too_many <= 0:
            return self
        parts = self._parts
        while parts and len(parts[-1]) <= too_many:
            too_many -= len(parts[-1])
            parts = parts[:-1]
        if too_many:
            parts = (*parts[:-1], parts[-1][:-too_many])
        return self._of(parts, count)

    def behind(self, count: int) -> Series[T]:
        """All but the first so many items."""
        parts, too_many = self._parts, count
        while parts and len(parts[0]) <= too_many:
            too_many -= len(parts[0])
            parts = parts[1:]
        if parts and too_many:
            parts = (parts[0][too_many:], *parts[1:])
        return self._of(parts, max(0, self._length - count))

    def followed_by(self, other: Series[T]) -> Series[T]:
        """The same as a sum, for an `other` that is long and should be left alone."""
        return self._of((*self._parts, *other._parts), self._length + other._length)

    def moved(self, move: Move[T], by: int) -> Series[T]:
        """All items as they are at another place; each is made when it is asked for, and not before."""
        return self._of(tuple(part.moved(move, by) if isinstance(part, _Moved) else _Moved(part, move, by)
                              for part in self._parts), self._length)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self._parts)

    def __reversed__(self) -> Iterator[T]:
        return chain.from_iterable(map(reversed, reversed(self._parts)))

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...

    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        if isinstance(at, slice):
            start, stop, step = at.indices(self._length)
            return self._between(start, stop) if step == 1 else tuple(self)[at]
        from_end = -at if at < 0 else self._length - at
        if not 0 < from_end <= self._length:
            raise IndexError(at)
        for part in reversed(self._parts):  # what is asked for mostly stands at the end
            if from_end <= len(part):
                break
            from_end -= len(part)
        return part[-from_end]

    def _between(self, start: int, stop: int) -> tuple[T, ...]:
        found: tuple[T, ...] = ()
        end = self._length
        if start >= stop:
            return found
        for part in reversed(self._parts):
            before = end - len(part)
            if before <= start:
                return (*part[start - before:stop - before], *found)
            if before < stop:
                found = (*part[:stop - before], *found)
            end = before
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Series, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a is b or a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Series({tuple(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Series, (tuple(self),)
