"""Bounds what a query may build: it counts nodes and characters, never seconds."""

from __future__ import annotations

from typing import Any

MOST_STEPS = 2_000_000


class Meter:
    """What a query may still spend. Raises ValueError, in one line, when that is nothing."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self._left = steps

    def spend(self, steps: int) -> None:
        """Charge for work about to be done, or just done."""
        self._left -= steps
        if self._left < 0:
            raise ValueError("the expression builds too much; select less before you combine it")

    def weigh(self, value: Any) -> None:
        """Charge for walking all of a value, shared parts each time they are met."""
        rest = [value]
        while rest:
            item = rest.pop()
            if isinstance(item, dict):
                self.spend(len(item) + 1)
                rest.extend(item.values())
            elif isinstance(item, list):
                self.spend(len(item) + 1)
                rest.extend(item)
            elif isinstance(item, str):
                self.spend(len(item) // 16 + 1)
