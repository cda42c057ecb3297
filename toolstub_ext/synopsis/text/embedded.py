"""JSON inside of other text: on which lines a value stands, and what it is, so that it can be read alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..facts import Facts
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line

_OPENING = Pattern(r"\n(?=[\[{])")
_LONGEST = 1 << 15
_LEAST_CHARS = 40
_MOST = 8
_MOST_TRIES = 8
_KEYS = 8
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Embedded:
    """A value, where it stands in the text, and the lines it begins and ends on."""

    value: Any
    start: int
    end: int
    first: int
    last: int


def embedded(source: Source) -> Iterator[Embedded]:
    """The values that begin at the beginning of a line of the head, one behind the other."""
    behind = counted = tries = 0
    number = 1
    for opening in _OPENING.finditer("\n" + source.head):
        start = opening.start()
        if start < behind:
            continue
        if tries == _MOST_TRIES:
            return
        tries += 1
        number += source.head.count("\n", counted, start)
        counted = start
        window = source.head[start : start + _LONGEST]
        try:
            value, length = _DECODER.raw_decode(window)
        except (ValueError, RecursionError):
            continue
        if value and length >= _LEAST_CHARS and isinstance(value, dict | list):
            behind = start + length
            yield Embedded(value, start, behind, number, number + window.count("\n", 0, length))


def say_embedded(source: Source, facts: Facts, rank: int) -> None:
    """Says where there is JSON in a text, and what keys it has."""
    found = list(islice(embedded(source), _MOST))
    facts.dense(
        "structure",
        found,
        rank=rank,
        lead="JSON in it: ",
        more=False,
        tell=lambda each: f"{_lines(source, each)} {_told(each.value)}",
    )
    for each in found:
        facts.anchor(f"JSON {_told(each.value)}", each.start, each.end - each.start, each.first)


def _lines(source: Source, each: Embedded) -> str:
    first, last = source.number(each.first), source.number(each.last)
    return f"line {first}" if first == last else f"lines {first}-{last}"


def _told(value: Any) -> str:
    """`object {id, path, body}`, `array of 3 objects {id, name}`."""
    if isinstance(value, dict):
        more = f", … {len(value) - _KEYS} more" if len(value) > _KEYS else ""
        return f"object {{{', '.join(one_line(key, 40) for key in list(value)[:_KEYS])}{more}}}"
    if all(isinstance(item, dict) for item in value):
        return f"array of {count(len(value), 'object')} {_told(value[0]).removeprefix('object ')}"
    return f"array of {count(len(value), 'item')}"
