"""Plain paths such as `items[0].name` and `/items/0/name`: they need no tree, and so work on JSON of any size."""

from __future__ import annotations

import json
import re

_STEP = re.compile(
    r"(?:^|\.)(?:(?P<name>[A-Za-z_]\w*)|(?P<quoted>\"(?:[^\"\\]|\\.)*\"))|\.?\[(?P<index>\d{1,18})\]", re.ASCII)


def as_pointer(expression: str) -> str | None:
    """The JSON pointer that selects the same as the expression; None if it is more than a plain path."""
    if expression.startswith("/"):
        return expression
    steps: list[str] = []
    at = 0
    while at < len(expression):
        found = _STEP.match(expression, at)
        if found is None or found.end() == at:
            return None
        steps.append(_step(found))
        at = found.end()
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in steps)


def as_path(pointer: str) -> str:
    """The expression that selects what a JSON pointer does, as far as steps of digits are indexes."""
    path = ""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if name.isdecimal():
            path += f"[{name}]"
        else:
            path += ("." if path else "") + as_name(name)
    return path or "@"


def as_name(name: str) -> str:
    """A name as JMESPath writes it: in quotes, where it is no plain word."""
    return name if re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) else json.dumps(name, ensure_ascii=False)


def _step(found: re.Match[str]) -> str:
    if found["quoted"] is not None:
        try:
            return str(json.loads(found["quoted"], strict=False))
        except ValueError:
            return found["quoted"][1:-1]
    return str(found["name"] or found["index"])
