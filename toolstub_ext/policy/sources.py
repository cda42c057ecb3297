"""Texts that the model has in front of it, and which of them a new text repeats line by line.

Lines are compared without the numbers that a tool printed in front of them and without trailing blanks: they say the
same. An index from line to text finds what is alike, in time linear in the new text.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from .calls import Call

REACH = 2_000_000
"""Characters: a text with more than that of others behind it is no longer in front of any model."""
TELLING = 6
"""Characters of a line, without blanks around it, that tell texts apart."""

_NUMBER = re.compile(r" {0,7}([0-9]{1,9})(?:→|\t)")


@dataclass(frozen=True, slots=True)
class Lines:
    """A text line by line, without line numbers. `first` is the number of its first line, 1 if it is not numbered."""

    lines: tuple[str, ...]
    first: int
    numbered: bool

    @classmethod
    def of(cls, text: str) -> Lines:
        """Numbered only if every line is, in order, but for what a tool says behind the last."""
        raw = text.split("\n")
        if not may_be_numbered(text):
            return cls(tuple(map(str.rstrip, raw)), 1, numbered=False)
        found = [_NUMBER.match(line) for line in raw]
        stripped = tuple((line[match.end():] if match else line).rstrip() for line, match in zip(raw, found))
        first = int(found[0][1]) if found[0] else 1
        in_order = (match is not None and int(match[1]) == first + place for place, match in enumerate(found))
        numbered = found[0] is not None and sum(in_order) >= len(raw) - 1
        return cls(stripped, first if numbered else 1, numbered)

    @property
    def count(self) -> int:
        """How many lines, not counting an empty one behind the last line end."""
        return len(self.lines) - (self.lines[-1] == "" and len(self.lines) > 1)

    def span(self, start: int, count: int) -> str:
        """How so many lines from a place on are called."""
        return f"{self.first + start}-{self.first + start + count - 1}"


@dataclass(frozen=True, slots=True)
class Origin:
    """What a text is called, with the name of a call in it: told when asked for, which few are, for it takes long."""

    form: str
    call: Call

    def __str__(self) -> str:
        return self.form.format(self.call)


@dataclass(frozen=True, slots=True)
class Source:
    """A text the model can see, and what it is called."""

    name: str | Origin
    lines: Lines
    chars: int


class Sources:
    """The texts in reach, by their lines."""

    def __init__(self) -> None:
        self._sources: deque[Source] = deque()
        self._by_line: dict[str, Source] = {}
        self._chars = 0

    @property
    def chars(self) -> int:
        """Characters of all of them."""
        return self._chars

    def add(self, text: str, name: str | Origin, lines: Lines | None = None) -> None:
        """The newest text, with its `lines` if they are known; what goes out of reach by it is forgotten."""
        source = Source(name, lines or Lines.of(text), len(text))
        self._sources.append(source)
        self._chars += source.chars
        for line in source.lines.lines:
            if len(line.strip()) >= TELLING:
                self._by_line[line] = source
        while self._chars > REACH and len(self._sources) > 1:
            gone = self._sources.popleft()
            self._chars -= gone.chars
            for line in gone.lines.lines:
                if self._by_line.get(line) is gone:
                    del self._by_line[line]

    def alike(self, lines: Sequence[str], most: int = 2) -> tuple[Source, ...]:
        """The sources that share most with these lines, the most alike first."""
        shared: dict[int, int] = {}
        found: dict[int, Source] = {}
        for line in lines:
            source = self._by_line.get(line)
            if source is not None:
                found[id(source)] = source
                shared[id(source)] = shared.get(id(source), 0) + len(line)
        return tuple(found[each] for each in sorted(shared, key=shared.__getitem__, reverse=True)[:most])


def may_be_numbered(text: str) -> bool:
    """Whether the lines may have numbers in front of them, which end so."""
    return "\t" in text or "→" in text
