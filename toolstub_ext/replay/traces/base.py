"""What a reader of traces is, and how it gets at a file: as one JSON document, or line by line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from ..conversation import Conversation
from .elements import Malformed, elements

_FIRST = 50
"""Records looked at to tell what a file is."""
_PROBE_CHARS = 4_096


class TraceError(ValueError):
    """A trace that cannot be read: one line with the file, the line and what was expected."""


class NothingToReplayError(TraceError):
    """A file that is of no kind we know, or holds no answer of a model."""


@dataclass
class Trace:
    """One file. A line of it that is no JSON goes to `complain`, and the others are read."""

    path: Path
    name: str
    complain: Callable[[str], None] = field(repr=False)

    @cached_property
    def is_lines(self) -> bool:
        """Whether every line is a value of its own: if the first is one, and more follows."""
        with self.path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
            first = next((line for line in file if line.strip()), "")
            return _is_json(first) and any(line.strip() for line in islice(file, _FIRST))

    @cached_property
    def document(self) -> Any:
        """The whole file as one value. Raises TraceError."""
        try:
            return json.loads(self.path.read_text(encoding="utf-8-sig", errors="surrogateescape"))
        except json.JSONDecodeError as error:
            raise TraceError(f"{self.name}, line {error.lineno}: JSON expected: {error.msg}") from error
        except RecursionError as error:
            raise TraceError(f"{self.name}, line 1: JSON that is nested less deeply expected") from error

    def records(self) -> Iterator[Any]:
        """The values of the lines, one at a time."""
        for number, line in self._lines():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                self.complain(f"{self.name}, line {number}: one JSON value on the line expected: {_reason(error)}")

    @cached_property
    def first(self) -> tuple[Any, ...]:
        """The first values: of a document the only one."""
        if not self.is_lines:
            return (self.document,)
        return tuple(json.loads(line) for _, line in islice(self._lines(), _FIRST) if _is_json(line))

    def values(self) -> Iterator[Any]:
        """All values, whichever way the file holds them."""
        return self.records() if self.is_lines else iter((self.document,))

    def elements(self, *path: str) -> Iterator[Any]:
        """The elements of an array in the document, one at a time. What is behind a broken one goes to `complain`."""
        with self.path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
            try:
                yield from elements(file, path)
            except Malformed as malformed:
                self.complain(f"{self.name}, line {malformed.line}: {malformed}")

    @cached_property
    def beginning(self) -> str:
        """The first characters, without blanks in front."""
        with self.path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
            return file.read(_PROBE_CHARS).lstrip()

    def _lines(self) -> Iterator[tuple[int, str]]:
        with self.path.open(encoding="utf-8-sig", errors="surrogateescape", newline="\n") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, line


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
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def string(value: Any) -> str:
    """The value if it is a string, else nothing."""
    return value if isinstance(value, str) else ""


def _text_of_part(part: Any) -> str:
    if not isinstance(part, dict):
        return str(part)
    inner = next((part[key] for key in ("text", "content", "output") if part.get(key)), "")
    return text_of(inner)


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _reason(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else type(error).__name__
