"""Shows what JMESPath selected: a list item by item, an object member by member, a text as it reads."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from ..phrases import counted, shown
from .answer import Listing
from .meter import Meter
from .paths import as_name

_SHORT = 1_000
_WRITER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_MOST_NODES = 3_000_000
_SLICED = re.compile(r"(.*) \| \[(\d{1,9}):\]", re.DOTALL)


def answer(ref: str, expression: str, value: Any, where: Callable[[Any], str], said: str) -> Listing:
    """The value that the expression selects. `where` says where a part of the original stands, or nothing."""
    Meter(_MOST_NODES).weigh(value)
    of = f"from {said}"
    if isinstance(value, list):
        pieces = tuple(f"{where(item)}{written(item)}" for item in value)
        return Listing(ref, f"{counted(len(value), 'value')} {of}", pieces, value, partial(_rest, expression))
    at = where(value)
    if isinstance(value, str):
        return Listing(ref, f"{at}a text of {counted(len(value), 'char')} {of}", (value,), value, _nothing)
    if isinstance(value, dict) and len(line := written(value)) > _SHORT:
        what = f"{at}an object of {counted(len(value), 'member')} and {len(line):,} chars {of}"
        pieces = tuple(f"{json.dumps(name, ensure_ascii=False)}: {written(part)}" for name, part in value.items())
        return Listing(ref, what, pieces, value, partial(_members, expression, list(value)))
    what = "nothing (null)" if value is None else f"{at}one value"
    return Listing(ref, f"{what} {of}", (written(value),), value, _nothing)


def written(value: Any) -> str:
    """A value as JSON on one line. Raises ValueError, in one line, if it nests too deeply to be written."""
    try:
        return _WRITER.encode(value)
    except RecursionError:
        raise ValueError("what this selects nests too deeply to be shown; select less of it") from None


def _rest(expression: str, count: int) -> str:
    before = _SLICED.fullmatch(expression)
    if before is not None:
        expression, count = before[1], int(before[2]) + count
    return f"expression {shown(f'{expression} | [{count}:]', 1_100)}"


def _members(expression: str, names: list[str], count: int) -> str:
    name = as_name(names[count])
    return f"one member: expression {shown(name if expression == '@' else f'{expression} | {name}', 1_100)}"


def _nothing(_count: int) -> str:
    return "a narrower expression"
