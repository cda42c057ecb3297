"""Where in a JSON text the value at a JSON pointer (RFC 6901) stands, exactly as it is written there.

The text is walked and never built: objects and arrays on the way are skipped by their brackets, so the work is linear,
the memory does not grow with it, and what stands behind the value may be cut off. Of equal names the last counts, as it
does for any reader of JSON; where the text is cut off, the last there is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator


def _balanced(depth: int) -> str:
    """A pattern of all that comes before an unmatched bracket, over brackets inside which there are `depth` more.

    Its repeats are possessive: there is nothing to go back to, and so no memory or time to spend on it.
    """
    inside = r'[^"\[\]{}]++|"(?:[^"\\]++|\\.|(?!))*+"'
    for _ in range(depth):
        inside += rf"|\{{(?:{inside}|(?!))*+\}}|\[(?:{inside}|(?!))*+\]"
    return rf"(?:{inside}|(?!))*+"


DEEPEST = 250_000
"""A value that nests deeper is taken for no JSON: each level costs some microseconds, and no program writes it."""

WINDOW_CHARS = 1 << 20
"""How far one look reaches. A regex lets no other thread run meanwhile, and a text may have a hundred times as much."""

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\]++|\\.|(?!))*+"', re.DOTALL)
_UP_TO_BRACKET = re.compile(_balanced(2), re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
_INDEX = re.compile(r"0|[1-9][0-9]{0,17}")
_scalars = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)  # as written: no limit on digits


def find_value(text: str, pointer: str) -> tuple[int, int]:
    """Start and end of the value, in code points. Raises ValueError, in one line, if there is none."""
    steps = _steps(pointer)
    try:
        place = _skip_space(text, 1 if text.startswith("\ufeff") else 0)
        for depth, step in enumerate(steps):
            place = _descend(text, place, step, here="/".join(["", *steps[:depth]])[:80])
        return place, end_of(text, place)
    except json.JSONDecodeError as error:
        raise ValueError(f"pointer needs JSON, and this is not: {error.msg} at offset {error.pos}") from None


def members(text: str, place: int, deepest: int = DEEPEST) -> Iterator[tuple[str | None, int, int]]:
    """Name (None in an array), start and end of each member of the object or array that begins at `place`.

    Raises json.JSONDecodeError where the text is no JSON; a member that does not end comes before, with -1 as its end.
    """
    close = _CLOSING[text[place]]
    place = _skip_space(text, place + 1)
    while not text.startswith(close, place):
        name = None
        if close == "}":
            name, place = _name(text, place)
        try:
            end = end_of(text, place, deepest)
        except json.JSONDecodeError:
            yield name, place, -1
            raise
        yield name, place, end
        place = _next(text, end, close)


def _name(text: str, place: int) -> tuple[str, int]:
    """A name, and where its value begins."""
    if not text.startswith('"', place):
        raise json.JSONDecodeError("a name was expected", text, place)
    name, place = _scalars.raw_decode(text, place)
    place = _skip_space(text, place)
    if not text.startswith(":", place):
        raise json.JSONDecodeError("':' was expected", text, place)
    return str(name), _skip_space(text, place + 1)


def _steps(pointer: str) -> list[str]:
    if pointer and not pointer.startswith("/"):
        raise ValueError(f"pointer is {pointer[:80]!r}; it has to start with '/', as in /items/0/name")
    if re.search(r"~(?![01])", pointer):
        raise ValueError(f"pointer is {pointer[:80]!r}; write ~ in a name as ~0 and / as ~1")
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _descend(text: str, place: int, step: str, here: str) -> int:
    if text.startswith("{", place):
        return _member(text, place, step, here)
    if text.startswith("[", place):
        return _element(text, place, step, here)
    end_of(text, place)
    raise ValueError(f"pointer goes on with {step[:80]!r} at {_place(here)}, which is neither object nor array")


def _place(pointer: str) -> str:
    return repr(pointer) if pointer else "the top"


def _member(text: str, place: int, name: str, here: str) -> int:
    found = None
    try:
        for key, start, _ in members(text, place):
            if key == name:
                found = start
    except json.JSONDecodeError:
        if found is None:
            raise
    if found is None:
        raise ValueError(f"there is no {name[:80]!r} in the object at {_place(here)}")
    return found


def _element(text: str, place: int, step: str, here: str) -> int:
    if _INDEX.fullmatch(step) is None:
        raise ValueError(f"there is an array at {_place(here)}; {step[:80]!r} is no index of it")
    count, wanted = 0, int(step)
    for _, start, _ in members(text, place):
        if count == wanted:
            return start
        count += 1
    raise ValueError(f"the array at {_place(here)} has {count} items; {step} is not among them")


def _next(text: str, place: int, close: str) -> int:
    place = _skip_space(text, place)
    if text.startswith(",", place):
        return _skip_space(text, place + 1)
    if text.startswith(close, place):
        return place
    raise json.JSONDecodeError(f"',' or {close!r} was expected", text, place)


def end_of(text: str, place: int, deepest: int = DEEPEST) -> int:
    """Where the value that begins at `place` ends. Raises json.JSONDecodeError for no JSON and too deep JSON."""
    if text[place:place + 1] not in _CLOSING:
        return int(_scalars.raw_decode(text, place)[1])
    open_brackets: list[str] = []
    while True:
        bracket = text[place:place + 1]
        if bracket in _CLOSING:
            open_brackets.append(bracket)
            if len(open_brackets) > deepest:
                raise json.JSONDecodeError(f"it nests deeper than {deepest:,} levels", text, place)
        elif not bracket or bracket == '"':
            raise json.JSONDecodeError("the text ends inside a value", text, len(text))
        elif _CLOSING[open_brackets.pop()] != bracket:
            raise json.JSONDecodeError(f"{bracket!r} closes nothing", text, place)
        place += 1
        if not open_brackets:
            return place
        place = _to_bracket(text, place)


def _to_bracket(text: str, place: int) -> int:
    """The next bracket that is unmatched, or whose match is out of sight; else a string that does not end, or the end
    of the text."""
    while True:
        match = _UP_TO_BRACKET.match(text, place, place + WINDOW_CHARS)
        place = match.end() if match else place
        mark = text[place:place + 1]
        if mark == '"':
            string = _STRING.match(text, place)
            if string is None:
                return place
            place = string.end()
        elif not mark or mark in "[]{}":
            return place


def _skip_space(text: str, place: int) -> int:
    return _up_to(_SPACE, text, place)


def _up_to(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return place if match is None else match.end()
