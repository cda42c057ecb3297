"""Where the values of a JSON text stand: opened only where a shape asks for it, at the speed of `json.loads`.

    scan('{"a": [1, 2], "b": 3}', {"a": [None]})     -> a span whose value maps "a" to a span that lists two spans

A shape is a dict to open an object (its values are the shapes of the members; a key it lacks is not opened), a list of
one shape to open an array, or None. A value of another type than its shape is taken as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from json import JSONDecoder
from typing import Any, NoReturn, TypeAlias

from ..errors import WireError

Shape: TypeAlias = "dict[str, Shape] | list[Shape] | None"

_blank = re.compile(r"[ \t\n\r]*").match


@dataclass(frozen=True, slots=True)
class Span:
    """A value and the code points `start:end` it is written in. The values in an opened container are spans too.

    Of two members with one key the last counts. All numbers are floats: nothing here may depend on a number's size.
    """

    value: Any
    start: int
    end: int


def scan(text: str, shape: Shape) -> Span:
    """The one JSON value of `text`. Raises WireError where RFC 8259 is broken, and for nesting too deep to follow."""
    try:
        root = _value(text, _skip(text, 0), shape)
    except (ValueError, RecursionError) as error:
        raise WireError(f"not JSON: {error}") from error
    if _skip(text, root.end) != len(text):
        raise WireError(f"not JSON: text after the value, at {root.end}")
    return root


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


_decode = JSONDecoder(parse_int=float, parse_constant=_refuse).raw_decode


def _skip(text: str, at: int) -> int:
    match = _blank(text, at)
    return match.end() if match else at


def _value(text: str, at: int, shape: Shape) -> Span:
    mark = text[at:at + 1]
    if mark == "{" and isinstance(shape, dict):
        return _object(text, at, shape)
    if mark == "[" and isinstance(shape, list):
        return _array(text, at, shape[0])
    value, end = _decode(text, at)
    return Span(value, at, end)


def _object(text: str, at: int, shape: dict[str, Shape]) -> Span:
    members: dict[str, Span] = {}
    here = _skip(text, at + 1)
    if text[here:here + 1] == "}":
        return Span(members, at, here + 1)
    while True:
        _expect(text, here, '"')
        key, here = _decode(text, here)
        here = _skip(text, here)
        _expect(text, here, ":")
        members[key] = member = _value(text, _skip(text, here + 1), shape.get(key))
        here = _skip(text, member.end)
        if text[here:here + 1] == "}":
            return Span(members, at, here + 1)
        _expect(text, here, ",")
        here = _skip(text, here + 1)


def _array(text: str, at: int, shape: Shape) -> Span:
    items: list[Span] = []
    here = _skip(text, at + 1)
    if text[here:here + 1] == "]":
        return Span(items, at, here + 1)
    while True:
        items.append(item := _value(text, here, shape))
        here = _skip(text, item.end)
        if text[here:here + 1] == "]":
            return Span(items, at, here + 1)
        _expect(text, here, ",")
        here = _skip(text, here + 1)


def _expect(text: str, at: int, mark: str) -> None:
    if text[at:at + 1] != mark:
        raise ValueError(f"{mark!r} expected at {at}")
