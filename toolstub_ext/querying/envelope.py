"""A long text in one string of a JSON value, as many tools answer: what is asked for may be meant of that."""

from __future__ import annotations

import json
from typing import Any

from .json_tree import TREE_CHARS

_LEAST_CHARS = 200
_DEPTH = 4
_MEMBERS = 40


def inner_text(text: str) -> tuple[str, str] | None:
    """The path and the text of the string that is most of a JSON value, if there is one."""
    if len(text) > TREE_CHARS:
        return None
    try:
        value: Any = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    path = ""
    for _ in range(_DEPTH):
        members = _members(value)
        if not members:
            break
        step, value = max(members, key=lambda member: _size(member[1]))
        path += step
    if not isinstance(value, str) or len(value) < max(_LEAST_CHARS, len(text) // 2):
        return None
    return path.removeprefix("."), value


def _members(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict) and len(value) <= _MEMBERS:
        return [(f".{name}", part) for name, part in value.items()]
    if isinstance(value, list) and len(value) <= _MEMBERS:
        return [(f"[{place}]", part) for place, part in enumerate(value)]
    return []


def _size(value: Any, depth: int = _DEPTH) -> int:
    """The characters of the strings in a value, as far down as they are looked for."""
    if isinstance(value, str):
        return len(value)
    return sum(_size(part, depth - 1) for _, part in _members(value)) if depth else 0
