"""The tokens of JSON one by one, for what msgspec refuses: texts cut short, NaN, lone surrogates, deep nesting."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from json import JSONDecoder
from math import isfinite
from typing import Any

from ..model import Source
from ..wording import one_line

Member = bytes | memoryview

DEEPEST = 200
BLANK = b" \t\r\n"
_MAY_BE_SURROGATE = b"\xed"
"""With that begins what UTF-8 has no letter for."""
TO_CLOSER = 2
"""How far behind a bracket that opens the one stands that closes it, in ASCII: `[` and `]`, `{` and `}`."""
_PAGE = 4096
_DEEP = b"[" * DEEPEST
_MOST_OPEN = 500
_MOST_DIGITS = 400
_FLAT = 3
_STEPS = bytes.maketrans(b"[]", b"\1\xff")
_OPENED = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(set(range(256)).difference(b"[]{}"))
_STRING = rb'(?s)"(?:[^"\\]++|\\.|(?!))*+"'


@cache
def decoders() -> tuple[Any, Any, Any]:
    """What takes an object apart, what an array, and what makes Python values of a small piece."""
    import msgspec

    return (
        msgspec.json.Decoder(dict[str, msgspec.Raw]).decode,
        msgspec.json.Decoder(list[msgspec.Raw]).decode,
        msgspec.json.Decoder().decode,
    )


def utf8(source: Source) -> Member:
    """The bytes of the clean text, with `?` for lone surrogates; of one that is all ASCII without a copy of it."""
    import msgspec

    text = source.clean
    known = source.encoded(text)
    if known is not None and _MAY_BE_SURROGATE not in known:
        return known
    return memoryview(msgspec.Raw(text)) if text.isascii() else text.encode("utf-8", "replace")


class Beyond(str):
    """A number as it is written that is none for JSON or too large for Python: NaN, 1e999, 5,000 digits."""

    __slots__ = ()


def _integer(figures: str) -> int | Beyond:
    return int(figures) if len(figures) <= _MOST_DIGITS else Beyond(figures)


def _number(figures: str) -> float | Beyond:
    return number if isfinite(number := float(figures)) else Beyond(figures)


@cache
def _lenient() -> JSONDecoder:
    """What reads what msgspec refuses: such numbers, lone surrogates, line ends within strings."""
    return JSONDecoder(parse_int=_integer, parse_float=_number, parse_constant=Beyond, strict=False)


def value_of(raw: Member) -> Any:
    """The Python value of a small piece of JSON; its text where it is broken."""
    try:
        return decoders()[2](raw)
    except (ValueError, RecursionError):
        text = text_of(raw)
        try:
            return _lenient().decode(text)
        except (ValueError, RecursionError):
            return text


def text_of(raw: Member) -> str:
    """A piece of JSON as it is written."""
    return str(raw, "utf-8", "replace")


def shown(raw: Member, most: int) -> str:
    """A piece of JSON on one line, of at most so many characters."""
    return one_line(text_of(raw[: 2 * most + 400]), most)


@cache
def _token() -> re.Pattern[bytes]:
    return re.compile(
        rb'[ \t\r\n]*+(?:(?P<string>"(?:[^"\\]++|\\.|(?!))*+")|(?P<open>[\[{])|(?P<close>[\]}])|(?P<mark>[:,])'
        rb"|(?P<atom>-?(?:\d[\d.eE+-]*+|Infinity)|true|false|null|NaN))",
        re.DOTALL,
    )


def nests_deeply(head: bytes) -> bool:
    """Whether 200 brackets open with none closed in between, or 500 are open at once.

    How deep a parser goes depends on who calls it.
    """
    if not _deep(_brackets(head)):
        return False
    return any(_deep(_brackets(re.sub(_STRING, b"", part))) for part in (head[:_PAGE], head))


def _brackets(text: bytes) -> bytes:
    """Those in it, all of them square."""
    return text.translate(_OPENED, _NO_BRACKETS)


def _deep(brackets: bytes) -> bool:
    if _DEEP in brackets:
        return True
    for _ in range(_FLAT if len(brackets) > _MOST_OPEN else 0):
        brackets = brackets.replace(b"[]", b"")
    return len(brackets) > _MOST_OPEN and max(accumulate(array("b", brackets.translate(_STEPS)))) > _MOST_OPEN


@cache
def _to_bracket() -> re.Pattern[bytes]:
    return re.compile(rb'(?s)(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.|(?!))*+"|(?!))*+([\[\]{}])')


def open_brackets(head: bytes, start: int) -> tuple[list[int], int]:
    """Where the brackets stand that are open at the end, and where the last one that was closed ends.

    None are where one is closed by another, or the first one is.
    """
    opened: list[int] = []
    at, closed, match = start, start, _to_bracket().match
    while (found := match(head, at)) is not None:
        at = found.end()
        bracket = head[at - 1]
        if bracket in b"[{":
            opened.append(at - 1)
        elif not opened or bracket != head[opened.pop()] + TO_CLOSER or not opened:
            return [], closed
        else:
            closed = at
    return opened, closed


def tokens(head: bytes, start: int) -> Iterator[re.Match[bytes]]:
    """Strings, brackets, marks and atoms from `start` on, as far as they go."""
    at, match = start, _token().match
    while (token := match(head, at)) is not None:
        yield token
        at = token.end()


class Scanner:
    """Follows the nesting and notes where the members of the first level begin and end."""

    def __init__(self, head: bytes, start: int) -> None:
        self._head = head
        self._stack: list[bytes] = []
        self.since = -1
        self._last: str | None = None
        self.key: bytes | None = None
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
            elif self._object and self.key is None:
                self.key = self._head[self.since : begin].strip()
                self.since = -1
        elif self.since < 0:
            self.since = begin

    def _finish(self, end: int) -> None:
        if self.since < 0 or (self._object and self.key is None):
            return
        if self._object:
            self.keys.append(str(value_of(self.key or b'""')))
        self.members.append(self._head[self.since : end].strip())
        self.since = -1
        self.key = None

    def ended(self) -> None:
        """No token is left: a bracket that closed a member ended it, though no comma says so."""
        if self._last == "close" and len(self._stack) == 1:
            self._finish(self.at)

    def cut(self, data: bytes) -> bool:
        """Whether the text ends inside the value, or the bounded scan does, rather than being wrong."""
        rest = self._head[self.at :].lstrip(BLANK)
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
