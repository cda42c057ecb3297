"""Collects what a kind found and fits it into the budget: the most important first, nothing cut in the middle.

A kind says each fact with a rank. Low ranks are placed first; within a section facts keep the order they were said
in. A list of many short items (an index of definitions, the columns of a table) takes what is left and says how many
it had to leave out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from .model import Anchor, KindName, Source, Synopsis, made_later
from .names import names
from .wording import clip, clip_front, excerpt, masked, may_hold_secret, one_line

Section = Literal["summary", "structure", "notable"]

EXPLORE_CHARS = 190
"""What the renderer needs to say how to go on; it counts as part of the budget."""

NAMES_CHARS = 700
"""What the names in a text may take of a budget, if as much as `BEFORE_NAMES` is left for everything else."""
BEFORE_NAMES = 1_000

JOINT = " · "
_MORE = " · … 00000 more"
_EXACT_RULES_CHARS = 1800  # exact caps come before the budget, but not before the hard limit of the stub
_MOST_ANCHORS = 24
_LONGEST_QUERY = 80
_LINE_COST = 3  # "- " and the line end
_TITLE_COST = 14
_LEAST_ITEM = 16  # items are not made for less room than one of that length takes
_LEAST_LINE = 8  # what fits into less says nothing
_MUCH_ROOM = 100
_NAMES = "names: "


@dataclass(slots=True)
class _Line:
    """A fact that is a line by itself, which may be made when the turn comes to it.

    `before_end` is what stands in front of the end of a text: what is cut of such a line is its beginning.
    """

    section: Section
    rank: int
    text: str | Callable[[], str]
    before_end: str = ""
    share: ClassVar[float] = 1.0

    def fitted(self, room: int, *, required: bool) -> str:
        """The line within `room` characters, or nothing."""
        text = self.text
        if callable(text):
            text = masked(text()) if required or room >= _LEAST_LINE else ""
        if self.before_end and len(text) > room >= _MUCH_ROOM:
            return self.before_end + clip_front(text.removeprefix(self.before_end), room - len(self.before_end))
        return _whole(text, room, required=required)


@dataclass(slots=True)
class _List:
    """Short items for one line, which may be made when the turn comes to it."""

    section: Section
    rank: int
    items: Sequence[Any] | Callable[[], Iterable[Any]]
    ranks: Sequence[int] | Callable[[int], Sequence[int]] | None
    lead: str
    share: float
    tell: Callable[[Any], str] | None
    more: bool
    part: str

    def fitted(self, room: int, *, required: bool) -> str:
        """As many items as fit within `room` characters, and how many are missing; a single one as a line."""
        items, tell = self.items, self.tell
        if callable(items):
            least = len(self.lead) + _LEAST_ITEM + len(JOINT) + len(_MORE) + len(self.part)
            items = list(items()) if room >= least else ()
        if len(items) == 1 and not self.lead:
            return _whole(masked(tell(items[0]) if tell else items[0]), room, required=required)
        order: Sequence[int] = range(len(items))
        if self.ranks is not None:
            ranks = self.ranks(len(items)) if callable(self.ranks) else self.ranks
            order = sorted(order, key=ranks.__getitem__)
        room -= len(self.lead) + len(_MORE) + len(self.part)
        chosen: dict[int, str] = {}
        for place in order:
            shown = tell(items[place]) if tell else items[place]
            room -= len(shown) + len(JOINT)
            if room < 0:
                break
            chosen[place] = shown
        if not chosen:
            return ""
        missing = len(items) - len(chosen)
        more = f"{JOINT}… {missing} more{self.part}" if missing and self.more else ""
        return self.lead + masked(JOINT.join(_ordered(chosen))) + more


def _whole(line: str, room: int, *, required: bool) -> str:
    """The line, cut where it is required or there is much room; else all of it or nothing."""
    if len(line) <= room:
        return line
    return clip(line, room) if required or room >= _MUCH_ROOM else ""


class Facts:
    """The facts about one source, in the making."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._pieces: list[_Line | _List] = []
        self._sample: tuple[Callable[[], str], int] | None = None
        self._places: list[tuple[str, int | None, int, int | None]] = []
        self._named = ""
        self._query = ""

    def say(self, text: str | Callable[[], str], rank: int = 0) -> None:
        """A line of the summary, or what makes it if there is room when it is due."""
        self._add("summary", text, rank)

    def structure(self, text: str, rank: int = 20) -> None:
        """A line on how the text is built."""
        self._add("structure", text, rank)

    def notable(self, text: str | Callable[[], str], rank: int = 10) -> None:
        """A line that a reader would look for, or what makes it if there is room when it is due."""
        self._add("notable", text, rank)

    def ends(self, text: str, rank: int, lead: str = "ends: ") -> None:
        """How the text ends: a line of which the end is kept."""
        self._pieces.append(_Line("notable", rank, lead + text, lead))

    def _add(self, section: Section, text: str | Callable[[], str], rank: int) -> None:
        self._pieces.append(_Line(section, rank, text))

    def dense(
        self,
        section: Section,
        items: Iterable[Any] | Callable[[], Iterable[Any]],
        *,
        rank: int = 20,
        lead: str = "",
        ranks: Sequence[int] | Callable[[int], Sequence[int]] | None = None,
        share: float = 1.0,
        tell: Callable[[Any], str] | None = None,
        more: bool = True,
        of_head: bool = False,
    ) -> None:
        """One line of many short items; where not all fit, those of the lowest `ranks`, in their order.

        `share` is the part of what is left of the budget that the line may take. With `tell` an item is anything, and
        made into words only if its turn comes; else it is a string. How many are missing is told, unless `more` is
        false because the items are not all there are. With `of_head` they are those of the head of the text only.
        Items that cost something are better given as what makes them: it is called if there is room when they are due.
        So may `ranks` be, from the number of items.
        """
        listed = items if callable(items) else list(items)
        if listed:
            part = self.source.part if of_head else ""
            self._pieces.append(_List(section, rank, listed, ranks, lead, share, tell, more, part))

    def names(self, text: str) -> None:
        """The names in `text` that no other fact has, if the budget is large enough for that."""
        self._named = text

    def sample(self, text: str | Callable[[], str], most: int = 600) -> None:
        """An excerpt; it takes what the facts leave, at most `most` characters, and is not made if that is nothing."""
        self._sample = (text if callable(text) else lambda: text, most)

    def ask(self, expression: str) -> None:
        """What to ask of the structure, to find something of interest at once; what is asked first is kept."""
        if not self._query and len(expression) <= _LONGEST_QUERY and masked(expression) == expression:
            self._query = expression

    def anchor(self, label: str, offset: int, length: int, line: int | None = None) -> None:
        """A place in the cleaned text, by offset; its line is looked up unless it is given."""
        self._places.append((label, offset, length, line))

    def anchor_line(self, label: str, line: int) -> None:
        """A whole line, by its number; it is the same in the original and in the cleaned text."""
        self._places.append((label, None, 0, line))

    def _anchor(self, place: int) -> Anchor:
        label, offset, length, line = self._places[place]
        source = self.source
        if line is None:
            line = source.clean_index.line_of(offset or 0)
        shown = one_line(label, 80)
        if offset is None or source.shift is None:
            index = source.line_index
            start = index.start_of(line)
            return Anchor(shown, start, index.end_behind(start) - start, line)
        start = offset + source.shift
        return Anchor(shown, start, max(0, min(length, len(source.text) - start)), line)

    def build(self, kind: KindName, variant: str | None = None, title: str | None = None) -> Synopsis:
        """The synopsis, its sections together within the budget of the source."""
        exact = self.source.rules == "openviking"
        left = _EXACT_RULES_CHARS if exact else max(200, self.source.budget - EXPLORE_CHARS)
        reserved = min(NAMES_CHARS, max(0, self.source.budget - BEFORE_NAMES)) if self._named and not exact else 0
        left -= reserved
        sections: dict[Section, dict[int, str]] = {"summary": {}, "structure": {}, "notable": {}}
        self._mask_lines()
        for place, piece in sorted(enumerate(self._pieces), key=lambda numbered: numbered[1].rank):
            opening = 0 if sections[piece.section] else _TITLE_COST
            room = int((left - opening - _LINE_COST) * piece.share)
            line = piece.fitted(room, required=not sections["summary"])
            if line:
                sections[piece.section][place] = line
                left -= len(line) + _LINE_COST + opening
        left += reserved
        if reserved and (line := self._names(sections, min(left, NAMES_CHARS))):
            sections["structure"][len(self._pieces)] = line
            left -= len(line) + _LINE_COST + _TITLE_COST
        return Synopsis(
            kind=kind,
            variant=variant,
            title=one_line(title if title is not None else variant or "", 60),
            summary=_ordered(sections["summary"]),
            structure=_ordered(sections["structure"]),
            notable_items=_ordered(sections["notable"]),
            sample=None if exact and kind != "unknown" else self._fitted_sample(left - _TITLE_COST - 12),
            anchors=made_later(min(len(self._places), _MOST_ANCHORS), self._anchor),
            chars=len(self.source.text),
            lines=self.source.line_index.count,
            query=self._query,
        )

    def _mask_lines(self) -> None:
        made = [(line, line.text) for line in self._pieces if isinstance(line, _Line) and isinstance(line.text, str)]
        if may_hold_secret("\n".join([text for _, text in made])):  # mostly not, which spares a look at each
            for line, text in made:
                line.text = masked(text)

    def _names(self, sections: dict[Section, dict[int, str]], room: int) -> str:
        """A line of names within `room` characters, or nothing."""
        shown = "\n".join(line for lines in sections.values() for line in lines.values())
        chosen: list[str] = []
        room -= len(_NAMES) + _LINE_COST + _TITLE_COST
        for name in names(self._named):
            if name in shown:
                continue
            room -= len(name) + 1
            if room < 0:
                break
            chosen.append(name)
        return masked(_NAMES + " ".join(chosen)) if chosen else ""

    def _fitted_sample(self, room: int) -> str | None:
        if self._sample is None:
            return None
        text, most = self._sample
        size = min(room, most)
        if size < 60:
            return None
        shown = excerpt(text(), 0, size)
        return clip(shown, size) or None


def _ordered(lines: dict[int, str]) -> tuple[str, ...]:
    return tuple(map(lines.__getitem__, sorted(lines)))
