"""Where the values of a JSON text stand: opened only where a shape asks for it, at the speed of `json.loads`.

    scan('{"a": [1, 2], "b": 3}', {"a": [None]})     -> a span whose value maps "a" to a span that lists two spans

A shape is a dict to open an object (its values are the shapes of the members; a key it lacks is not opened), a list of
one shape to open an array, or None. A value of another type than its shape is taken as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from json import JSONDecoder
from typing import Any, NamedTuple, NoReturn, ParamSpec, TypeAlias, TypeVar

from ..errors import WireError

P = ParamSpec("P")
T = TypeVar("T")
Shape: TypeAlias = "dict[str, Shape] | list[Shape] | None"
_Match: TypeAlias = Callable[[str, int], re.Match[str] | None]

_blank = re.compile(r"[ \t\n\r]*").match
_colon = re.compile(r"[ \t\n\r]*:[ \t\n\r]*").match
_plain_key = re.compile(r'"([^"\\\x00-\x1f]*)"[ \t\n\r]*:[ \t\n\r]*').match
_after_member = re.compile(r"[ \t\n\r]*([,}])[ \t\n\r]*").match
_further_key = re.compile(
    r'[ \t\n\r]*+(?:(\})|,[ \t\n\r]*+(?:"([^"\\\x00-\x1f]*+)"[ \t\n\r]*+:[ \t\n\r]*+)?)').match
"""What follows a member: the end of the object, or a comma and mostly a name that is written as it is."""
_after_item = re.compile(r"[ \t\n\r]*([,\]])[ \t\n\r]*").match


class Span(NamedTuple):
    """A value and the code points `start:end` it is written in. The values in an opened container are spans too.

    Of two members with one key the last counts. All numbers are floats: nothing here may depend on a number's size.
    """

    value: Any
    start: int
    end: int


def _refusing(read: Callable[P, T]) -> Callable[P, T]:
    """What cannot be read is no JSON."""
    @wraps(read)
    def refusing(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return read(*args, **kwargs)
        except StopIteration as nothing:
            raise WireError(f"not JSON: a value expected at {nothing.value}") from nothing
        except (ValueError, RecursionError) as error:
            raise WireError(f"not JSON: {error}") from error

    return refusing


@_refusing
def scan(text: str, shape: Shape, behind: int = 0) -> Span:
    """The one JSON value of `text`, which stands behind so many code points of the whole.

    Raises WireError where RFC 8259 is broken, and for nesting too deep to follow.
    """
    root = _value(text, _skip(text, 0), shape, behind)
    _end(text, root.end - behind)
    return root


@_refusing
def further_items(text: str, at: int, item: Shape, behind: int = 0) -> tuple[list[Span], int]:
    """The rest of an array: `at` is just behind one of its items, and `text` begins behind so many code points of the
    whole.

    Gives the items that follow, and the place in `text` just behind the array. Raises WireError.
    """
    return _more(text, at, item, behind)


@_refusing
def further_members(text: str, at: int, shape: dict[str, Shape], behind: int = 0) -> dict[str, Span]:
    """The rest of an object, with which `text` ends: `at` is just behind one of its members. Raises WireError."""
    mark = _mark(_after_member, text, at)
    members, end = ({}, mark.end(1)) if mark[1] == "}" else _members(text, mark.end(), shape, behind)
    _end(text, end)
    return members


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


_decoder: Any = JSONDecoder(parse_int=float, parse_constant=_refuse)
_decode = _decoder.scan_once


def _skip(text: str, at: int) -> int:
    match = _blank(text, at)
    return match.end() if match else at


def _end(text: str, at: int) -> None:
    if _skip(text, at) != len(text):
        raise ValueError(f"text after the value, at {at}")


def _mark(pattern: _Match, text: str, at: int) -> re.Match[str]:
    """What separates or closes, where something has to."""
    match = pattern(text, at)
    if match is None:
        raise ValueError(f"a separator expected at {at}")
    return match


def _value(text: str, at: int, shape: Shape, behind: int) -> Span:
    """The value that begins at a place of the text, as it stands behind so many code points more."""
    if shape is not None:
        if isinstance(shape, dict) and text.startswith("{", at):
            here = _skip(text, at + 1)
            members, end = ({}, here + 1) if text.startswith("}", here) else _members(text, here, shape, behind)
            return Span(members, at + behind, end + behind)
        if isinstance(shape, list) and text.startswith("[", at):
            here = _skip(text, at + 1)
            items, end = ([], here + 1) if text.startswith("]", here) else _items(text, here, shape[0], behind)
            return Span(items, at + behind, end + behind)
    value, end = _decode(text, at)
    return Span(value, at + behind, end + behind)


def _members(text: str, at: int, shape: dict[str, Shape], behind: int) -> tuple[dict[str, Span], int]:
    """The members of an object, the first of which is named at a place of the text, and where the object ends."""
    members: dict[str, Span] = {}
    found, number = _plain_key(text, at), 1  # the match and, if it has one, the group of the name
    while True:
        if found is not None and found.lastindex == number:
            key, at = found[number], found.end()
        else:
            key, at = _escaped_key(text, at)
        inner = shape.get(key)
        if inner is None:
            value, end = _decode(text, at)
            members[key] = Span(value, at + behind, end + behind)
        else:
            members[key] = member = _value(text, at, inner, behind)
            end = member.end - behind
        found, number = _further_key(text, end), 2
        if found is None:
            raise ValueError(f"a separator expected at {end}")
        at = found.end()
        if found.lastindex == 1:
            return members, at


def _escaped_key(text: str, at: int) -> tuple[str, int]:
    """A member's name that has to be decoded, and where its value begins."""
    if not text.startswith('"', at):
        raise ValueError(f"a name expected at {at}")
    key, end = _decode(text, at)
    return key, _mark(_colon, text, end).end()


def _items(text: str, at: int, shape: Shape, behind: int) -> tuple[list[Span], int]:
    item = _value(text, at, shape, behind)
    more, end = _more(text, item.end - behind, shape, behind)
    more.insert(0, item)
    return more, end


def _more(text: str, at: int, shape: Shape, behind: int) -> tuple[list[Span], int]:
    """The items of an array that follow the one that ends at `at`."""
    items: list[Span] = []
    while True:
        mark = _mark(_after_item, text, at)
        if mark[1] == "]":
            return items, mark.end(1)
        items.append(item := _value(text, mark.end(), shape, behind))
        at = item.end - behind
