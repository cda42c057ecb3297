"""Counts the elements of XML that a parser has found to be well-formed: in it a `<` always opens a tag.

The tags drive a machine. A state is where one stands behind a tag: the element one is inside of, and the one that the
tag has just entered, if it did. Of `<r><a>1</a><a k="v"/><b/></r>` the tags and the states behind them are

    r       inside r, entered r
    a       inside a, entered a
    /a      inside r
    a/      inside r, entered a      opened and closed by one tag, whose attributes do not count
    b/      inside r, entered b
    /r      inside the document

and an element is there as often as states were come to that have entered it: `a` twice. A state is a dictionary from
the next tag to the state behind it. What it does not hold yet is learned when it comes, so that the first records of a
document teach its form; from then on a tag costs a look-up (`accumulate(tags, getitem)`), and no Python is run for it.

What is told with its line is noted while it is learned: the first element of a name near the root, and the first few
that alarm, which are only learned when enough of them were told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate
from operator import getitem, length_hint

from ..patterns import Pattern
from .tally import MOST_ALARMS, Element, Tally, bare

_ASIDE = Pattern(r"(?s)<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)")
_PLAIN_TAG = Pattern(r"<(/[^>]*+|[^ \t\r\n>]++(?:[ \t\r\n][^>]*+(?<=/)|(?!))?+)")
"""Where each `>` closes a tag: the name, or all of the tag where it opens and closes an element at once."""
_TAG = Pattern(r"<((?:[^>\"']++|\"[^\"]*+\"|'[^']*+'|(?!))*+)>")


def count(tally: Tally, text: str, line: int) -> Iterator[tuple[int, str, str, Callable[[], str | int]]]:
    """Counts the tags of `text`, which begins in `line`.

    Yields what alarms: line, name, markup to the next tag, and what finds the tag of the element around it.
    """
    if ("!" in text and "<!" in text) or ("?" in text and "<?" in text):
        text = _ASIDE.sub(lambda aside: "\n" * aside[0].count("\n"), text)
    text = _without_torn_tag(text)
    tags = _PLAIN_TAG.findall(text)
    if len(tags) != text.count(">"):
        tags = _TAG.findall(text)
    at = counted = -1
    for place, name, element in _Machine(tally).run(tags):
        before = max(0, at)
        for _ in range(place - counted):
            at = text.find("<", at + 1)
        counted = place
        line += text.count("\n", before, at)
        if element.depth < 2:
            tally.first_lines.setdefault(element.path, line)
        if element.alarming:
            markup = "<" + text[at + 1 :].partition("<")[0]
            whole = markup if tags[place][-1] == "/" else f"{markup}</{name}>"
            yield line, name, whole, partial(_around, text, at)


def _without_torn_tag(text: str) -> str:
    """The text up to the tag inside of which the parser stopped, if it did."""
    end = len(text)
    while (at := text.rfind("<", 0, end)) >= 0 and not _TAG.match(text, at, end):
        end = at
    return text[:end]


def _around(text: str, at: int) -> str | int:
    """The tag of the element that the tag at `at` stands in; if that is opened before the text, its place among those
    that were open then, from the innermost, which is 0."""
    closed = 0
    while (at := text.rfind("<", 0, at)) >= 0:
        tag = _TAG.match(text, at)
        if tag and tag[1][0] == "/":
            closed += 1
        elif tag and tag[1][-1] != "/":
            if not closed:
                return tag[0]
            closed -= 1
    return closed


class _State(dict[str, "_State"]):
    """Behind a tag: `inside` of an element, having `entered` one or none."""

    __slots__ = ("_learn", "entered", "inside")
    __hash__ = object.__hash__  # type: ignore[assignment]  # of states that lead to the same none is the other
    __eq__ = object.__eq__

    def __init__(self, inside: Element, entered: Element | None, learn: Callable[[_State, str], _State]) -> None:
        self.inside = inside
        self.entered = entered
        self._learn = learn

    def __missing__(self, tag: str) -> _State:
        """The state behind a tag with attributes is that behind one with the name alone."""
        name = tag.split(None, 1)[0]
        if name != tag and tag[-1] == "/":
            name += "/"
        known = self.get(name)
        return self._learn(self, name) if known is None else known


class _Machine:
    """Counts elements by the states that the tags lead to."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._states: dict[tuple[Element, Element | None], _State] = {}
        self._news: list[tuple[int, str, Element]] = []
        self._alarms: Counter[str] = Counter()
        self._size = 0
        self._left: Iterator[str] = iter(())

    def run(self, tags: list[str]) -> list[tuple[int, str, Element]]:
        """Counts these tags. Which of them are worth a line: by place, with name and element."""
        self._size, self._left = len(tags), iter(tags)
        states = list(accumulate(self._left, getitem, initial=self._state(self._tally.inside, None)))
        for state, times in Counter(states).items():
            if state.entered:
                state.entered.times += times
        self._tally.inside = states[-1].inside
        return self._news

    def _state(self, inside: Element, entered: Element | None) -> _State:
        """The one and only such state."""
        known = self._states.get((inside, entered))
        if known is None:
            known = self._states[inside, entered] = _State(inside, entered, self._learn)
        return known

    def _learn(self, state: _State, tag: str) -> _State:
        """The state behind a tag without attributes; from now on it is found without asking."""
        if tag[0] == "/":
            state[tag] = found = self._state(state.inside.around, None)
            return found
        name = tag.rstrip("/")
        element = state.inside.below.get(name)
        new = element is None
        if element is None:
            element = self._tally.first(name, state.inside)
            if self._tally.deep:
                element.times = 1
                return _End(element, None, self._learn)
        found = self._state(state.inside, element) if tag[-1] == "/" else self._state(element, element)
        told = element.alarming and self._alarms[bare(name)] < MOST_ALARMS
        if told or (new and element.depth < 2):
            # The machine does not count the tags it was given, but those that are left know how many they are.
            self._news.append((self._size - length_hint(self._left) - 1, name, element))
        if told:
            self._alarms[bare(name)] += 1
        else:
            state[tag] = found
        return found


class _End(_State):
    """Where nothing is counted any more."""

    __slots__ = ()

    def __missing__(self, tag: str) -> _State:
        return self
