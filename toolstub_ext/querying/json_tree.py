"""JSON as a tree: one value, or many on lines, one behind another, or in the events of a stream.

A large value is cut into its members first and read member by member, so that other threads get their turn and the
items of a long array have known places.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from ..store.pointer import end_of, members
from .places import Tree

TREE_CHARS = 32 << 20
"""The longest JSON text of which a tree is built."""

_PIECE_CHARS = 1 << 14
_MOST_DIGITS = 4_000
_DEPTH = 4
_DEEPEST = 2_000
_CROWDED_CHARS = 4 << 20
_LEAST_CHARS = 8
_BLANK = " \t\r\n\ufeff"
_DATA = re.compile(r"^data: ?(?=[\[{])(.*)$", re.MULTILINE)
_READER = json.JSONDecoder(strict=False)
_BETWEEN = re.compile(r"[\s,]*+")


def read_json(text: str, variant: str | None) -> Tree:
    """The tree of a JSON text. Raises ValueError, in one line, for what is none or cannot be held."""
    if len(text) > TREE_CHARS:
        raise ValueError(
            f"this JSON has {len(text):,} chars, and above {TREE_CHARS:,} only a plain path such as items[0].id works; "
            "use toolstub_search, or toolstub_read with a pointer")
    if variant == "sse":
        return _records(text, "event", lambda: ((match.start(1), match.end(1)) for match in _DATA.finditer(text)))
    if as_many(text, variant) == "ndjson":
        return _records(text, "record", lambda: _lines(text))
    if variant == "concatenated":
        return _records(text, "value", lambda: _one_behind_another(text))
    tree = Tree(None, "JSON")
    start = len(text) - len(text.lstrip(_BLANK))
    if variant == "truncated":
        tree.what = "JSON that is cut short, as far as it is there"
        tree.value = _begun(text, start, tree)
    else:
        tree.value = _grown(text, start, len(text), tree)
    return tree


def as_many(text: str, variant: str | None) -> str | None:
    """The variant to read a text as: of records that end in the middle of one, those before it are whole."""
    return "ndjson" if variant == "truncated" and "}\n{" in text else variant


def read_part(text: str, start: int, end: int) -> Tree:
    """The tree of the value that stands between two places of a text."""
    tree = Tree(None, "JSON")
    tree.value = _grown(text, start, end, tree)
    return tree


def load(text: str, start: int, end: int) -> Any:
    """One JSON value, read as leniently as the standard library can. Raises ValueError with the place of an error."""
    try:
        return _READER.decode(text[start:end])
    except RecursionError:
        raise ValueError("this JSON nests too deeply for a tree; use toolstub_search or toolstub_read") from None
    except json.JSONDecodeError as error:
        raise ValueError(_broken(text, error.msg, start + error.pos)) from None
    except ValueError:  # an integer of thousands of digits
        return json.JSONDecoder(strict=False, parse_int=_whole).decode(text[start:end])


def _broken(text: str, said: str, offset: int) -> str:
    return (f"not whole JSON: {said} at offset {offset} (line {text.count(chr(10), 0, offset) + 1}); "
            "use toolstub_search or toolstub_read")


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MOST_DIGITS else digits


def _grown(text: str, start: int, end: int, tree: Tree, depth: int = 0) -> Any:
    """The value between two places; a large one member by member, down to a depth that keeps the work linear."""
    value: Any
    if end - start <= _PIECE_CHARS or depth == _DEPTH or text[start] not in "[{" or _is_crowded(text, start, end):
        value = load(text, start, end)
    else:
        try:
            behind = text[end_of(text, start, _DEEPEST):end].strip()
            parts = [(name, _grown(text, first, last, tree, depth + 1))
                     for name, first, last in members(text, start, _DEEPEST)]
        except json.JSONDecodeError as error:
            raise ValueError(_broken(text, error.msg, error.pos)) from None
        if behind:
            raise ValueError(_broken(text, "something follows it", end_of(text, start)))
        value = dict(parts) if text[start] == "{" else [part for _, part in parts]
    if isinstance(value, dict | list):
        tree.places[id(value)] = start
    return value


def _begun(text: str, start: int, tree: Tree, depth: int = 0) -> Any:
    """The object or array that begins here with the members that are whole, and of the last one what is."""
    parts: list[tuple[str | None, Any]] = []
    try:
        for name, first, last in members(text, start, _DEEPEST):
            if last >= 0:
                parts.append((name, _grown(text, first, last, tree, depth + 1)))
            elif depth < _DEPTH and text[first : first + 1] in ("{", "["):
                parts.append((name, _begun(text, first, tree, depth + 1)))
    except json.JSONDecodeError:
        pass  # which is where it is cut
    value = dict(parts) if text[start] == "{" else [part for _, part in parts]
    tree.places[id(value)] = start
    return value


def _is_crowded(text: str, start: int, end: int) -> bool:
    """Whether a large value has so many small members that to read them one by one would take too long."""
    return text.count(",", start, end) > (end - start) // _LEAST_CHARS and end - start > _CROWDED_CHARS


def _records(text: str, word: str, spans: Callable[[], Iterator[tuple[int, int]]]) -> Tree:
    """The values at the spans as an array; what is no JSON among them is left out, and counted."""
    values: list[Any] = []
    tree = Tree(values, "")
    bad = 0
    for start, end in spans():
        try:
            values.append(_grown(text, start, end, tree))
        except ValueError:
            bad += 1
    left_out = f", {bad:,} that are not JSON left out" if bad else ""
    tree.what = f"an array of {len(values):,} {word}{'' if len(values) == 1 else 's'}{left_out}"
    return tree


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if not text[start:end].isspace() and end > start:
            yield start, end
        start = end + 1


def _one_behind_another(text: str) -> Iterator[tuple[int, int]]:
    start = len(text) - len(text.lstrip(_BLANK))
    while start < len(text):
        try:
            end = end_of(text, start)
        except json.JSONDecodeError:
            end = len(text)
        yield start, end
        between = _BETWEEN.match(text, end)
        start = between.end() if between else end
