"""Counts the elements of XML that a parser has found to be well-formed: in it a `<` always opens a tag."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from ..patterns import Pattern

ALARMING = frozenset(("failure", "error", "fault", "exception", "skipped"))
DEEPEST = 200
_DEEPEST_PATH = 3
_MOST_PATHS = 120

_ASIDE = Pattern(r"(?s)<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)")
_TAG = Pattern(r"(?:[^>\"']|\"[^\"]*\"|'[^']*')*+")


@dataclass(slots=True)
class Tally:
    """How often there is which element, by its path from below the root.

    `open` are the paths of the elements that are open, of the root an empty one; `deeper` is the number of elements
    that are not among the paths; `first_lines` has the line of the first element with each name below the root, and
    of the root; `deep` says that the counting ended where elements stood too deep in each other.
    """

    open: list[str] = field(default_factory=list)
    paths: dict[str, int] = field(default_factory=dict)
    deeper: int = 0
    first_lines: dict[str, int] = field(default_factory=dict)
    deep: bool = False

    @property
    def elements(self) -> int:
        """How many elements there are."""
        return sum(self.paths.values()) + self.deeper + bool(self.first_lines)

    def enter(self, name: str, line: int) -> str:
        """Counts an element inside the innermost open one, and opens it; its path."""
        depth, paths = len(self.open), self.paths
        path = f"{self.open[-1]}/{name}" if depth > 1 else name if depth else ""
        if path in paths:
            paths[path] += 1
        elif depth > 1 and (depth > _DEEPEST_PATH or len(paths) >= _MOST_PATHS):
            self.deeper += 1
        else:
            if depth:
                paths[path] = 1
            if depth < 2:
                self.first_lines[path] = line
        self.open.append(path)
        self.deep = depth > DEEPEST
        return path

    def count(self, text: str, line: int) -> Iterator[tuple[int, str, str, Callable[[], str | int]]]:
        """Counts the tags of `text`, which begins in `line`.

        Yields what alarms: line, name, markup to the next tag, and what finds the tag of the element around it.
        """
        if "<!" in text or "<?" in text:
            text = _ASIDE.sub(lambda aside: "\n" * aside[0].count("\n"), text)
        before, *pieces = text.split("<")
        while pieces and not pieces[-1].startswith(">", len(_tag(pieces[-1]))):  # the parser stopped inside it
            pieces.pop()
        plain = text.count(">") == len(pieces)
        line += before.count("\n")
        counted = 0
        open_ones = [_Node(path) for path in self.open]
        nodes = list(open_ones)
        for place, piece in enumerate(pieces):
            if piece[0] == "/":
                open_ones.pop()
                continue
            tag = piece.partition(">")[0] if plain else _tag(piece)
            below = open_ones[-1].below
            node = below.get(tag) or below.get(tag.partition(" ")[0])
            if node and not node.alarming:
                node.more += 1
                if tag[-1] != "/":
                    open_ones.append(node)
                continue
            line += sum([each.count("\n") for each in pieces[counted:place]])
            counted = place
            name = tag.rstrip("/").split(None, 1)[0]
            self.open = [each.path for each in open_ones]
            node = _Node(self.enter(name, line), alarming=bare(name) in ALARMING)
            below[name] = below[tag.partition(" ")[0]] = node
            nodes.append(node)
            if self.deep:
                break
            if node.alarming:
                markup = f"<{piece}" + ("" if tag[-1] == "/" else f"</{name}>")
                yield line, name, markup, partial(_around, pieces, place)
            if tag[-1] != "/":
                open_ones.append(node)
        self.open = [each.path for each in open_ones]
        for node in nodes:
            if node.path in self.paths:
                self.paths[node.path] += node.more
            else:
                self.deeper += node.more


@dataclass(slots=True)
class _Node:
    """An element, by its path; how many more there are of it than are counted already; and those below it by name."""

    path: str
    alarming: bool = False
    more: int = 0
    below: dict[str, _Node] = field(default_factory=dict)


def _around(pieces: list[str], place: int) -> str | int:
    """The tag of the element that the tag at `place` stands in; if that is opened before all of them, its place among
    those that were open then, from the innermost, which is 0."""
    closed = 0
    for piece in reversed(pieces[:place]):
        if piece[0] == "/":
            closed += 1
        elif not (tag := _tag(piece)).endswith("/"):
            if not closed:
                return f"<{tag}>"
            closed -= 1
    return closed


def _tag(piece: str) -> str:
    found = _TAG.match(piece)
    return found[0] if found else piece


def bare(name: str) -> str:
    """The name without its prefix, in lower case."""
    return name.rpartition(":")[2].lower()
