"""Where the values of a JSON text stand: opened only where a shape asks for it, at the speed of `json.loads`.

    scan('{"a": [1, 2], "b": 3}', {"a": [None]})     -> a span whose value maps "a" to a span that lists two spans

A shape is a dict to open an object (its values are the shapes of the members; a key it lacks is not opened), a list of
one shape to open an array, or None. A value of another type than its shape is taken as it is.
"""

from __future__ import annotations

import re
from json import JSONDecoder
from typing import Any, NamedTuple, NoReturn, TypeAlias

from ..errors import WireError

Shape: TypeAlias = "dict[str, Shape] | list[Shape] | None"

_blank = re.compile(r"[ \t\n\r]*").match
_colon = re.compile(r"[ \t\n\r]*:[ \t\n\r]*").match
_plain_key = re.compile(r'"([^"\\\x00-\x1f]*)"[ \t\n\r]*:[ \t\n\r]*').match
_after_member = re.compile(r"[ \t\n\r]*([,}])[ \t\n\r]*").match
_after_item = re.compile(r"[ \t\n\r]*([,\]])[ \t\n\r]*").match


class Span(NamedTuple):
    """A value and the code points `start:end` it is written in. The values in an opened container are spans too.

    Of two members with one key the last counts. All numbers are floats: nothing here may depend on a number's size.
    """

    value: Any
    end: int
    start: int


def scan(text: str, shape: Shape) -> Span:
    """The one JSON value of `text`. Raises WireError where RFC 8259 is broken, and for nesting too deep to follow."""
    try:
        root = _value(text, _skip(text, 0), shape)
    except (ValueError, RecursionError) as error:
        raise WireError(f"not JSON: {error}") from error
    except StopIteration as nothing:
        raise WireError(f"not JSON: a value expected at {nothing.value}") from nothing
    if _skip(text, root.end) != len(text):
        raise WireError(f"not JSON: text after the value, at {root.end}")
    return root


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


_decoder: Any = JSONDecoder(parse_int=float, parse_constant=_refuse)
_decode = _decoder.scan_once  # raises StopIteration with the place where no value begins


def _skip(text: str, at: int) -> int:
    match = _blank(text, at)
    return match.end() if match else at


def _value(text: str, at: int, shape: Shape) -> Span:
    if shape is not None:
        if text.startswith("{", at) and isinstance(shape, dict):
            return _object(text, at, shape)
        if text.startswith("[", at) and isinstance(shape, list):
            return _array(text, at, shape[0])
    value, end = _decode(text, at)
    return Span(value, end, at)


def _object(text: str, at: int, shape: dict[str, Shape]) -> Span:
    members: dict[str, Span] = {}
    if text.startswith("}", here := _skip(text, at + 1)):
        return Span(members, here + 1, at)
    while True:
        key, here = _key(text, here)
        members[key] = member = _value(text, here, shape.get(key))
        mark = _after_member(text, member.end)
        if mark is None:
            raise ValueError(f"',' or '}}' expected at {member.end}")
        if mark[1] == "}":
            return Span(members, mark.end(1), at)
        here = mark.end()


def _key(text: str, at: int) -> tuple[str, int]:
    """A member's name, and where its value begins."""
    if match := _plain_key(text, at):
        return match[1], match.end()
    if not text.startswith('"', at):
        raise ValueError(f"a name expected at {at}")
    key, end = _decode(text, at)
    colon = _colon(text, end)
    if colon is None:
        raise ValueError(f"':' expected at {end}")
    return key, colon.end()


def _array(text: str, at: int, shape: Shape) -> Span:
    items: list[Span] = []
    if text.startswith("]", here := _skip(text, at + 1)):
        return Span(items, here + 1, at)
    while True:
        items.append(item := _value(text, here, shape))
        mark = _after_item(text, item.end)
        if mark is None:
            raise ValueError(f"',' or ']' expected at {item.end}")
        if mark[1] == "]":
            return Span(items, mark.end(1), at)
        here = mark.end()
