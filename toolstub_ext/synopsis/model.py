"""What a synopsis is: typed facts about one text, and where in the text they stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

KindName = Literal["json", "csv", "tsv", "yaml", "xml", "code", "text", "unknown"]
Rules = Literal["default", "openviking"]


@dataclass(frozen=True, slots=True)
class Source:
    """The text to describe and all that a description may depend on.

    `text` is the original; `clean` is what the kinds look at (without byte order mark and terminal codes); both have
    the same line numbers. `budget` counts the characters of the sections, without the header.
    """

    text: str
    mime: str | None = None
    tool: str | None = None
    budget: int = 1000
    rules: Rules = "default"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in the original that a reader will want: `offset` and `length` in code points, `line` from 1."""

    label: str
    offset: int
    length: int
    line: int


@dataclass(frozen=True, slots=True)
class Synopsis:
    """Typed facts about one text.

    `summary` says what it is, how much, and what is unusual; `structure` how it is built; `notable_items` what a
    reader would look for; `sample` is an excerpt. `chars` counts code points, `lines` the pieces between `\\n`.
    """

    kind: KindName
    variant: str | None
    title: str
    summary: tuple[str, ...]
    structure: tuple[str, ...]
    notable_items: tuple[str, ...]
    sample: str | None
    anchors: tuple[Anchor, ...]
    chars: int
    lines: int


class Kind(Protocol):
    """One kind of text. A module-level instance of it stands in the list of `toolstub_ext.synopsis.kinds`."""

    name: KindName

    def score(self, source: Source) -> float:
        """How sure it is, from 0.0 (not mine) to 1.0, judged from a bounded prefix and counts at C speed."""
        ...

    def describe(self, source: Source) -> Synopsis:
        """The facts. Raises ValueError if the text is not of this kind after all; the next best kind is asked."""
        ...
