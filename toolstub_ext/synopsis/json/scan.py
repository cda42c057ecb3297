"""Splits a JSON text into the members of its outermost value, without building a tree of the whole.

One grammar whatever the input: RFC 8259, and NaN and Infinity, which are flagged. What msgspec accepts is split by it;
what it refuses (NaN, a lone surrogate, deep nesting, the end of a text cut short) by a bounded scanner of our own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..model import HEAD_CHARS
from .raws import Raws, followed
from .tokens import BLANK, TO_CLOSER, Member, Scanner, decoders, nests_deeply, open_brackets, tokens, value_of

OpenBrackets = tuple[list[int], int]
"""Where the brackets stand that are open at the end of a text, and where the last one that was closed ends."""
_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")
_LEADING = re.compile(rb"[ \t\r\n]*+")
_DEEP_BYTES = 1024
_LARGE = 2048
_AROUND = 1024
"""What is looked at of both ends of a large object for the array that it mostly is."""


@dataclass(slots=True)
class Document:
    """The outermost value: its members as bytes of the text, the keys of an object, and where it begins and ends.

    `complete` is false where the text ends, or stops being JSON, inside the value; `whole` is false where there are
    further members than those that were read; `flags` say what is unusual; `cut_key` is the key of an object whose
    value is not there to its end, `cut` what there is of that value, or of such an item, and `cut_open` which brackets
    are open in it, where that is known.
    """

    keys: tuple[str, ...] | None
    members: Sequence[Member]
    start: int
    end: int
    complete: bool
    flags: tuple[str, ...] = ()
    whole: bool = True
    cut_key: str = ""
    cut: Member = b""
    cut_open: OpenBrackets | None = None
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
    def cut_inside(self) -> Document | None:
        """What there is of the members of a value that is not there to its end; None if that is no part of one."""
        place = len(self.members)
        if place not in self._opened:
            self._opened[place] = _begun(self.cut, self.cut_open)
        return self._opened[place]

    def into_largest(self) -> tuple[str, Member, Document | None]:
        """Key or `[place]` of the longest member, which may be the one that is not there to its end, and what it is."""
        place = self.largest if self.members else -1
        raw = self.members[place] if self.members else b""
        if len(self.cut) > len(raw):
            return (self.cut_key if self.is_object else f"[{len(self.members)}]"), self.cut, self.cut_inside
        if place < 0:
            return "", b"", None
        return (self.keys[place] if self.keys else f"[{place}]"), raw, self.inside(place)

    @property
    def largest(self) -> int:
        """The place of the longest of its members, of which there is one."""
        lengths = list(map(len, self.members))
        return lengths.index(max(lengths))


def parse(data: Member) -> Document:
    """The outermost object or array at the beginning of `data`. Raises ValueError if there is none."""
    blanks = _LEADING.match(data)
    start = blanks.end() if blanks else 0
    opener = bytes(data[start : start + 1])
    if opener not in (b"{", b"["):
        raise ValueError("neither an object nor an array")
    if nests_deeply(bytes(data[:HEAD_CHARS])):
        return _scanned(bytes(data), start, ("deeply nested",), _DEEP_BYTES)
    try:
        return _split(data, start, len(data))
    except ValueError as error:
        trailing = _TRAILING.search(str(error))
        if not trailing:
            return _cut_short(data, start) or _scanned(bytes(data), start)
        return _split(data, start, int(trailing[1]) - 1)
    except RecursionError:
        return _scanned(bytes(data), start, ("deeply nested",), _DEEP_BYTES)


def _split(data: Member, start: int, end: int) -> Document:
    while data[end - 1] in BLANK:
        end -= 1
    text = data if start == 0 and end == len(data) else memoryview(data)[start:end]
    return (_split_around(text, start) if len(text) > _LARGE else None) or _split_whole(text, start)


def _split_whole(text: Member, start: int = 0) -> Document:
    """The members of a value that begins at `start` and has nothing behind it."""
    as_object, as_array, _ = decoders()
    end = start + len(text)
    if text[:1] == b"{":
        pairs = as_object(text)
        return Document(tuple(pairs), Raws(list(pairs.values())), start, end, True)
    return Document(None, Raws(as_array(text), text), start, end, True)


def _split_around(text: Member, start: int) -> Document | None:
    """An object that is mostly one array, split in one pass, not one for the object and another for the array.

    The array is taken to reach to the last bracket of the text. None if it does not, or if there is no such array.
    """
    as_object, as_array, _ = decoders()
    head, tail = bytes(text[:_AROUND]), bytes(text[-_AROUND:])
    end = len(text) - len(tail) + tail.rfind(b"]") + 1
    behind = bytes(text[end:]).strip(BLANK)
    at = head.find(b"[")
    while at >= 0 and (before := _members_before(head[:at])):
        large = memoryview(text)[at:end]
        try:
            items = as_array(large)
            rest = as_object(b"{" + behind[1:]) if behind[:1] == b"," else {}
        except (ValueError, RecursionError):
            at = head.find(b"[", at + 1)  # that was a small one in front
            continue
        keys = (*before, *rest)
        if (not rest and behind != b"}") or len(set(keys)) < len(keys):
            return None
        members = [*Raws([*before.values()][:-1]), large, *Raws([*rest.values()])]
        array = Document(None, Raws(items, large), 0, len(large), True)
        return Document(keys, members, start, start + len(text), True, _opened={len(before) - 1: array})
    return None


def _members_before(opening: bytes) -> dict[str, Any] | None:
    """The members of an object in front of a value, with its key as the last; None if it is none of the first level."""
    try:
        members: dict[str, Any] = decoders()[0](opening + b"0}")
    except ValueError:
        return None
    key = b'"' + next(reversed(members), "").encode() + b'"'
    named = opening.rstrip(BLANK + b":")
    return members if named.endswith(key) and not named.endswith(b"\\" + key) else None


def split(raw: Member) -> Document | None:
    """The members of a value inside a document; None for a scalar."""
    if bytes(raw[:1]) not in (b"{", b"["):
        return None
    try:
        return _split_whole(raw)
    except (ValueError, RecursionError):
        return _scanned(bytes(raw[:HEAD_CHARS]), 0)


def _begun(raw: Member, opened: OpenBrackets | None) -> Document | None:
    """The members of a value that is cut off, as far as they are there; None if there are none."""
    if bytes(raw[:1]) not in (b"{", b"["):
        return None
    try:
        return _cut_short(raw, 0, opened) or _scanned(bytes(raw), 0)
    except ValueError:
        return None


def _cut_short(data: Member, start: int, known: OpenBrackets | None = None) -> Document | None:
    """A value that the text ends in, most of it split by msgspec: what stands before the last bracket of it, or before
    a comma behind that, is JSON once it is closed.

    None where the text does not end so, or is no JSON, and where it may hold what is flagged.
    """
    head = bytes(data[: start + HEAD_CHARS])
    opened, closed = known or open_brackets(head, start)
    if not opened or b"NaN" in head or b"Infinity" in head:
        return None
    innermost = max(closed, opened[-1] + 1)
    for end in (head.rfind(b",", innermost), innermost):
        try:
            document = _cut_behind(head, start, (opened, closed), end) if end > 0 else None
        except (ValueError, RecursionError):  # that comma was one of a string, or all of it is no JSON
            continue
        if document:
            document.end = len(data)
            document.complete = len(data) > len(head) and _balanced(bytes(data))
            return document
    return None


def _cut_behind(head: bytes, start: int, brackets: OpenBrackets, end: int) -> Document:
    """A value of which what stands before `end` is split by msgspec. Raises ValueError where that refuses it."""
    opened, closed = brackets
    closers = bytes(head[at] + TO_CLOSER for at in reversed(opened))
    first = _split_whole(head[start:end] + closers)
    rest = _behind(head, opened[-1], end)
    if rest.flags:
        raise ValueError(rest.flags[0])
    if len(opened) == 1:
        keys = None if first.keys is None or rest.keys is None else (*first.keys, *rest.keys)
        return Document(keys, followed(first.members, rest.members), start, len(head), False, whole=False,
                        cut_key=rest.cut_key, cut=rest.cut)
    first = _split_whole(head[start : opened[1]] + b"0" + closers[-1:])
    keys = first.keys[:-1] if first.keys is not None else None
    inner = opened[1]
    return Document(keys, first.members[:-1], start, len(head), False, whole=False,
                    cut_key=first.keys[-1] if first.keys else "", cut=head[inner:],
                    cut_open=([at - inner for at in opened[1:]], closed - inner))


def _behind(head: bytes, opened: int, end: int) -> Document:
    """What stands behind a member of the value that is open, or behind its bracket, as members of such a value."""
    if end == opened + 1:
        return _scanned(head, opened)
    behind = head[end:].lstrip(BLANK) or b","
    if not behind.startswith(b","):
        raise ValueError("no comma behind a member")
    rest = _scanned((b'{"":0' if head[opened : opened + 1] == b"{" else b"[0") + behind, 0)
    rest.keys, rest.members = rest.keys and rest.keys[1:], rest.members[1:]
    return rest


def _cut_member(head: bytes, state: Scanner) -> bytes:
    """The member that the head ends in. A string without an end is no token, so nothing has noted where it begins."""
    if state.since >= 0:
        return head[state.since :]
    rest = head[state.at :].lstrip(BLANK)
    return rest if rest.startswith(b'"') else b""


def _scanned(data: bytes, start: int, flags: tuple[str, ...] = (), size: int = HEAD_CHARS) -> Document:
    """The members in the first 128 KiB, or `size` bytes, by a scanner that does not recurse."""
    head = data[: start + size]
    state = Scanner(head, start)
    for token in tokens(head, start):
        if state.take(token):
            break
    else:
        state.ended()
    if not state.closed and not state.cut(data):
        if len(state.members) < 2 or state.at < 200:
            raise ValueError(f"not valid JSON from byte {state.at} on")
        flags = (*flags, f"not valid from byte {state.at} on")
    if state.odd:
        flags = (*flags, "holds NaN or Infinity")
    keys = tuple(state.keys) if head[start : start + 1] == b"{" else None
    cut = b"" if state.closed or (keys is not None and state.key is None) else _cut_member(head, state)
    cut_key = str(value_of(state.key)) if state.key and cut else ""
    complete = state.closed or (len(data) > len(head) and _balanced(data))
    end = state.at if state.closed else len(data)
    return Document(keys, state.members, start, end, complete, flags, whole=state.closed, cut_key=cut_key, cut=cut)


def _balanced(data: bytes) -> bool:
    """Whether a text that was not read to its end closes as many brackets as it opens, the last thing it does."""
    return (
        data[-100:].rstrip(BLANK)[-1:] in (b"]", b"}")
        and data.count(b"[") == data.count(b"]")
        and data.count(b"{") == data.count(b"}")
    )
