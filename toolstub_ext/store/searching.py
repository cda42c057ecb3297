"""Search: newest original first, until the page is full or the call has cost enough; a cursor goes on from there."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from .base import Hit, Hits
from .chunks import CHUNK_CHARS
from .listing import newest_first
from .matching import Matcher, longest_match, matchers
from .originals import Original
from .slices import read_span
from .windows import Windows

BUDGET_BYTES = 2 << 30
BUDGET_SECONDS = 5.0
COUNT_AT_MOST = 10_000
MATCH_CHARS = 1_000
_LAST = 1 << 62


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for, and how much of an answer is wanted. Raises ValueError, in one line, if it makes no sense."""

    text: str
    regex: bool = False
    ignore_case: bool = False
    limit: int = 20
    context_chars: int = 300
    cursor: str | None = None
    forms: tuple[Matcher, ...] = field(init=False)
    lookahead: int = field(init=False)

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise ValueError(f"limit is {self.limit}; ask for at least one hit")
        if self.context_chars < 0:
            raise ValueError(f"context_chars is {self.context_chars}; give a number from 0 on")
        longest = longest_match(self.text, regex=self.regex)
        object.__setattr__(self, "forms", tuple(matchers(self.text, regex=self.regex, ignore_case=self.ignore_case)))
        object.__setattr__(self, "lookahead", 1 if longest is None else -(-longest // CHUNK_CHARS))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a search stands: a sighting, an offset in its original, the form that matches there, the hits before it."""

    sighting: int
    offset: int = 0
    form: int = 0
    hits: int = 0

    def __str__(self) -> str:
        return f"{self.sighting}.{self.offset}.{self.form}.{self.hits}"


@dataclass(slots=True)
class _Budget:
    """What one call may cost. A regex is linear for each match, but has no such bound over all matches; a clock has."""

    windows: Windows
    deadline: float = field(default_factory=lambda: time.monotonic() + BUDGET_SECONDS)

    @property
    def spent(self) -> bool:
        return self.windows.bytes_read > BUDGET_BYTES or time.monotonic() > self.deadline


class _Scan:
    """One original, searched for one form: an iterator of spans in code points. `offset` is where it would go on."""

    def __init__(self, budget: _Budget, original: Original, matcher: Matcher, lookahead: int, offset: int) -> None:
        self.budget = budget
        self.original = original
        self.matcher = matcher
        self.lookahead = lookahead
        self.offset = offset
        self.finished = False

    def __iter__(self) -> Iterator[tuple[int, int]]:
        while not self.budget.spent:
            window = self.budget.windows.read(self.original, self.offset, self.lookahead)
            for begin, end in self.matcher(window.data, window.byte_of(self.offset)):
                if begin >= window.end:
                    break
                self.offset = window.offset_of(end)
                yield window.offset_of(begin), self.offset
                if self.budget.spent:
                    return
            if window.next_offset is None:
                self.finished = True
                return
            self.offset = max(self.offset, window.next_offset)


def search_originals(connection: sqlite3.Connection, owner: str, only: Original | None, query: Query) -> Hits:
    """One page of hits, in `only` or in all that the owner has seen."""
    start = _parse(query.cursor)
    budget = _Budget(Windows(connection))
    items: list[Hit] = []

    def page(rest: int, place: _Place | None) -> Hits:
        return Hits(tuple(items), start.hits + len(items) + rest, None if place is None else str(place))

    before = start.sighting + 1 if query.cursor is not None else _LAST
    for sighting, original in [(0, only)] if only is not None else newest_first(connection, owner, before):
        here = start if start.sighting == sighting else _Place(sighting, hits=start.hits + len(items))
        if len(items) == query.limit or budget.spent:
            return page(0, here)
        form, scan, spans = _scan(budget, original, query, here)
        for begin, end in islice(spans, query.limit - len(items)):
            items.append(_hit(connection, original, begin, end, query.context_chars))
        if scan.finished:
            continue
        place = _Place(sighting, scan.offset, form, start.hits + len(items))
        rest = sum(1 for _ in islice(spans, COUNT_AT_MOST))
        if rest or not scan.finished:
            return page(rest, place)
    return page(0, None)


def _scan(budget: _Budget, original: Original, query: Query, place: _Place) -> tuple[int, _Scan, Iterator[tuple[int, int]]]:
    """The scan for the first form that occurs in the original; of one already begun, the same form from there on."""
    forms = range(place.form, len(query.forms)) if place.offset == 0 else [place.form]
    for form in forms:
        scan = _Scan(budget, original, query.forms[form], query.lookahead, place.offset)
        spans = iter(scan)
        first = next(spans, None)
        if first is not None or not scan.finished:
            break
    return form, scan, chain([first] if first is not None else [], spans)


def _hit(connection: sqlite3.Connection, original: Original, begin: int, end: int, context: int) -> Hit:
    start = max(0, begin - context)
    part = read_span(connection, original, start, min(end, begin + MATCH_CHARS) + context - start)
    return Hit(original.ref, begin, part.first_line + part.text.count("\n", 0, begin - start), part.text)


def _parse(cursor: str | None) -> _Place:
    if cursor is None:
        return _Place(0)
    if re.fullmatch(r"[0-9]{1,18}\.[0-9]{1,18}\.[0-2]\.[0-9]{1,18}", cursor) is None:
        raise ValueError(f"cursor is {cursor[:40]!r}; give the one of the page before, unchanged")
    return _Place(*map(int, cursor.split(".")))
