"""Reads XML with expat: no tree, no entities, and beyond some megabytes no counting either."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from xml.parsers import expat

_DETAIL_BYTES = 128 * 1024
_COUNT_BYTES = 4 * 1024 * 1024
_PIECE = 256 * 1024
_DEEPEST_PATH = 3
_MOST_PATHS = 120
_MOST_LEAVES = 120
_DEEPEST = 10_000
_ALARMING = frozenset(("failure", "error", "fault", "exception", "skipped"))


class _Refused(Exception):
    """The text wants something that is not done for it."""


@dataclass(slots=True)
class Scan:
    """What one pass found. `exact` is false where counting stopped before the end."""

    root: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    children: Counter[str] = field(default_factory=Counter)
    first_lines: dict[str, int] = field(default_factory=dict)
    paths: dict[str, int] = field(default_factory=dict)
    leaves: list[tuple[str, int, str]] = field(default_factory=list)
    alarms: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    elements: int = 0
    exact: bool = True
    cut: bool = False
    entities: bool = False
    problem: str = ""


def scan(text: str) -> Scan:
    """One pass over `text`; what is wrong with it, if anything, stands in the result."""
    data = text.lstrip().encode("utf-8", "replace")
    blank = text[: len(text) - len(text.lstrip())].count("\n")
    reader = _Reader(blank)
    found = reader.found
    try:
        for at in range(0, len(data), _PIECE):
            if at >= _DETAIL_BYTES:
                reader.count_only()
            if at >= _COUNT_BYTES:
                found.exact = False
                reader.count_nothing()
            reader.parser.Parse(data[at : at + _PIECE], False)
        reader.parser.Parse(b"", True)
    except _Refused as refused:
        found.exact = False
        found.problem = str(refused)
        found.entities = found.entities or reader.depth <= _DEEPEST
    except expat.ExpatError as error:
        found.exact = False
        found.problem = f"{expat.ErrorString(error.code)}, line {error.lineno + blank}"
        behind = len(data) - reader.parser.ErrorByteIndex
        found.cut = found.elements > 2 and behind < 64 and reader.depth > 0
    return found


class _Reader:
    """The handlers: in detail at first, then counts of the first two levels, then none."""

    def __init__(self, blank: int) -> None:
        self.found = Scan()
        self.depth = 0
        self._blank = blank
        self._stack: list[str] = []
        self._text: list[str] = []
        self._leaf = False
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._declared
        self.parser.EntityDeclHandler = self._refuse
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def count_only(self) -> None:
        """Keeps nothing but the counts of elements and of the children of the root."""
        self.parser.StartElementHandler = self._count_start
        self.parser.EndElementHandler = self._count_end
        self.parser.CharacterDataHandler = None

    def count_nothing(self) -> None:
        """Only checks that the rest is well-formed."""
        self.parser.StartElementHandler = None
        self.parser.EndElementHandler = None

    def _declared(self, name: str, *_: object) -> None:
        self.found.root = name

    def _refuse(self, *_: object) -> None:
        self.found.entities = True
        raise _Refused("declares entities")

    def _count_start(self, name: str, _: object) -> None:
        self.found.elements += 1
        if self.depth == 1:
            self.found.children[name] += 1
        self.depth += 1

    def _count_end(self, _: str) -> None:
        self.depth -= 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        found = self.found
        line = self.parser.CurrentLineNumber + self._blank
        if self.depth == 0:
            found.root, found.attributes = name, attributes
        elif self.depth == 1:
            found.children[name] += 1
            found.first_lines.setdefault(name, line)
        if self.depth > _DEEPEST:
            raise _Refused("nested too deeply")
        found.elements += 1
        self.depth += 1
        self._stack.append(name)
        if 2 < self.depth <= _DEEPEST_PATH + 1:
            path = "/".join(self._stack[1:])
            if path in found.paths or len(found.paths) < _MOST_PATHS:
                found.paths[path] = found.paths.get(path, 0) + 1
        bare = name.rpartition(":")[2].lower()
        if bare in _ALARMING and self.depth > 1:
            told = " ".join(attributes.get(key, "") for key in ("name", "message", "type") if attributes.get(key))
            found.alarms.setdefault(bare, []).append((line, told))
        named = next((attributes[key] for key in ("name", "id", "title", "href") if attributes.get(key)), None)
        if named and len(found.leaves) < _MOST_LEAVES and self.depth > 1:
            found.leaves.append((name, line, named))
        self._text.clear()
        self._leaf = True

    def _characters(self, text: str) -> None:
        if len(self._text) < 4:
            self._text.append(text[:200])

    def _end(self, name: str) -> None:
        found = self.found
        text = "".join(self._text).strip() if self._leaf else ""
        bare = name.rpartition(":")[2].lower()
        if text and bare in _ALARMING and found.alarms.get(bare):
            line, told = found.alarms[bare][-1]
            found.alarms[bare][-1] = (line, f"{told} {text}".strip())
        if text and len(found.leaves) < _MOST_LEAVES:
            line = self.parser.CurrentLineNumber + self._blank
            found.leaves.append(("/".join(self._stack[-2:]), line, text))
        self._text.clear()
        self._leaf = False
        self._stack.pop()
        self.depth -= 1
