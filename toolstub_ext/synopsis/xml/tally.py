"""How many elements there are of which path: what is counted, whether a parser tells of them or the tags do."""

from __future__ import annotations

from collections.abc import Callable

ALARMING = frozenset(("failure", "error", "fault", "exception", "skipped"))
MOST_ALARMS = 3
DEEPEST = 200
_DEEPEST_PATH = 3
_MOST_PATHS = 120


class Element:
    """All elements with one path from below the root, which has an empty one: how many `times` there is one.

    `around` is what they stand in, at a `depth` of one less; `below` are those in them, by name; `apart` says whether
    they are counted for themselves.
    """

    __slots__ = ("alarming", "apart", "around", "below", "depth", "path", "times")

    def __init__(self, path: str, around: Element | None, *, apart: bool, alarming: bool) -> None:
        self.path = path
        self.around = around or self
        self.depth: int = around.depth + 1 if around else -1
        self.apart = apart
        self.alarming = alarming
        self.times = 0
        self.below: dict[str, Element] = {}


class Tally:
    """How often there is which element, and which is the innermost open one: `inside` it the next one stands.

    `first_lines` has the line of the first element with each name below the root, and of the root; `deep` says that
    the counting ended where elements stood too deep in each other.
    """

    def __init__(self) -> None:
        self.inside = self._document = Element("", None, apart=False, alarming=False)
        self.first_lines: dict[str, int] = {}
        self.deep = False
        self._found: list[Element] = []
        self._apart = 0

    @property
    def open(self) -> bool:
        """Whether an element is."""
        return self.inside is not self._document

    @property
    def elements(self) -> int:
        """How many elements there are."""
        return sum([each.times for each in self._found])

    @property
    def deeper(self) -> int:
        """How many elements are not counted for themselves, the root aside."""
        return sum([each.times for each in self._found if each.depth and not each.apart])

    @property
    def paths(self) -> dict[str, int]:
        """How many elements there are with each path, as far as they are counted for themselves."""
        return {each.path: each.times for each in self._found if each.apart}

    def enter(self, name: str, line: Callable[[], int]) -> Element:
        """Counts an element inside the innermost open one, and opens it; its line is asked for if it is the first."""
        found = self.inside.below.get(name)
        if found is None:
            found = self.first(name, self.inside)
            if found.depth < 2:
                self.first_lines[found.path] = line()
        found.times += 1
        self.inside = found
        return found

    def leave(self) -> Element:
        """Closes the innermost open element, which it was."""
        left = self.inside
        self.inside = left.around
        return left

    def first(self, name: str, around: Element) -> Element:
        """What counts the elements with this name inside another one from now on."""
        depth = around.depth + 1
        apart = depth == 1 or (1 < depth <= _DEEPEST_PATH and self._apart < _MOST_PATHS)
        path = f"{around.path}/{name}" if depth > 1 else name if depth else ""
        found = around.below[name] = Element(path, around, apart=apart, alarming=bare(name) in ALARMING)
        self._found.append(found)
        self._apart += apart
        self.deep = depth > DEEPEST
        return found


def bare(name: str) -> str:
    """The name without its prefix, in lower case."""
    return name.rpartition(":")[2].lower()
