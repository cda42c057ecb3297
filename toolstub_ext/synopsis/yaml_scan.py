"""Follows the events of a YAML text without building anything, so that no alias or merge key can expand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .model import Source
from .wording import one_line

SCANNED_CHARS = 64 * 1024
_DEEPEST = 100
_MOST_BRANCHES = 2000
_MOST_PATHS = 600
_FAR_KEY = re.compile(r"\n(?P<key>[\w.$/@-][^\n:#]{0,120}|\"[^\"\n]{1,120}\"):(?=[ \n])")


@dataclass(slots=True)
class Branch:
    """A key or an item of the first level: where it stands and what is under it."""

    key: str
    line: int
    told: str = ""


@dataclass(slots=True)
class Document:
    """One document. `paths` are the keys further down with their lines; `title` is kind and name, where it has them."""

    line: int
    is_list: bool = False
    branches: list[Branch] = field(default_factory=list)
    paths: list[tuple[str, int]] = field(default_factory=list)
    path_depths: list[int] = field(default_factory=list)
    item_keys: Counter[str] = field(default_factory=Counter)
    title: str = ""
    complete: bool = False


@dataclass(slots=True)
class _Level:
    """A collection that is open: its path, the key waiting for its value, and how many children it has had."""

    mapping: bool
    path: str
    line: int
    key: str | None = None
    key_line: int = 0
    children: int = 0
    names: list[str] = field(default_factory=list)


def _events(text: str) -> Iterator[Any]:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        raise ValueError(f"{getattr(error, 'problem', None) or 'not YAML'}{where}") from error


def scan(text: str) -> tuple[list[Document], str]:
    """The documents in the first 64 KiB, and what is wrong with them, if anything."""
    cut = len(text) > SCANNED_CHARS
    if cut:
        text = text[: _safe_end(text)]
    walker = _Walker()
    try:
        for event in _events(text):
            walker.take(event)
    except ValueError as error:
        return walker.documents, str(error)
    if cut and walker.documents:
        walker.documents[-1].complete = False
    return walker.documents, ""


def _safe_end(text: str) -> int:
    """The last line end before the limit behind which a line begins in the first column."""
    end = text.rfind("\n", 0, SCANNED_CHARS)
    at = end
    while at > SCANNED_CHARS // 2:
        if text[at + 1 : at + 2] not in (" ", "\t", "\n", "#", "-", "}", "]"):
            return at + 1
        at = text.rfind("\n", 0, at)
    return end + 1 if end > 0 else SCANNED_CHARS


class _Walker:
    """Takes events and keeps what the description needs."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self._stack: list[_Level] = []
        self._named: dict[str, str] = {}

    def take(self, event: Any) -> None:
        """Takes one event; raises ValueError where it nests too deeply."""
        name = type(event).__name__
        line = event.start_mark.line + 1
        if name == "DocumentStartEvent":
            self.documents.append(Document(line))
            self._named = {}
        elif name == "DocumentEndEvent":
            self.documents[-1].complete = True
            self.documents[-1].title = " ".join(self._named[key] for key in ("kind", "name") if key in self._named)
        elif name in ("MappingStartEvent", "SequenceStartEvent"):
            self._open(name == "MappingStartEvent", line)
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            self._close()
        elif name == "ScalarEvent":
            self._scalar(event.value, line)
        elif name == "AliasEvent":
            self._scalar("*" + event.anchor, line)

    def _open(self, mapping: bool, line: int) -> None:
        if len(self._stack) > _DEEPEST:
            raise ValueError("nested too deeply")
        document = self.documents[-1]
        if not self._stack:
            document.is_list = not mapping
            document.line = line
            self._stack.append(_Level(mapping, "", line))
            return
        parent = self._stack[-1]
        if parent.mapping and parent.key is None:
            parent.key, parent.key_line = "?", line
            parent.children += 1
        path = self._child(parent)
        self._stack.append(_Level(mapping, path, line))

    def _child(self, parent: _Level) -> str:
        """Counts a child of `parent` and returns its path."""
        if parent.mapping:
            return f"{parent.path}.{parent.key}" if parent.path else str(parent.key)
        parent.children += 1
        return f"{parent.path}[{parent.children - 1}]"

    def _close(self) -> None:
        level = self._stack.pop()
        if not self._stack:
            return
        what = "object" if level.mapping else "list"
        names = ""
        if level.names:
            names = " {" + ", ".join(level.names[:5]) + (", …" if level.children > 5 else "") + "}"
        told = f"{what} {level.children}{names}" if level.mapping else f"{what} {level.children}"
        self._finished(told, level.line)

    def _finished(self, told: str, line: int) -> None:
        """Notes the value that is complete now with its key or place."""
        parent = self._stack[-1]
        document = self.documents[-1]
        if len(self._stack) == 1 and len(document.branches) < _MOST_BRANCHES:
            key = str(parent.key) if parent.mapping else f"[{parent.children - 1}]"
            document.branches.append(Branch(key, parent.key_line if parent.mapping else line, told))
        parent.key = None

    def _scalar(self, value: str, line: int) -> None:
        if not self._stack:
            return
        parent = self._stack[-1]
        document = self.documents[-1]
        if parent.mapping and parent.key is None:
            parent.key, parent.key_line = value, line
            parent.children += 1
            parent.names.append(one_line(value, 24))
            depth = len(self._stack)
            if depth > 1 and len(document.paths) < _MOST_PATHS:
                document.paths.append((f"{parent.path}.{one_line(value, 60)}", line))
                document.path_depths.append(depth)
            if depth == 2 and document.is_list:
                document.item_keys[value] += 1
            return
        if not parent.mapping:
            parent.children += 1
        if (
            parent.mapping
            and parent.key in ("kind", "name")
            and len(self._stack) <= 2
            and parent.path in ("", "metadata")
        ):
            self._named.setdefault(parent.key, one_line(value, 60))
        shown = one_line(value, 40)
        paths = document.paths
        if parent.mapping and len(self._stack) > 1 and paths and paths[-1][1] == parent.key_line and len(value) <= 40:
            paths[-1] = (f"{paths[-1][0]}: {shown}", parent.key_line)
        self._finished(shown if len(value) <= 40 and "\n" not in value else f"string {len(value)}", line)


def far_keys(source: Source) -> list[Branch]:
    """The keys in the first column behind the part that was scanned, by a search for line ends."""
    text = source.clean
    start = _safe_end(source.head) - 1 if len(source.head) > SCANNED_CHARS else len(source.head) - 1
    found: list[Branch] = []
    line, counted = source.clean_index.line_of(max(0, start)), max(0, start)
    for match in _FAR_KEY.finditer(text, max(0, start)):
        line += text.count("\n", counted, match.start("key"))
        counted = match.start("key")
        found.append(Branch(match["key"].strip("\"'"), line))
        if len(found) == _MOST_BRANCHES:
            break
    return found
