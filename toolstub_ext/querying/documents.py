"""JMESPath on what JSON, YAML and tables hold. A plain path into JSON is followed in the text itself."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ..phrases import clipped
from ..store.pointer import find_value
from . import json_tree, values
from .answer import Answer, Listing, Passage
from .jmes import Expression
from .meter import Meter
from .paths import as_path, as_pointer
from .places import Tree
from .subject import Subject
from .yaml_tree import read_yaml

_EXACT_CHARS = 4_000
_MANY = frozenset({"ndjson", "concatenated", "sse"})


def pointer_of(expression: str) -> str | None:
    """The JSON pointer that an expression is, or could be written as."""
    return as_pointer(expression if expression.startswith("/") else Expression(expression).text)


def in_yaml(subject: Subject, expression: str) -> Answer:
    """What the expression selects from YAML."""
    meter = Meter()
    return selected(subject, expression, read_yaml(subject.source.clean, meter), meter)


def in_json(subject: Subject, expression: str) -> Answer:
    """What the expression selects from JSON, or from an array of the many values that a text holds."""
    text = subject.source.clean
    variant = json_tree.as_many(text, subject.synopsis.variant)
    pointer = pointer_of(expression)
    if not pointer or variant in _MANY:
        return _of_tree(subject, expression, text, variant)
    try:
        start, end = find_value(text, pointer)
    except ValueError as error:
        if variant != "truncated":
            return Listing(subject.ref, f"nothing: {clipped(str(error))}", ("null",), None, _no_more)
        of_what_is_there = _of_tree(subject, expression, text, variant)
        if of_what_is_there.value is None:
            raise
        return of_what_is_there
    path = as_path(pointer)
    if text[start] != '"' and (end - start <= _EXACT_CHARS or end - start > json_tree.TREE_CHARS):
        return _exact(subject, f"JSON at {path}", start, end)
    tree = json_tree.read_part(text, start, end)
    place = _exact(subject, "", start, end)
    tree.what = f"JSON at {path} (chars {place.offset}..{place.offset + len(place.text)}, line {place.first_line})"
    return values.answer(subject.ref, path, tree.value, _Places(subject, tree).told, tree.what)


def _of_tree(subject: Subject, expression: str, text: str, variant: str | None) -> Listing:
    meter = Meter()
    return selected(subject, expression, json_tree.read_json(text, variant), meter)


def selected(subject: Subject, expression: str, tree: Tree, meter: Meter) -> Listing:
    """What JMESPath selects from a tree. Raises ValueError, in one line, for an expression that is none."""
    parsed = Expression(as_path(expression) if expression.startswith("/") else expression)
    value = parsed.evaluate(tree.value, meter)
    answer = values.answer(subject.ref, parsed.text, value, _Places(subject, tree).told, tree.what)
    if value in (None, []) and re.search(r"[=<>!]\s*\"", parsed.text):
        answer = replace(answer, what=f'{answer.what}; note that "x" is a field, and a text is written \'x\'')
    if value is None and parsed.text == "*":
        answer = replace(answer, what=f"{answer.what}; * takes the values of an object, [*] the items of an array")
    return answer


class _Places:
    """Tells where the parts of a tree stand: by line, or by offset where all stand on one."""

    def __init__(self, subject: Subject, tree: Tree) -> None:
        self._subject, self._tree = subject, tree
        self._index = subject.source.clean_index
        self._by_line = self._index.count > 1 or _shift(subject) is None

    def told(self, part: Any) -> str:
        """`line 17: `, or nothing if it is not known."""
        place = self._tree.place_of(part)
        if place is None:
            return ""
        if self._by_line:
            return f"line {self._subject.line(self._index.line_of(place))}: "
        return f"offset {place + (_shift(self._subject) or 0)}: "


def _exact(subject: Subject, what: str, start: int, end: int) -> Passage:
    """The text between two places inside, or its whole lines where only lines are the same inside and outside."""
    shift = _shift(subject)
    if shift is None:
        index = subject.source.clean_index
        return subject.passage(what, index.line_of(start), index.line_of(end))
    return Passage(subject.ref, what, subject.text[start + shift:end + shift], start + shift,
                   subject.lines.line_of(start + shift))


def _shift(subject: Subject) -> int | None:
    """What to add to a place in the text inside to get the one in the whole; None where only lines agree."""
    return None if subject.source.shift is None or subject.offset is None else subject.source.shift + subject.offset


def _no_more(_count: int) -> str:
    return "another expression"
