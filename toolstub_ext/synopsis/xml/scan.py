"""Reads XML with expat: no tree, no entities. It tells of the first elements and checks the rest; tags are counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from xml.parsers import expat

from .tags import count
from .tally import MOST_ALARMS, Tally, bare

COUNTED_BYTES = 768 * 1024
"""How much of a text is counted; the rest is only checked to be well-formed."""
_PIECE = 256 * 1024
_TELLING = ("name", "message", "type")
_PIECES = 4
_PIECE_CHARS = 200
"""How much of a value is told: its first pieces, as the parser gives them, and the beginning of each."""
_NAMING = ("name", "id", "title", "href")
_OWNING = ("classname", "name")


class _Refused(Exception):
    """The text wants something that is not done for it."""


@dataclass(slots=True)
class Scan:
    """What one pass found. `exact` is false where counting stopped before the end, at character `counted`.

    `tally` has the elements by their paths; `leaves` are the first values, as path, line and text; `alarms` what the
    first elements that tell of a failure say, by the element: line, whose it is, text.
    """

    root: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    leaves: list[tuple[str, int, str]] = field(default_factory=list)
    alarms: dict[str, list[tuple[int, str, str]]] = field(default_factory=dict)
    exact: bool = True
    counted: int = 0
    cut: bool = False
    entities: bool = False
    problem: str = ""

    @property
    def children(self) -> dict[str, int]:
        """How often each element stands directly below the root."""
        return {path: number for path, number in self.tally.paths.items() if "/" not in path}


def scan(text: str, leaves: int) -> Scan:
    """One pass over `text`, for at most so many leaves; what is wrong with it, if anything, stands in the result."""
    stripped = text.lstrip()
    data = stripped.encode("utf-8", "replace")
    blank = text[: len(text) - len(stripped)].count("\n") if len(stripped) < len(text) else 0
    reader = _Reader(data, blank, leaves)
    found = reader.found
    end = len(data)
    try:
        for at in range(0, len(data), _PIECE):
            if at >= COUNTED_BYTES:
                reader.listen_no_more()
            reader.parser.Parse(data[at : at + _PIECE], False)
        reader.parser.Parse(b"", True)
    except _Refused as refused:
        found.problem = str(refused)
    except expat.ExpatError as error:
        found.problem = f"{expat.ErrorString(error.code)}, line {error.lineno + blank}"
        end = reader.parser.ErrorByteIndex
    if reader.quiet_from is not None:
        behind = data.rfind(b"<", 0, COUNTED_BYTES) if end > COUNTED_BYTES else end
        found.exact = behind == end
        found.counted = len(text) - (_characters(data[behind:]) if len(data) > len(stripped) else len(data) - behind)
        reader.count(data[reader.quiet_from : behind].decode("utf-8", "replace"))
    found.exact = found.exact and not found.problem and not found.tally.deep
    unclosed = end < len(data) or found.problem.startswith("no element")
    found.cut = len(data) - end < 64 and unclosed and found.tally.elements > 2 and found.tally.open
    return found


def _characters(data: bytes) -> int:
    return len(data.decode("utf-8", "replace"))


class _Reader:
    """The handlers: they follow the elements as long as there are leaves to be found, and none listens after that."""

    def __init__(self, data: bytes, blank: int, leaves: int) -> None:
        self.found = Scan()
        self._data = data
        self.quiet_from: int | None = None
        self._blank = blank
        self._leaves = leaves
        self._quiet_line = 0
        self._text: list[str] = []
        self._around: list[dict[str, str]] = []
        self._leaf = False
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._declared
        self.parser.EntityDeclHandler = self._refuse
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text.append

    def listen_no_more(self, inside: bytes = b"") -> None:
        """From now on, or from the end of this tag of `inside` on, elements are only checked, to be counted later."""
        if self.quiet_from is None:
            at = self.parser.CurrentByteIndex
            self.quiet_from = inside.find(b">", at) + 1 if inside else at
            self._quiet_line = self._line() + inside.count(b"\n", at, self.quiet_from)
            self.parser.StartElementHandler = None
            self.parser.EndElementHandler = None
            self.parser.CharacterDataHandler = None

    def count(self, text: str) -> None:
        """Counts the elements in the part that nobody listened to."""
        for line, name, markup, around in count(self.found.tally, text, self._quiet_line):
            self._alarm(bare(name), line, partial(self._told, markup, around))

    def _declared(self, name: str, *_: object) -> None:
        self.found.root = name

    def _refuse(self, *_: object) -> None:
        self.found.entities = True
        raise _Refused("declares entities")

    def _line(self) -> int:
        return self.parser.CurrentLineNumber + self._blank

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        found = self.found
        if not found.tally.open:
            found.root, found.attributes = name, attributes
        element = found.tally.enter(name, self._line)
        if element.alarming and element.depth:
            self._alarm(bare(name), self._line(), partial(_owner_and_told, self._around[-1], attributes))
        self._around.append(attributes)
        if found.tally.deep:
            raise _Refused("nested too deeply")
        if attributes and element.depth and len(found.leaves) < self._leaves:
            named = next(filter(None, map(attributes.get, _NAMING)), None)
            if named:
                found.leaves.append((name, self._line(), named))
        self._text.clear()
        self._leaf = True

    def _alarm(self, name: str, line: int, told: Callable[[], tuple[str, str]]) -> None:
        alarms = self.found.alarms.setdefault(name, [])
        if len(alarms) < MOST_ALARMS:
            alarms.append((line, *told()))

    def _told(self, markup: str, around: Callable[[], str | int]) -> tuple[str, str]:
        """Whose an element is, from the tag around it, and what it says, from its tag and the text up to the next."""
        told: list[str] = []
        owner = around()
        attributes = self._around[-1 - owner] if isinstance(owner, int) else _attributes(owner)
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = lambda _, attributes: told.append(_telling(attributes))
        parser.CharacterDataHandler = told.append
        try:
            parser.Parse(markup, True)
        except expat.ExpatError:
            return "", markup
        return _owner_and_told(attributes, {})[0], " ".join(" ".join(told)[:800].split())

    def _end(self, name: str) -> None:
        """Takes the text of a leaf; listens no more when there are leaves enough."""
        leaves, element = self.found.leaves, self.found.tally.leave()
        self._around.pop()
        text = "".join([piece[:_PIECE_CHARS] for piece in self._text[:_PIECES]]).strip() if self._leaf else ""
        if text:
            if element.alarming and element.depth:
                self._complete_alarm(bare(name), text)
            if len(leaves) < self._leaves:
                path = element.path if element.depth != 1 else f"{self.found.root}/{name}"
                leaves.append(("/".join(path.split("/")[-2:]) or name, self._line(), text))
        if len(leaves) >= self._leaves:
            at = self.parser.CurrentByteIndex
            empty = self._leaf and self._data[at - 2 : at] == b"/>"
            self.listen_no_more(b"" if empty else self._data)
        self._text.clear()
        self._leaf = False

    def _complete_alarm(self, name: str, text: str) -> None:
        """Puts the text of an element behind what its attributes say; of the last one only these are told."""
        alarms = self.found.alarms[name]
        if len(alarms) < MOST_ALARMS:
            line, owner, told = alarms[-1]
            alarms[-1] = (line, owner, f"{told} {text}".strip())


def _owner_and_told(around: dict[str, str], attributes: dict[str, str]) -> tuple[str, str]:
    """Whose an element is, as in `cart.total`, and what it says."""
    return ".".join(around[key] for key in _OWNING if around.get(key)), _telling(attributes)


def _telling(attributes: dict[str, str]) -> str:
    return " ".join(attributes[key] for key in _TELLING if attributes.get(key))


def _attributes(tag: str) -> dict[str, str]:
    """The attributes of an opening tag."""
    found: dict[str, str] = {}
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = lambda _, attributes: found.update(attributes)
    try:
        parser.Parse(tag, False)
    except expat.ExpatError:
        return {}
    return found
