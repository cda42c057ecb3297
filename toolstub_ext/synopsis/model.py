"""What a synopsis is: typed facts about one text, and where in the text they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, wraps
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, cast, overload

from .clean import BOM, cleaned, marks_in
from .lines import LineIndex

KindName = str
"""`json`, `csv`, `tsv`, `yaml`, `xml`, `code`, `text` or `unknown`; other packages may add kinds of their own."""
Rules = Literal["default", "openviking"]
T = TypeVar("T")

HEAD_CHARS = 128 * 1024
"""Exact facts come from this much of a text; scans at C speed cover the rest."""

PROBE_CHARS = 8 * 1024
"""What the kinds look at to tell whose text it is."""


@dataclass(frozen=True)
class Source:
    """The text to describe and all that a description may depend on.

    `text` is the original; `clean` is what the kinds look at (without byte order mark and terminal codes); both have
    the same line numbers. `budget` counts the characters of the sections, without the header. `numbers` are the line
    numbers to show, where they are not 1, 2, 3. `encoded` gives the UTF-8 of a text, lone surrogates in it, where
    somebody has that already and it is another thing than the text.
    """

    text: str
    mime: str | None = None
    tool: str | None = None
    budget: int = 1000
    rules: Rules = "default"
    numbers: tuple[int, ...] | range | None = None
    encoded: Callable[[str], bytes | None] = lambda _: None

    def number(self, line: int) -> int:
        """The number that `line` is shown with: its own, or the one that the tool printed in front of it."""
        if self.numbers is None:
            return line
        return self.numbers[min(line, len(self.numbers)) - 1]

    @cached_property
    def memo(self) -> dict[Callable[[Source], Any], Any]:
        """What functions of this source have returned; `once` keeps it."""
        return {}

    @cached_property
    def clean(self) -> str:
        """The text without byte order mark, terminal codes, overwritten progress lines and carriage returns."""
        if self.text and "\n" not in self.marks:
            self.line_index.count = 1  # which spares that they are counted
        elif len(self.text) > HEAD_CHARS:
            _ = self.line_index.breaks  # counted before there is anything in the caches that this would drive out
        return cleaned(self.text, self.marks)

    @cached_property
    def marks(self) -> set[str]:
        """Which characters there are that matter on a terminal or to rows."""
        return marks_in(self.text, self.encoded(self.text))

    @cached_property
    def head(self) -> str:
        """The first HEAD_CHARS of `clean`, ending at a line end where there is one."""
        if len(self.clean) <= HEAD_CHARS:
            return self.clean
        end = self.clean.rfind("\n", HEAD_CHARS // 2, HEAD_CHARS)
        return self.clean[: end + 1 if end >= 0 else HEAD_CHARS]

    @property
    def partial(self) -> bool:
        """Whether there is more than the head."""
        return len(self.head) < len(self.clean)

    @cached_property
    def part(self) -> str:
        """` in the first 900 lines`, to stand behind what is only known of the head; empty if that is all."""
        if not self.partial:
            return ""
        return (
            f" in the first {len(self.lines)} lines"
            if len(self.lines) > 1
            else f" in the first {len(self.head)} characters"
        )

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the head, without their `\\n`."""
        lines = self.head.removesuffix("\n").split("\n")
        if self.text and self.head is self.text:
            self.line_index.count = len(lines)  # which spares that they are counted
        return lines

    @cached_property
    def probe(self) -> list[str]:
        """At most 80 lines that are not blank, of the beginning and of further down, each cut at 300 characters.

        There is one at least, unless all of the text is blank.
        """
        start = _filled_lines(self.clean[:PROBE_CHARS], 56) or _filled_lines(self.clean.lstrip()[:PROBE_CHARS], 56)
        if len(self.clean) <= PROBE_CHARS:
            return start
        middle = min(len(self.clean), HEAD_CHARS) * 2 // 3
        further = _filled_lines(self.clean[middle : middle + PROBE_CHARS // 2], 25)[1:]
        return start + further

    @cached_property
    def line_index(self) -> LineIndex:
        """Line numbers and offsets of the original."""
        return LineIndex(self.text)

    @cached_property
    def clean_index(self) -> LineIndex:
        """Line numbers and offsets of `clean`."""
        return self.line_index if self.clean is self.text else LineIndex(self.clean)

    @cached_property
    def shift(self) -> int | None:
        """What to add to an offset in `clean` to get the one in the original; None where only lines agree."""
        missing = len(self.text) - len(self.clean)
        if missing == 0 or (missing == 1 and self.text.startswith(BOM)):
            return missing
        return None


def once(ask: Callable[[Source], T]) -> Callable[[Source], T]:
    """The function as it is, asked once of a source: what scoring finds is often needed again to describe."""

    @wraps(ask)
    def asked(source: Source) -> T:
        memo = source.memo
        if ask not in memo:
            memo[ask] = ask(source)
        found: T = memo[ask]
        return found

    return asked


def _filled_lines(text: str, most: int) -> list[str]:
    """The first lines that are not blank, of the first 400; those behind them are not even taken apart."""
    lines = text.split("\n", 2 * most)[: 2 * most]
    filled = [*islice(filter(str.strip, lines), most)]
    if len(filled) < most and len(lines) == 2 * most:
        filled = [*islice(filter(str.strip, text.split("\n", 400)), most)]
    return [line[:300] for line in filled]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in the original that a reader will want: `offset` and `length` in code points, `line` from 1."""

    label: str
    offset: int
    length: int
    line: int


class _Later(Sequence[Anchor]):
    """Anchors that are made when they are looked at."""

    def __init__(self, size: int, make: Callable[[int], Anchor]) -> None:
        self._places, self._make = range(size), make

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Anchor: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Anchor, ...]: ...

    def __getitem__(self, place: int | slice) -> Anchor | tuple[Anchor, ...]:
        chosen = self._places[place]
        return self._make(chosen) if isinstance(chosen, int) else tuple(map(self._make, chosen))


def made_later(size: int, make: Callable[[int], Anchor]) -> tuple[Anchor, ...]:
    """The anchors of a Synopsis, made by their places when somebody looks: a stub shows two of them at most."""
    return cast("tuple[Anchor, ...]", _Later(size, make))  # a Synopsis gives out nothing but tuples


@dataclass(frozen=True)
class Synopsis:
    """Typed facts about one text.

    `title` is the variant with what else belongs to it in a few words ("go, numbered 1-1240"), or empty. `summary`
    says what it is, how much, and what is unusual; `structure` how it is built; `notable_items` what a reader would
    look for; `sample` is an excerpt; `query` selects something of interest. `chars` counts code points, `lines` the
    pieces between `\\n`.
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
    query: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.anchors, tuple):
            vars(self)["_later"] = vars(self).pop("anchors")

    if not TYPE_CHECKING:  # to a type checker it would promise attributes that there are not

        def __getattr__(self, name: str) -> tuple[Anchor, ...]:
            """The anchors, when they are asked for; any number of threads may."""
            later = vars(self).get("_later")
            if name != "anchors" or (later is None and name not in vars(self)):
                raise AttributeError(name)
            if later is not None:
                vars(self)[name] = tuple(later)
                vars(self).pop("_later", None)
            return vars(self)[name]

    def __getstate__(self) -> dict[str, object]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def first_anchors(self, most: int) -> tuple[Anchor, ...]:
        """At most so many of the anchors, without making the others."""
        return tuple(self._places()[:most])

    def with_first_anchors(self, most: int) -> Synopsis:
        """The same with at most so many of the anchors, and without what the others would be made of."""
        other = object.__new__(Synopsis)
        vars(other).update(vars(self), anchors=self.first_anchors(most))
        vars(other).pop("_later", None)
        return other

    def moved_anchors(self, move: Callable[[Anchor], Anchor]) -> tuple[Anchor, ...]:
        """The anchors, each moved when it is looked at."""
        places = self._places()
        return made_later(len(places), lambda place: move(places[place]))

    def _places(self) -> Sequence[Anchor]:
        later: Sequence[Anchor] | None = vars(self).get("_later")
        return self.anchors if later is None else later


class Kind(Protocol):
    """One kind of text. A module-level instance of it stands in the list of `toolstub_ext.synopsis.kinds`."""

    name: KindName

    def score(self, source: Source) -> float:
        """How sure it is, from 0.0 (not mine) to 1.0, judged from a bounded prefix and counts at C speed."""
        ...

    def describe(self, source: Source) -> Synopsis:
        """The facts. Raises ValueError if the text is not of this kind after all; the next best kind is asked."""
        ...
