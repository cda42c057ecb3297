"""Splits a JSON text into the members of its outermost value, without building a tree of the whole.

One grammar whatever the input: RFC 8259, and NaN and Infinity, which are flagged. What msgspec accepts is split by it;
what it refuses (a text cut short, NaN, a lone surrogate, deep nesting) by a bounded scanner of our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, overload

from .model import HEAD_CHARS

Member = bytes | memoryview

_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")
_DEEP = re.compile(rb"(?:[\[{][ \t\r\n]*+(?:\"[^\"\\]{0,80}+\"[ \t]*+:[ \t\r\n]*+)?){200}")
_BLANK = b" \t\r\n"
_TOKEN = re.compile(
    rb'[ \t\r\n]*+(?:(?P<string>"(?:[^"\\]++|\\.)*+")|(?P<open>[\[{])|(?P<close>[\]}])|(?P<mark>[:,])'
    rb"|(?P<atom>-?(?:\d[\d.eE+-]*+|Infinity)|true|false|null|NaN))",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Document:
    """The outermost value: its members as bytes of the text, the keys of an object, and where it begins and ends.

    `complete` is false where the text ends, or stops being JSON, inside the value; `flags` say what is unusual.
    """

    keys: tuple[str, ...] | None
    members: Sequence[Member]
    start: int
    end: int
    complete: bool
    flags: tuple[str, ...] = ()

    @property
    def is_object(self) -> bool:
        """Whether it is an object; otherwise an array."""
        return self.keys is not None


class _Raws(Sequence[Member]):
    """Members as msgspec gives them, looked into one at a time: an array may have a million of them."""

    def __init__(self, raws: list[Any]) -> None:
        self._raws = raws

    def __len__(self) -> int:
        return len(self._raws)

    @overload
    def __getitem__(self, place: int) -> Member: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Member]: ...

    def __getitem__(self, place: int | slice) -> Member | Sequence[Member]:
        return _Raws(self._raws[place]) if isinstance(place, slice) else memoryview(self._raws[place])


@cache
def _decoders() -> tuple[Any, Any, Any]:
    import msgspec

    return (
        msgspec.json.Decoder(dict[str, msgspec.Raw]).decode,
        msgspec.json.Decoder(list[msgspec.Raw]).decode,
        msgspec.json.Decoder().decode,
    )


def value_of(raw: Member) -> Any:
    """The Python value of a small piece of JSON; its text where no Python value can hold it."""
    try:
        return _decoders()[2](raw)
    except (ValueError, RecursionError):
        return bytes(raw).decode("utf-8", "replace")


def parse(data: bytes) -> Document:
    """The outermost object or array at the beginning of `data`. Raises ValueError if there is none."""
    start = len(data) - len(data.lstrip(_BLANK))
    opener = data[start : start + 1]
    if opener not in (b"{", b"["):
        raise ValueError("neither an object nor an array")
    if _DEEP.search(data, 0, HEAD_CHARS):
        return _scanned(data, start, ("deeply nested",))
    try:
        return _split(data, start, len(data), opener)
    except ValueError as error:
        trailing = _TRAILING.search(str(error))
        if not trailing:
            return _scanned(data, start)
        return _split(data, start, int(trailing[1]) - 1, opener)
    except RecursionError:
        return _scanned(data, start, ("deeply nested",))


def _split(data: bytes, start: int, end: int, opener: bytes) -> Document:
    as_object, as_array, _ = _decoders()
    while data[end - 1 : end] in (b" ", b"\t", b"\r", b"\n"):
        end -= 1
    text = data if start == 0 and end == len(data) else memoryview(data)[start:end]
    if opener == b"{":
        pairs = as_object(text)
        return Document(tuple(pairs), _Raws(list(pairs.values())), start, end, True)
    return Document(None, _Raws(as_array(text)), start, end, True)


def is_whole(line: bytes) -> bool:
    """Whether a line is one complete object or array and nothing else."""
    line = line.strip()
    as_object, as_array, _ = _decoders()
    try:
        (as_object if line[:1] == b"{" else as_array)(line)
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
        as_object, as_array, _ = _decoders()
        if opener == b"{":
            pairs = as_object(raw)
            return Document(tuple(pairs), _Raws(list(pairs.values())), 0, len(raw), True)
        return Document(None, _Raws(as_array(raw)), 0, len(raw), True)
    except (ValueError, RecursionError):
        return _scanned(bytes(raw[:HEAD_CHARS]), 0)


def _scanned(data: bytes, start: int, flags: tuple[str, ...] = ()) -> Document:
    """The members in the first 128 KiB by a scanner that does not recurse."""
    head = data[: start + HEAD_CHARS]
    state = _Scanner(head, start)
    for token in _tokens(head, start):
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
    return Document(keys, state.members, start, state.at if state.closed else len(data), state.closed, flags)


def _tokens(head: bytes, start: int) -> Iterator[re.Match[bytes]]:
    at = start
    while (token := _TOKEN.match(head, at)) is not None:
        yield token
        at = token.end()


class _Scanner:
    """Follows the nesting and notes where the members of the first level begin and end."""

    def __init__(self, head: bytes, start: int) -> None:
        self._head = head
        self._stack: list[bytes] = []
        self._since = -1
        self._last: str | None = None
        self._key: bytes | None = None
        self._object = head[start : start + 1] == b"{"
        self.keys: list[str] = []
        self.members: list[Member] = []
        self.at = start
        self.closed = False
        self.odd = False

    def take(self, token: re.Match[bytes]) -> bool:
        """Takes one token; true when the outermost value is complete, or broken here."""
        group = token.lastgroup
        begin = token.start(group or 0)
        if group in ("string", "atom", "open") and self._last in ("string", "atom", "close"):
            return True
        self._last = group
        if group == "close":
            opener = self._stack.pop() if self._stack else b""
            if (opener, token["close"]) not in ((b"{", b"}"), (b"[", b"]")):
                return True
        if len(self._stack) == 1:
            self._first_level(group, token, begin)
        elif not self._stack and group != "open":
            self.closed = group == "close"
            if self.closed:
                self._finish(begin)
                self.at = token.end()
            return True
        if group == "open":
            self._stack.append(token["open"])
        elif group == "atom":
            self.odd = self.odd or token["atom"].endswith((b"N", b"Infinity"))
        self.at = token.end()
        return False

    def _first_level(self, group: str | None, token: re.Match[bytes], begin: int) -> None:
        if group == "mark":
            if token["mark"] == b",":
                self._finish(begin)
            elif self._object and self._key is None:
                self._key = self._head[self._since : begin].strip()
                self._since = -1
        elif self._since < 0:
            self._since = begin

    def _finish(self, end: int) -> None:
        if self._since < 0 or (self._object and self._key is None):
            return
        if self._object:
            self.keys.append(str(value_of(self._key or b'""')))
        self.members.append(self._head[self._since : end].strip())
        self._since = -1
        self._key = None

    def cut(self, data: bytes) -> bool:
        """Whether the text ends inside the value, or the bounded scan does, rather than being wrong."""
        rest = self._head[self.at :].lstrip(_BLANK)
        if len(data) > len(self._head):
            return True
        return (
            not rest
            or rest.startswith(b'"')
            or rest == b"-"
            or b"true".startswith(rest)
            or b"null".startswith(rest)
            or b"false".startswith(rest)
        )
