"""What a model used in a turn, and could have known only from something that it would not have been shown.

A literal is *missed* in a turn if it stands alone in a result whose original was hidden then, or in a call that went
without some of its arguments, and if nothing that was visible has it even as a part of something longer: no message
before the turn that went as it was, no text that a policy wrote, and no definition of the client's tools. Read by hand
on real sessions, 93 % of such events are real.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from .conversation import Conversation
from .literals import lines_of, literals, numbers_a_line, stands_alone, unescaped
from .sending import Sent

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Miss:
    """A literal missed at the item `turn`; `sources` are the places of the hidden results and calls that have it."""

    turn: int
    literal: str
    kind: str
    sources: tuple[int, ...]


class Readable:
    """A text as literals are looked for in it."""

    def __init__(self, text: str, *, arguments: bool = False) -> None:
        self._text = text
        self._arguments = arguments

    @cached_property
    def plain(self) -> str:
        """Without escapes."""
        return unescaped(self._text)

    @cached_property
    def lines(self) -> frozenset[str]:
        """Its longer lines."""
        return lines_of(self._text, arguments=self._arguments)

    def has(self, literal: str, kind: str) -> bool:
        """Whether it shows the literal: a line as a whole one, anything else wherever it is."""
        return literal in (self.lines if kind == "line" else self.plain)


class _View(NamedTuple):
    """What a request shows: the items that went as they were, those of which a part is hidden, and what a policy
    wrote."""

    shown: set[int]
    hidden: set[int]
    written: list[Readable]


class Evidence:
    """Where the literals of a conversation stand. Made once for all policies."""

    def __init__(self, conversation: Conversation) -> None:
        self._items = conversation.items
        self._texts = [Readable(item.spoken, arguments=item.kind == "assistant") for item in conversation.items]
        self._tools = unescaped(conversation.tools)
        self._literals: dict[int, dict[str, str]] = {}
        self._where: dict[str, tuple[int, ...]] = {}
        self._written: dict[str, Readable] = {}

    def misses(self, sent: Sent) -> list[Miss]:
        """What the turn that answers a request misses in it, in alphabetical order."""
        shown = {piece.item for piece in sent.pieces if piece.item is not None}
        shortened = {piece.replaces for piece in sent.pieces}
        hidden = {place for place in range(sent.turn) if place not in shown
                  and (self._items[place].kind == "result" or place in shortened)}
        if not hidden:
            return []
        view = _View(shown, hidden, [self._readable(piece.text) for piece in sent.pieces if piece.item is None])
        found = (
            self._missed(literal, kind, sent.turn, view) for literal, kind in self._literals_of(sent.turn).items()
        )
        return sorted(filter(None, found), key=lambda miss: (miss.kind, miss.literal))

    def _missed(self, literal: str, kind: str, turn: int, view: _View) -> Miss | None:
        """The literal as a miss, if it is one. Results that have the same text are shown as soon as one of them is."""
        before = [place for place in self._places(literal, kind) if place < turn]
        if not before or any(place in view.shown for place in before):
            return None
        sources = tuple(place for place in before if place in view.hidden and self._is_source(literal, kind, place))
        if not sources or literal in self._tools or any(text.has(literal, kind) for text in view.written):
            return None
        return Miss(turn, literal, self._finer(literal, kind, sources), sources)

    def _is_source(self, literal: str, kind: str, place: int) -> bool:
        return kind == "line" or stands_alone(literal, self._texts[place].plain)

    def _finer(self, literal: str, kind: str, sources: tuple[int, ...]) -> str:
        """A number that only numbers lines is of a kind of its own."""
        only_there = kind == "num" and all(numbers_a_line(literal, self._items[place].spoken) for place in sources)
        return "lineno" if only_there else kind

    def _literals_of(self, turn: int) -> dict[str, str]:
        if turn not in self._literals:
            self._literals[turn] = literals(self._items[turn].written)
        return self._literals[turn]

    def _places(self, literal: str, kind: str) -> tuple[int, ...]:
        """The items that have the literal, in order."""
        if literal not in self._where:
            self._where[literal] = (
                self._lines.get(literal, ()) if kind == "line"
                else self._vocabulary.items_with(literal) if literal.replace("_", "a").isalnum()
                else tuple(place for place, text in enumerate(self._texts) if literal in text.plain)
            )
        return self._where[literal]

    @cached_property
    def _lines(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for place, text in enumerate(self._texts):
            for line in text.lines:
                found.setdefault(line, []).append(place)
        return {line: tuple(places) for line, places in found.items()}

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary([text.plain for text in self._texts])

    def _readable(self, text: str) -> Readable:
        """A text that a policy wrote; the same comes again in every later request."""
        if text not in self._written:
            self._written[text] = Readable(text)
        return self._written[text]


class Vocabulary:
    """The different words of texts, so that a part of a word is found without going through the texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts_of: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            for word in set(_WORD.findall(text)):
                self._texts_of.setdefault(word, []).append(place)
        self._words = list(self._texts_of)
        self._all = "\n".join(self._words)
        self._starts = [0, *accumulate(len(word) + 1 for word in self._words)]

    def items_with(self, part: str) -> tuple[int, ...]:
        """The places of the texts in which `part`, of letters, digits and underscores, stands in a word."""
        found: set[int] = set()
        at = self._all.find(part)
        while at >= 0:
            word = bisect_right(self._starts, at) - 1
            found.update(self._texts_of[self._words[word]])
            at = self._all.find(part, self._starts[word + 1])
        return tuple(sorted(found))
