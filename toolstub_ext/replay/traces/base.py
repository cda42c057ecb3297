"""What a reader of traces is, and how it gets at a file: as one JSON document, or line by line, never as a whole."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TextIO

from ..conversation import Conversation
from .cursor import CHUNK, LONGEST, Malformed
from .elements import ITEMS_KEPT, Outline, elements, outline

_FIRST = 50
"""Records looked at to tell what a file is."""
_PROBE_CHARS = 4_096


class TraceError(ValueError):
    """A trace that cannot be read: one line with the file, the line and what was expected."""


class NothingToReplayError(TraceError):
    """A file that is of no kind we know, or holds no answer of a model."""


@dataclass
class Trace:
    """One file. What is wrong in it goes to `complain`, and the rest is read.

    `watch` hears how many of its bytes have been passed, from 0 each time that it is opened.
    """

    path: Path
    name: str
    complain: Callable[[str], None] = field(repr=False)
    watch: Callable[[int], None] = field(repr=False, default=lambda _: None)

    def open(self) -> BinaryIO:
        """The bytes of the file, from the beginning."""
        return io.BufferedReader(_Watched(self.path, self.watch), CHUNK)

    @cached_property
    def is_lines(self) -> bool:
        """Whether every line is a value of its own: the first one, or behind a broken one the second."""
        begun = self._outline
        if begun.first != begun.last or not begun.more:
            return False
        return begun.fault is None or any(_is_json(line) for _, line in islice(self._head(2), 1, None))

    def records(self) -> Iterator[Any]:
        """The values of the lines, one at a time."""
        for number, line in self._lines():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                self._tell(number, f"one JSON value on the line expected: {_reason(error)}")

    @cached_property
    def first(self) -> tuple[Any, ...]:
        """The first values: of a document its `outline`."""
        if not self.is_lines:
            return (self.outline,)
        return tuple(json.loads(line) for _, line in self._head(_FIRST) if _is_json(line))

    @cached_property
    def outline(self) -> Any:
        """The document with long arrays cut short, as far as it can be read; why not further goes to `complain`."""
        if self._outline.fault:
            self._tell(self._outline.fault.line, str(self._outline.fault))
        elif self._outline.more:
            self._tell(self._outline.last, "one JSON value or one on each line expected; the first is read")
        return self._outline.value

    def elements(self, *path: str) -> Iterator[Any]:
        """The elements of an array in the document, one at a time. What is behind a broken one goes to `complain`."""
        with self._text() as file:
            try:
                yield from elements(file, path)
            except Malformed as malformed:
                self._tell(malformed.line, str(malformed))

    def arrays(self, path_of: Callable[[Any], Sequence[str] | None]) -> Iterator[tuple[str, Any, Iterator[Any] | None]]:
        """Of each value in the file: its name, itself, and the elements of the array that `path_of` finds in it.

        Of a document the value is the outline, and the elements are all, one at a time. None if it finds no array.
        """
        if not self.is_lines:
            path = path_of(self.outline)
            yield self.name, self.outline, None if path is None else self.elements(*path)
            return
        for number, value in enumerate(self.records(), 1):
            path = path_of(value)
            yield f"{self.name}:{number}", value, None if path is None else iter(_inside(value, path))

    @cached_property
    def beginning(self) -> str:
        """The first characters, without blanks in front."""
        with self._text() as file:
            return file.read(_PROBE_CHARS).lstrip()

    def _text(self) -> TextIO:
        return io.TextIOWrapper(self.open(), encoding="utf-8-sig", errors="surrogateescape", newline="\n")

    def _lines(self) -> Iterator[tuple[int, str]]:
        """The lines that are not blank, with their numbers."""
        with self._text() as file:
            for number, line in enumerate(iter(partial(file.readline, LONGEST), ""), 1):
                if len(line) == LONGEST and not line.endswith("\n"):
                    self._tell(number, f"a line of at most {LONGEST:,} characters expected")
                    _pass_line(file)
                elif line.strip():
                    yield number, line

    def _head(self, most: int) -> Iterator[tuple[int, str]]:
        """The first lines; fewer, if they are long."""
        chars = 0
        for number, line in islice(self._lines(), most):
            yield number, line
            chars += len(line)
            if chars > ITEMS_KEPT:
                return

    @cached_property
    def _outline(self) -> Outline:
        with self._text() as file:
            return outline(file)

    def _tell(self, line: int, expected: str) -> None:
        self.complain(f"{self.name}, line {line}: {expected}")


class _Watched(io.FileIO):
    """A file that says how far it has been read."""

    def __init__(self, path: Path, watch: Callable[[int], None]) -> None:
        super().__init__(path)
        self._watch = watch
        self._passed = 0

    def readinto(self, buffer: Any, /) -> int | None:
        """As any file does."""
        size = super().readinto(buffer)
        self._passed += size or 0
        self._watch(self._passed)
        return size


class Reader(Protocol):
    """One kind of trace. A module satisfies it, also one behind an entry point of the group `toolstub.traces`."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The file names it is looked for in, when a folder is walked."""
        ...

    def reads(self, trace: Trace) -> bool:
        """Whether the file is of this kind. Raises TraceError if it is, and is broken."""
        ...

    def read(self, trace: Trace) -> Iterator[Conversation]:
        """Its conversations, one at a time. Raises TraceError."""
        ...


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or the texts of its parts by lines. Images are none."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, map(_text_of_part, content)))
    return json_of(content)


def json_of(value: Any) -> str:
    """Arguments as the model wrote them: a string as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; none if it is no list."""
    return [*objects_in(value)] if isinstance(value, list) else []


def objects_in(values: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """The objects among values, one at a time."""
    return (value for value in values if isinstance(value, dict))


def _text_of_part(part: Any) -> str:
    if not isinstance(part, dict):
        return str(part)
    inner = next((part[key] for key in ("text", "content", "output") if part.get(key)), "")
    return text_of(inner)


def _inside(value: Any, path: Sequence[str]) -> Any:
    for name in path:
        value = value[name]
    return value


def _pass_line(file: TextIO) -> None:
    """Go behind the end of the line."""
    while (read := file.readline(CHUNK)) and not read.endswith("\n"):
        pass


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _reason(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else type(error).__name__
