"""Splits a JSON text into the members of its outermost value, without building a tree of the whole.

One grammar whatever the input: RFC 8259, and NaN and Infinity, which are flagged. What msgspec accepts is split by it;
what it refuses (a text cut short, NaN, a lone surrogate, deep nesting) by a bounded scanner of our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from ..model import HEAD_CHARS
from .tokens import BLANK, Member, Scanner, decoders, nests_deeply, tokens, value_of

_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")
_DEEP_BYTES = 1024
_LARGE = 256 * 1024


@dataclass(frozen=True, slots=True)
class Document:
    """The outermost value: its members as bytes of the text, the keys of an object, and where it begins and ends.

    `complete` is false where the text ends, or stops being JSON, inside the value; `whole` is false where there are
    further members than those that were read; `flags` say what is unusual; `cut_key` is the key of an object whose
    value is not there to its end.
    """

    keys: tuple[str, ...] | None
    members: Sequence[Member]
    start: int
    end: int
    complete: bool
    flags: tuple[str, ...] = ()
    whole: bool = True
    cut_key: str = ""
    _opened: dict[int, Document | None] = field(default_factory=dict)

    @property
    def is_object(self) -> bool:
        """Whether it is an object; otherwise an array."""
        return self.keys is not None

    def inside(self, place: int) -> Document | None:
        """The members of a member, which is taken apart once; None for a scalar."""
        if place not in self._opened:
            self._opened[place] = split(self.members[place])
        return self._opened[place]

    @property
    def largest(self) -> int:
        """The place of the longest of its members, of which there is one."""
        lengths = list(map(len, self.members))
        return lengths.index(max(lengths))


class _Raws(Sequence[Member]):
    """Members as msgspec gives them, looked into one at a time: an array may have a million of them."""

    def __init__(self, raws: list[Any]) -> None:
        self._raws = raws

    def __iter__(self) -> Iterator[Member]:
        return map(memoryview, self._raws)

    def __len__(self) -> int:
        return len(self._raws)

    @overload
    def __getitem__(self, place: int) -> Member: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Member]: ...

    def __getitem__(self, place: int | slice) -> Member | Sequence[Member]:
        return _Raws(self._raws[place]) if isinstance(place, slice) else memoryview(self._raws[place])


def parse(data: bytes) -> Document:
    """The outermost object or array at the beginning of `data`. Raises ValueError if there is none."""
    start = len(data) - len(data.lstrip(BLANK))
    opener = data[start : start + 1]
    if opener not in (b"{", b"["):
        raise ValueError("neither an object nor an array")
    if nests_deeply(data[:HEAD_CHARS]):
        return _scanned(data, start, ("deeply nested",), _DEEP_BYTES)
    try:
        return _split(data, start, len(data), opener)
    except ValueError as error:
        trailing = _TRAILING.search(str(error))
        if not trailing:
            return _scanned(data, start)
        return _split(data, start, int(trailing[1]) - 1, opener)
    except RecursionError:
        return _scanned(data, start, ("deeply nested",), _DEEP_BYTES)


def _split(data: bytes, start: int, end: int, opener: bytes) -> Document:
    as_object, as_array, _ = decoders()
    while data[end - 1 : end] in (b" ", b"\t", b"\r", b"\n"):
        end -= 1
    text = data if start == 0 and end == len(data) else memoryview(data)[start:end]
    if opener == b"{":
        around = _split_around(data, start, end) if end - start > _LARGE else None
        if around:
            return around
        pairs = as_object(text)
        return Document(tuple(pairs), _Raws(list(pairs.values())), start, end, True)
    return Document(None, _Raws(as_array(text)), start, end, True)


def _split_around(data: bytes, start: int, end: int) -> Document | None:
    """An object that is mostly one array, split in one pass, not one for the object and another for the array.

    The array is taken to reach to the last bracket of the text. None if it does not, or if there is no such array.
    """
    state = Scanner(data[: start + _DEEP_BYTES], start)
    if any(map(state.take, tokens(data[: start + _DEEP_BYTES], start))) or state.key is None or state.since < 0:
        return None
    close = data.rfind(b"]", state.since, end) + 1
    if data[state.since : state.since + 1] != b"[" or close - state.since < _LARGE:
        return None
    as_object, as_array, _ = decoders()
    behind = data[close:end].strip(BLANK)
    try:
        items = as_array(memoryview(data)[state.since : close])
        rest = as_object(b"{" + behind[1:]) if behind[:1] == b"," else {}
    except (ValueError, RecursionError):
        return None
    keys = (*state.keys, value_of(state.key), *rest)
    if (not rest and behind != b"}") or len(set(keys)) < len(keys):
        return None
    large = memoryview(data)[state.since : close]
    place = len(state.keys)
    opened: dict[int, Document | None] = {place: Document(None, _Raws(items), 0, len(large), True)}
    members: list[Member] = [*state.members, large, *_Raws(list(rest.values()))]
    return Document(keys, members, start, end, True, _opened=opened)


def is_whole(line: bytes) -> bool:
    """Whether a line is one complete value and nothing else."""
    line = line.strip()
    as_object, as_array, as_value = decoders()
    try:
        {b"{": as_object, b"[": as_array}.get(line[:1], as_value)(line)
    except (ValueError, RecursionError):
        return _is_whole_otherwise(line)
    return True


def _is_whole_otherwise(line: bytes) -> bool:
    """The same for lines that hold NaN or nest deeply."""
    try:
        value = parse(line)
    except ValueError:
        return False
    return value.complete and value.end == len(line)


def split(raw: Member) -> Document | None:
    """The members of a value inside a document; None for a scalar."""
    opener = bytes(raw[:1])
    if opener not in (b"{", b"["):
        return None
    try:
        as_object, as_array, _ = decoders()
        if opener == b"{":
            pairs = as_object(raw)
            return Document(tuple(pairs), _Raws(list(pairs.values())), 0, len(raw), True)
        return Document(None, _Raws(as_array(raw)), 0, len(raw), True)
    except (ValueError, RecursionError):
        return _scanned(bytes(raw[:HEAD_CHARS]), 0)


def _scanned(data: bytes, start: int, flags: tuple[str, ...] = (), size: int = HEAD_CHARS) -> Document:
    """The members in the first 128 KiB, or `size` bytes, by a scanner that does not recurse."""
    head = data[: start + size]
    state = Scanner(head, start)
    for token in tokens(head, start):
        if state.take(token):
            break
    if not state.members and not state.closed and not state.cut(data):
        raise ValueError(f"not valid JSON from byte {state.at} on")
    if not state.closed and not state.cut(data):
        if len(state.members) < 2 or state.at < 200:
            raise ValueError(f"not valid JSON from byte {state.at} on")
        flags = (*flags, f"not valid from byte {state.at} on")
    if state.odd:
        flags = (*flags, "holds NaN or Infinity")
    keys = tuple(state.keys) if head[start : start + 1] == b"{" else None
    cut_key = str(value_of(state.key)) if state.key and state.since >= 0 and not state.closed else ""
    complete = state.closed or (len(data) > len(head) and _balanced(data))
    return Document(
        keys,
        state.members,
        start,
        state.at if state.closed else len(data),
        complete,
        flags,
        whole=state.closed,
        cut_key=cut_key,
    )


def _balanced(data: bytes) -> bool:
    """Whether a text that was not read to its end closes as many brackets as it opens, the last thing it does."""
    return (
        data[-100:].rstrip(BLANK)[-1:] in (b"]", b"}")
        and data.count(b"[") == data.count(b"]")
        and data.count(b"{") == data.count(b"}")
    )
