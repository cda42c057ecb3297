"""What was found in YAML: documents, their branches, and how these are told."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..wording import MASK, names_secret, one_line

LONG = 40
MOST_DEEP_PATHS = 60
_NO_TEXT = ("", "~", "null", "true", "false")


@dataclass(slots=True)
class Level:
    """A collection: its path, how many nodes it has had, and the key that waits for its value."""

    mapping: bool
    path: str
    line: int
    nodes: int = 0
    key: str = ""
    key_line: int = 0
    names: list[str] = field(default_factory=list)
    hidden: bool = False
    """Whether it is under a key that is a collection itself."""

    @property
    def size(self) -> str:
        """`list 3`, `object 2`."""
        return f"object {(self.nodes + 1) // 2}" if self.mapping else f"list {self.nodes}"


def named(names: list[str], size: int) -> str:
    """` {a, b, …}`: the first keys of so many."""
    shown = ", ".join([one_line(name, 24) for name in names[:5]])
    return f" {{{shown}{', …' if size > 5 else ''}}}" if names else ""


def shown(key: str, value: str) -> str:
    """The value of a key as it may stand in a stub: masked where the key is that of a secret."""
    return MASK if value not in _NO_TEXT and names_secret(key) else value


@dataclass(slots=True)
class Branch:
    """A key or an item of the first level: where it stands and what is under it, as far as it was followed.

    `size` is what is under it by another count, where it was not followed to its end.
    """

    key: str
    line: int
    value: str | Level = ""
    open: bool = False
    size: str = ""

    @property
    def told(self) -> str:
        """The value, or its size."""
        if isinstance(self.value, Level):
            size, names = self.value.size, self.value.names
            if self.size[:2] == size[:2]:
                return self.size if "{" in self.size else self.size + named(names, len(names))
            return ("≥ " if self.open else "") + size + named(names, self.value.nodes // 2)
        return one_line(shown(self.key, self.value) or self.size, LONG)


@dataclass(slots=True)
class Document:
    """One document. `paths` are the first keys further down, as path, line and depth; `named` is its kind and name."""

    line: int
    is_list: bool = False
    branches: list[Branch] = field(default_factory=list)
    paths: list[tuple[str, int, int]] = field(default_factory=list)
    item_keys: Counter[str] = field(default_factory=Counter)
    named: dict[str, str] = field(default_factory=dict)
    complete: bool = False
    braced: bool = False
    """Whether a key is a collection itself, as `{{name}}` of a template reads."""

    @property
    def all_paths(self) -> bool:
        """Whether `paths` are all there are."""
        return self.complete and len(self.paths) < MOST_DEEP_PATHS

    @property
    def title(self) -> str:
        """Kind and name, where it has them."""
        return " ".join(self.named[key] for key in ("kind", "name") if key in self.named)


@dataclass(slots=True)
class Scan:
    """The documents, what is wrong with them, if anything, and where the events end."""

    documents: list[Document]
    problem: str
    end: int
