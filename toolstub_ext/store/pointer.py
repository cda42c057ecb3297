"""Where in a JSON text the value at a JSON pointer (RFC 6901) stands, exactly as it is written there.

The text is walked, never built: a value on the way is skipped by the decoder, so the work is linear in the part before
the value. Of equal names in one object the first counts; text behind the first JSON value is not looked at.
"""

from __future__ import annotations

import json
import re

_SPACE = re.compile(r"[ \t\n\r]*")
_INDEX = re.compile(r"0|[1-9][0-9]{0,17}")
_decoder = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)  # as written: no limit on digits


def find_value(text: str, pointer: str) -> tuple[int, int]:
    """Start and end of the value, in code points. Raises ValueError, in one line, if there is none."""
    steps = _steps(pointer)
    try:
        place = _skip(text, 1 if text.startswith("\ufeff") else 0)
        for depth, step in enumerate(steps):
            place = _descend(text, place, step, pointer, "/".join(["", *steps[:depth]]))
        return place, _end(text, place)
    except json.JSONDecodeError as error:
        raise ValueError(f"pointer needs JSON, and this is not: {error.msg} at offset {error.pos}") from None
    except RecursionError:
        raise ValueError("pointer cannot be followed: the JSON is nested too deeply; read by offset") from None


def _steps(pointer: str) -> list[str]:
    if pointer and not pointer.startswith("/"):
        raise ValueError(f"pointer is {pointer[:80]!r}; it has to start with '/', as in /items/0/name")
    if re.search(r"~(?![01])", pointer):
        raise ValueError(f"pointer is {pointer[:80]!r}; write ~ in a name as ~0 and / as ~1")
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _descend(text: str, place: int, step: str, pointer: str, here: str) -> int:
    if text.startswith("{", place):
        return _member(text, place, step, here)
    if text.startswith("[", place):
        return _element(text, place, step, here)
    _end(text, place)
    raise ValueError(f"pointer {pointer[:80]!r} goes on after {here[:80]!r}, which is neither object nor array")


def _member(text: str, place: int, name: str, here: str) -> int:
    place = _skip(text, place + 1)
    while not text.startswith("}", place):
        if not text.startswith('"', place):
            raise json.JSONDecodeError("a name was expected", text, place)
        key, place = _decoder.raw_decode(text, place)
        place = _skip(text, place)
        if not text.startswith(":", place):
            raise json.JSONDecodeError("':' was expected", text, place)
        place = _skip(text, place + 1)
        if key == name:
            return place
        place = _next(text, _end(text, place), "}")
    raise ValueError(f"there is no {name[:80]!r} in the object at {here[:80]!r}")


def _element(text: str, place: int, step: str, here: str) -> int:
    if _INDEX.fullmatch(step) is None:
        raise ValueError(f"there is an array at {here[:80]!r}; {step[:80]!r} is no index of it")
    place = _skip(text, place + 1)
    count, wanted = 0, int(step)
    while not text.startswith("]", place):
        if count == wanted:
            return place
        place = _next(text, _end(text, place), "]")
        count += 1
    raise ValueError(f"the array at {here[:80]!r} has {count} items; {step} is not among them")


def _next(text: str, place: int, close: str) -> int:
    place = _skip(text, place)
    if text.startswith(",", place):
        return _skip(text, place + 1)
    if text.startswith(close, place):
        return place
    raise json.JSONDecodeError(f"',' or {close!r} was expected", text, place)


def _end(text: str, place: int) -> int:
    return int(_decoder.raw_decode(text, place)[1])


def _skip(text: str, place: int) -> int:
    space = _SPACE.match(text, place)
    return place if space is None else space.end()
