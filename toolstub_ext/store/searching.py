"""Search: newest original first, until the page is full or the call has cost enough; a cursor goes on from there."""

from __future__ import annotations

import logging
import re
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ..errors import StoreError
from .base import Hit, Hits
from .chunks import WHOLE_CHARS, Chunk, decompress, read_chunks
from .listing import NEWEST, newest_first
from .matching import Matcher, longest_form, matchers
from .originals import Original, numbered
from .slices import read_span
from .windows import Windows

log = logging.getLogger(__name__)

BUDGET_BYTES = 2 << 30
BUDGET_SECONDS = 5.0
COUNT_AT_MOST = 10_000
MATCH_CHARS = 1_000

_CURSOR = re.compile(r"([0-9]{1,18})\.([0-9]{1,18})\.([0-2])\.([0-9]{1,18})")

@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for, and how much of an answer is wanted."""

    text: str
    regex: bool = False
    ignore_case: bool = False
    limit: int = 20
    context_chars: int = 300
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a search stands: a sighting, an offset in its original, the form that occurs there, the hits before it."""

    sighting: int
    offset: int = 0
    form: int = 0
    hits: int = 0

    def __str__(self) -> str:
        return f"{self.sighting}.{self.offset}.{self.form}.{self.hits}"


class _Budget:
    """What one call may cost. One match of a regex takes linear time, all of them together may not; hence a clock."""

    def __init__(self, windows: Windows) -> None:
        self._windows = windows
        self._deadline = time.monotonic() + BUDGET_SECONDS

    @property
    def spent(self) -> bool:
        return self._windows.bytes_read > BUDGET_BYTES or time.monotonic() > self._deadline


class _Scan:
    """One original being searched.

    A query may have several forms: the first that occurs counts. `form` and `offset` are where it would go on;
    `finished` tells the end of the original from the end of the budget.
    """

    def __init__(self, original: Original, place: _Place, forms: Sequence[Matcher], lookahead: int,
                 windows: Windows, budget: _Budget) -> None:
        self.form, self.offset, self.finished = place.form, place.offset, False
        self._original, self._forms, self._lookahead = original, forms, lookahead
        self._windows, self._budget = windows, budget

    def spans(self) -> Iterator[tuple[int, int]]:
        """The occurrences; to be asked for once."""
        start = self.offset
        for form in range(self.form, len(self._forms)):
            self.form, self.offset, self.finished = form, start, False
            occurs = start > 0
            for span in self._occurrences(self._forms[form]):
                occurs = True
                yield span
            if occurs or not self.finished:
                return

    def _occurrences(self, matcher: Matcher) -> Iterator[tuple[int, int]]:
        while not self._budget.spent:
            window = self._windows.read(self._original, self.offset, self._lookahead)
            for begin, end in matcher.spans(window.data, window.byte_of(self.offset)):
                if begin >= window.end:
                    break
                start, self.offset = window.offset_of(begin), window.offset_of(end)
                if start < self.offset:
                    yield start, self.offset
                if self._budget.spent:
                    return
            if window.next_offset is None:
                self.finished = True
                return
            self.offset = max(self.offset, window.next_offset)


class Search:
    """One call. Raises ValueError, in one line, for a query that makes no sense."""

    def __init__(self, connection: sqlite3.Connection, query: Query) -> None:
        if query.limit < 1:
            raise ValueError(f"limit is {query.limit}; ask for at least one hit")
        if query.context_chars < 0:
            raise ValueError(f"context_chars is {query.context_chars}; give a number from 0 on")
        self._connection = connection
        self._query = query
        self._forms = matchers(query.text, regex=query.regex, ignore_case=query.ignore_case)
        self._lookahead = WHOLE_CHARS if query.regex else longest_form(query.text)
        self._start = _parse(query.cursor)
        self._windows = Windows(connection)
        self._budget = _Budget(self._windows)
        self._items: list[Hit] = []
        self._around: tuple[tuple[int, int, int], list[Chunk]] = ((0, 0, 0), [])

    def in_one(self, original: Original) -> Hits:
        """A page of hits in one original. Raises StoreError if it is damaged."""
        place = self._start if self._start.sighting == 0 else _Place(0, hits=self._count)
        return self._searched(place, original, None, alone=True) or self._page(None)

    def in_all_of(self, owner: str) -> Hits:
        """A page of hits in all that the owner has seen, newest sighting first; what is damaged is left out."""
        start = self._start
        before = NEWEST if self._query.cursor is None else start.sighting + 1
        for sighting, number, frame in newest_first(self._connection, owner, before):
            begun = sighting == start.sighting
            full = len(self._items) == self._query.limit or self._budget.spent
            try:
                if frame is not None and not begun and not full and not self._occurs(frame):
                    continue
                place = start if begun else _Place(sighting, hits=self._count)
                page = self._page(place) if full else self._searched(place, numbered(self._connection, number), frame)
            except StoreError as error:
                log.warning("%s was not searched: %s", numbered(self._connection, number).ref, error)
            else:
                if page is not None:
                    return page
        return self._page(None)

    def _occurs(self, frame: bytes) -> bool:
        """Whether any form of the query does: most originals hold none, and are done with.

        What holds one is decompressed a second time. Text that outlives this call would cost more, for all the others:
        the next one could not take its place in the processor's cache.
        """
        data = decompress(frame)
        self._windows.bytes_read += len(data)
        return any(form.occurs(data) for form in self._forms)

    def _searched(self, place: _Place, original: Original, frame: bytes | None, *, alone: bool = False) -> Hits | None:
        """Adds the hits from a place on; the page, if it ends with this original. `frame` is its only chunk.

        `alone`: no other original is searched, so that its hits are all.
        """
        if frame is not None:
            self._windows.offer(original, decompress(frame))
        scan = _Scan(original, place, self._forms, self._lookahead, self._windows, self._budget)
        spans = scan.spans()
        for begin, end in islice(spans, min(self._query.limit, sys.maxsize) - len(self._items)):
            self._items.append(self._hit(original, begin, end))
        place = _Place(place.sighting, scan.offset, scan.form, self._count)
        rest = sum(1 for _ in islice(spans, COUNT_AT_MOST))
        return self._page(place, rest, complete=alone and scan.finished) if rest or not scan.finished else None

    @property
    def _count(self) -> int:
        return self._start.hits + len(self._items)

    def _page(self, place: _Place | None, rest: int = 0, *, complete: bool = False) -> Hits:
        return Hits(tuple(self._items), self._count + rest, None if place is None else str(place),
                    complete=complete or place is None)

    def _hit(self, original: Original, begin: int, end: int) -> Hit:
        context = self._query.context_chars
        start = max(0, begin - context)
        part = read_span(self._connection, original, start, min(end, begin + MATCH_CHARS) + context - start,
                         self._read_again)
        return Hit(original.ref, begin, part.first_line + part.text.count("\n", 0, begin - start), part.text)

    def _read_again(self, connection: sqlite3.Connection, original: int, first: int, last: int) -> list[Chunk]:
        """The chunks around a hit: mostly those around the hit before it."""
        wanted = (original, first, last)
        if self._around[0] != wanted:
            self._around = (wanted, list(read_chunks(connection, original, first, last)))
        return self._around[1]


def _parse(cursor: str | None) -> _Place:
    if cursor is None:
        return _Place(0)
    match = _CURSOR.fullmatch(cursor)
    if match is None:
        raise ValueError(f"cursor is {cursor[:40]!r}; give the one of the page before, unchanged")
    return _Place(*map(int, match.groups()))
