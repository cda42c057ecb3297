"""What it costs to get back what was missed: every turn that misses something asks twice before it goes on.

The model searches, and reads: two rounds that send all again at the price of cached input, two calls and a window of
the original. Each further place that is not in a window yet is one more call and window. What was read stays in the
conversation to its end, and visible: a literal in it is not missed again. Counted in characters, by the simple cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .caches import READ
from .conversation import Item
from .missing import Miss

ROUNDS = 2
CALL_CHARS = 400
WINDOW_CHARS = 2_500
BEFORE_CHARS = 500
"""How much of a window stands before the place that was looked for."""
_HEAD = 24


class Rereads:
    """The windows read so far in one conversation of `turns` requests, and what they cost."""

    def __init__(self, items: Sequence[Item], turns: int) -> None:
        self._items = items
        self._left = turns
        self._windows: dict[int, list[tuple[int, int]]] = {}
        self._read_chars = 0
        self.cost = 0.0
        self.cost_of: dict[int, float] = {}
        """The cost by the result that was read again."""

    def charge(self, sent_chars: int, misses: Iterable[Miss]) -> float:
        """The cost of the next request's misses, to the end of the conversation; it was sent with `sent_chars`."""
        self._left -= 1
        places = sorted({place for miss in misses if (place := self._unread(miss)) is not None})
        opened = [place for place in places if self._opens(*place)]
        if not opened:
            return 0.0
        added = (ROUNDS - 1) * CALL_CHARS + len(opened) * (CALL_CHARS + WINDOW_CHARS)
        again = ROUNDS * READ * (sent_chars + self._read_chars)
        kept = added * (1 + READ * self._left)
        self._read_chars += added
        self.cost += again + kept
        for result, _ in opened:
            self.cost_of[result] = self.cost_of.get(result, 0.0) + (again + kept) / len(opened)
        return again + kept

    def _unread(self, miss: Miss) -> tuple[int, int] | None:
        """The latest result that has the literal, and where; None if a window shows it."""
        for result in miss.sources:
            text, at = self._items[result].spoken, self._place(miss, result)
            for start, end in self._windows.get(result, ()):
                if start <= at < end or (miss.kind != "line" and miss.literal in text[start:end]):
                    return None
        return miss.sources[-1], self._place(miss, miss.sources[-1])

    def _opens(self, result: int, at: int) -> bool:
        """Whether a new window is read for a place; those after it may be in it as well."""
        windows = self._windows.setdefault(result, [])
        if any(start <= at < end for start, end in windows):
            return False
        start = max(0, at - BEFORE_CHARS)
        windows.append((start, start + WINDOW_CHARS))
        return True

    def _place(self, miss: Miss, result: int) -> int:
        """Where the literal stands; of a line, its first characters or its first word, for blanks may differ."""
        text = self._items[result].spoken
        tries = [miss.literal] if miss.kind != "line" else [miss.literal[:_HEAD], miss.literal.split()[0]]
        return next((at for part in tries if (at := text.find(part)) >= 0), 0)
