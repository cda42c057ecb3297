"""Reads XML with expat: no tree, no entities, and beyond 768 KiB no counting either."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

_COUNT_BYTES = 768 * 1024
_PIECE = 256 * 1024
_DEEPEST_PATH = 3
_MOST_PATHS = 120
_DEEPEST = 200
_ALARMING = frozenset(("failure", "error", "fault", "exception", "skipped"))
_TELLING = ("name", "message", "type")
_NAMING = ("name", "id", "title", "href")


class _Refused(Exception):
    """The text wants something that is not done for it."""


@dataclass(slots=True)
class Scan:
    """What one pass found. `exact` is false where counting stopped before the end, at byte `counted`.

    `paths` leads from below the root to how often there is such an element; `leaves` are the first values, as path,
    line and text; `alarms` what an element that tells of a failure says, by the element.
    """

    root: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    paths: dict[str, int] = field(default_factory=dict)
    first_lines: dict[str, int] = field(default_factory=dict)
    leaves: list[tuple[str, int, str]] = field(default_factory=list)
    alarms: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    elements: int = 0
    exact: bool = True
    counted: int = 0
    cut: bool = False
    entities: bool = False
    deep: bool = False
    problem: str = ""

    @property
    def children(self) -> dict[str, int]:
        """How often each element stands directly below the root."""
        return {path: number for path, number in self.paths.items() if "/" not in path}


def scan(text: str, leaves: int) -> Scan:
    """One pass over `text`, for at most so many leaves; what is wrong with it, if anything, stands in the result."""
    data = text.lstrip().encode("utf-8", "replace")
    blank = text[: len(text) - len(text.lstrip())].count("\n") if text[:1].isspace() else 0
    reader = _Reader(blank, leaves)
    found = reader.found
    try:
        for at in range(0, len(data), _PIECE):
            if at >= _COUNT_BYTES and found.exact:
                found.exact = False
                found.counted = at
                reader.count_nothing()
            reader.parser.Parse(data[at : at + _PIECE], False)
        reader.parser.Parse(b"", True)
    except _Refused as refused:
        found.exact = False
        found.problem = str(refused)
    except expat.ExpatError as error:
        found.exact = False
        found.problem = f"{expat.ErrorString(error.code)}, line {error.lineno + blank}"
        behind = len(data) - reader.parser.ErrorByteIndex
        found.cut = reader.elements > 2 and behind < 64 and reader.depth > 0
    found.elements = reader.elements
    return found


class _Reader:
    """The handlers: all of them for the first leaves and inside of what alarms, else only those that count."""

    def __init__(self, blank: int, leaves: int) -> None:
        self.found = Scan()
        self._blank = blank
        self._leaves = leaves
        self._open: list[str] = []
        self._plain: set[str] = set()
        self._deeper = 0
        self._text: list[str] = []
        self._leaf = False
        self._listening = False
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._declared
        self.parser.EntityDeclHandler = self._refuse
        self._listen()

    @property
    def depth(self) -> int:
        """How many elements are open."""
        return len(self._open)

    @property
    def elements(self) -> int:
        """How many elements have been opened."""
        return sum(self.found.paths.values()) + self._deeper + bool(self.found.first_lines)

    def count_nothing(self) -> None:
        """Only checks that the rest is well-formed."""
        self.parser.StartElementHandler = None
        self.parser.EndElementHandler = None
        self.parser.CharacterDataHandler = None

    def _listen(self) -> None:
        self._listening = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def _declared(self, name: str, *_: object) -> None:
        self.found.root = name

    def _refuse(self, *_: object) -> None:
        self.found.entities = True
        raise _Refused("declares entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        depth = len(self._open)
        paths = self.found.paths
        if depth > 1:
            path = f"{self._open[-1]}/{name}"
            if path in paths:
                paths[path] += 1
            elif depth <= _DEEPEST_PATH and len(paths) < _MOST_PATHS:
                paths[path] = 1
            else:
                self._deeper += 1
        elif depth:
            path = name
            paths[path] = paths.get(path, 0) + 1
            if paths[path] == 1:
                self.found.first_lines[name] = self._line()
        else:
            path = ""
            self.found.root, self.found.attributes = name, attributes
            self.found.first_lines[""] = self._line()
        self._open.append(path)
        alarming = _bare(name) in _ALARMING and depth > 0
        if alarming and not self._listening:
            self._listen()
        elif not alarming and path in paths:
            self._plain.add(path)
        if self._listening:
            self._look(name, attributes, alarming=alarming)
        if depth > _DEEPEST:
            self.found.deep = True
            raise _Refused("nested too deeply")
        self._leaf = True

    def _look(self, name: str, attributes: dict[str, str], *, alarming: bool) -> None:
        found = self.found
        self._text.clear()
        if alarming:
            told = " ".join(attributes[key] for key in _TELLING if attributes.get(key))
            found.alarms.setdefault(_bare(name), []).append((self._line(), told))
        if attributes and len(found.leaves) < self._leaves and len(self._open) > 1:
            named = next((attributes[key] for key in _NAMING if attributes.get(key)), None)
            if named:
                found.leaves.append((name, self._line(), named))

    def _line(self) -> int:
        return self.parser.CurrentLineNumber + self._blank

    def _characters(self, text: str) -> None:
        if len(self._text) < 4:
            self._text.append(text[:200])

    def _end(self, name: str) -> None:
        """Takes the text of a leaf; listens no more when there are leaves enough."""
        found = self.found
        path = self._open.pop()
        text = "".join(self._text).strip() if self._leaf else ""
        bare = _bare(name)
        if text and bare in _ALARMING and found.alarms.get(bare):
            line, told = found.alarms[bare][-1]
            found.alarms[bare][-1] = (line, f"{told} {text}".strip())
        if text and len(found.leaves) < self._leaves:
            parents = path.split("/")[-2:] if "/" in path else [found.root, name][-len(self._open) - 1 :]
            found.leaves.append(("/".join(parents), self._line(), text))
        self._text.clear()
        self._leaf = False
        if len(found.leaves) >= self._leaves:
            self._listening = False
            self.parser.StartElementHandler = self._start_quietly
            self.parser.EndElementHandler = self._end_quietly
            self.parser.CharacterDataHandler = None

    def _start_quietly(self, name: str, attributes: dict[str, str]) -> None:
        parent = self._open[-1]
        path = f"{parent}/{name}" if parent else name
        if path in self._plain:
            self.found.paths[path] += 1
            self._open.append(path)
        else:
            self._start(name, attributes)

    def _end_quietly(self, _: str) -> None:
        self._open.pop()


def _bare(name: str) -> str:
    """The name without its prefix, in lower case."""
    return name.rpartition(":")[2].lower()
