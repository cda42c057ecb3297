"""YAML as a tree, built from the parser's events: aliases share what they name, so a bomb stays as small as it is.

Plain scalars are numbers, truth values or null as in YAML 1.2; keys and all else, `010` and `yes` too, are text.
Several documents are an array.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

from ..phrases import clipped
from .meter import Meter
from .places import Tree

TREE_CHARS = 4 << 20
"""The longest YAML text of which a tree is built."""

_DEPTH = 200
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,300})")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]{1,300}|[0-9]{1,300}(?:\.[0-9]{0,300}|(?=[eE])))(?:[eE][-+]?[0-9]{1,4})?")
_WORDS = {"": None, "~": None, "null": None, "Null": None, "NULL": None, "true": True, "True": True, "TRUE": True,
          "false": False, "False": False, "FALSE": False}


def read_yaml(text: str, meter: Meter) -> Tree:
    """The tree of a YAML text. Raises ValueError, in one line, for what is none or cannot be held."""
    if len(text) > TREE_CHARS:
        raise ValueError(f"this YAML has {len(text):,} chars, and up to {TREE_CHARS:,} can be queried; "
                         "use toolstub_search or toolstub_read")
    tree = Tree(None, "YAML")
    try:
        documents = list(_Builder(text, tree, meter).documents())
    except yaml.YAMLError as error:
        mark: Any = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        problem = clipped(str(getattr(error, "problem", None) or error), 100)
        raise ValueError(f"not whole YAML: {problem}{where}; use toolstub_search or toolstub_read") from None
    if len(documents) != 1:
        tree.what = f"an array of {len(documents):,} YAML documents"
    tree.value = documents[0] if len(documents) == 1 else documents
    return tree


class _Builder:
    """Builds values from events, and notes at which offsets they begin."""

    def __init__(self, text: str, tree: Tree, meter: Meter) -> None:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self._events: Iterator[Any] = iter(yaml.parse(text.encode("utf-8", "replace").decode("utf-8"), Loader=loader))
        self._tree = tree
        self._meter = meter
        self._anchors: dict[str, Any] = {}

    def documents(self) -> Iterator[Any]:
        """The value of each document."""
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                self._anchors = {}
                yield self._value(next(self._events), 0)

    def _value(self, event: Any, depth: int) -> Any:
        if depth > _DEPTH:
            raise ValueError(f"this YAML nests deeper than {_DEPTH} levels; use toolstub_search or toolstub_read")
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise ValueError(f"not whole YAML: *{clipped(str(event.anchor), 40)} names nothing before it")
            return self._anchors[event.anchor]
        value: Any
        if isinstance(event, yaml.ScalarEvent):
            value = _resolved(event.value) if event.implicit[0] else event.value
        else:
            value = self._sequence(depth) if isinstance(event, yaml.SequenceStartEvent) else self._mapping(depth)
            self._tree.places[id(value)] = event.start_mark.index
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        return value

    def _sequence(self, depth: int) -> list[Any]:
        items = []
        for event in self._events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self._value(event, depth + 1))
        return items

    def _mapping(self, depth: int) -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            merges = isinstance(event, yaml.ScalarEvent) and event.value == "<<" and event.implicit[0]
            name = self._name(self._value(event, depth + 1)) if not isinstance(event, yaml.ScalarEvent) else event.value
            value = self._value(next(self._events), depth + 1)
            if merges:
                for part in value if isinstance(value, list) else [value]:
                    merged = (part if isinstance(part, dict) else {}) | merged
                    self._meter.spend(len(merged))
            else:
                own[name] = value
        return merged | own

    def _name(self, key: Any) -> str:
        self._meter.weigh(key)
        return key if isinstance(key, str) else json.dumps(key)


def _resolved(plain: str) -> Any:
    if plain in _WORDS:
        return _WORDS[plain]
    if _INT.fullmatch(plain):
        return int(plain)
    return float(plain) if _FLOAT.fullmatch(plain) else plain
