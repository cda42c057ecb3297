"""Long texts that a model hands over in the arguments of its calls, and where they stand in the body.

    {"file_path": "src/app.py", "content": "import os\\n..."}     -> the text of `content`

Arguments are an object of the body, or one written as a text; a custom tool gets a plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..errors import WireError
from .body import START, Tail
from .escaped import written
from .spans import Shape, Span, scan

Path = tuple[str | int, ...]

_DEEPEST = 4
"""How many objects and arrays a text may stand in: those of the tools that edit files stand in three."""


class LongText(NamedTuple):
    """A text of some arguments, with its path in the body; `inside` a literal it has a span without quotes."""

    path: Path
    text: Span
    inside: bool = False


def long_texts(given: Span | None, path: Path, tail: Tail, least: int, *, free: bool = False) -> Iterator[LongText]:
    """The texts of more than `least` characters in arguments, which are written in `tail`, in order.

    Arguments that are `free` are one text. Others that are no JSON object have none.
    """
    if given is None or given.end - given.start <= least:
        return
    if not isinstance(given.value, str):
        for way, text in _texts(tail, given.start, given.end, least):
            yield LongText((*path, *way), text)
    elif free:
        if len(given.value) > least:
            yield LongText(path, given)
    else:
        found = _texts(Tail(given.value, START), 0, len(given.value), least)
        start = given.start + 1
        edges = written(tail.between(start, given.end - 1), [at for _, text in found
                                                            for at in (text.start + 1, text.end - 1)])
        for place, (way, text) in enumerate(found):
            here = Span(text.value, start + edges[2 * place], start + edges[2 * place + 1])
            yield LongText((*path, *way), here, inside=True)


def _texts(tail: Tail, start: int, end: int, least: int) -> list[tuple[Path, Span]]:
    """The long texts in the JSON object that is written there; none if there is anything else."""
    try:
        root = scan(tail.between(start, end), {}, start)
        found = [*_in(root, tail, least, _DEEPEST)] if isinstance(root.value, dict) else []
    except WireError:
        return []
    return sorted(found, key=lambda one: one[1].start)


def _in(opened: Span, tail: Tail, least: int, deep: int) -> Iterator[tuple[Path, Span]]:
    """Those in an object or array that is opened, and in what stands in it, so many levels deep."""
    values: Iterable[tuple[Any, Span]] = (
        opened.value.items() if isinstance(opened.value, dict) else enumerate(opened.value))
    for key, value in values:
        if value.end - value.start <= least:
            continue
        if isinstance(value.value, str):
            if len(value.value) > least:
                yield (key,), value
        elif isinstance(value.value, dict | list) and deep > 1:
            shape: Shape = {} if isinstance(value.value, dict) else [None]
            inner = scan(tail.between(value.start, value.end), shape, value.start)
            yield from (((key, *way), text) for way, text in _in(inner, tail, least, deep - 1))
