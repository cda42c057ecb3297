"""How a text is written as a JSON string: how far into the string its characters reach."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_ESCAPED_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_escapes = re.compile(rf"{_ESCAPED_PAIR}|\\u[0-9a-fA-F]{{4}}|\\.").finditer


def written(string: str, characters: Sequence[int]) -> list[int]:
    """Where in a JSON string, without its quotes, each of so many first characters of its text end.

    `characters` are in ascending order. What is written as itself costs nothing.
    """
    return [*_places(string, characters)]


def _places(string: str, characters: Sequence[int]) -> Iterator[int]:
    escapes = _escapes(string)
    longer, escape = 0, next(escapes, None)
    for wanted in characters:
        while escape is not None and escape.start() - longer < wanted:
            longer += len(escape[0]) - 1
            escape = next(escapes, None)
        yield wanted + longer
