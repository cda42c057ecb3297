"""A figure with its goal, and how the time it rests on is taken."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

T = TypeVar("T")

pace: list[float] = []
"""CPU seconds that one fixed piece of work took, time and again while others were measured. They would all be equal if
the machine had nothing else to do; where they are not, only ratios can be trusted."""


@dataclass(frozen=True)
class Figure:
    """One line of the table. `goal` is an upper limit, or the least there should be where `at_least` says so.

    A figure without a goal is for information. `note` says what else there is to know in a few words.
    """

    what: str
    measured: float
    unit: str
    goal: float | None
    at_least: bool = False
    note: str = ""

    @property
    def ok(self) -> bool | None:
        """Whether the goal is reached; None without one."""
        if self.goal is None:
            return None
        return self.measured >= self.goal if self.at_least else self.measured <= self.goal


def seconds(make: Callable[[], T], *actions: Callable[[T], object], rounds: int) -> tuple[list[float], ...]:
    """CPU seconds (of all threads) that each action takes on what `make` makes, freshly for each, round by round.

    The actions take turns, and the first round, in which modules are imported and caches fill, does not count.
    """
    taken: tuple[list[float], ...] = tuple([] for _ in actions)
    for number in range(rounds + 1):
        gc.collect()
        _keep_pace()
        for action, times in zip(actions, taken, strict=True):
            material = make()
            start = time.process_time()
            result = action(material)
            spent = time.process_time() - start
            del result, material
            if number:
                times.append(spent)
    return taken


def _keep_pace() -> None:
    start = time.process_time()
    sum(range(20_000))
    pace.append(time.process_time() - start)


def slowdown() -> float:
    """How much slower than at its best the machine was, in the median."""
    return median(pace) / min(pace) if pace else 1.0


def ratio(make: Callable[[], T], ours: Callable[[T], object], theirs: Callable[[T], object], *, rounds: int) -> float:
    """How many times as long ours takes, in the median round."""
    mine, other = seconds(make, ours, theirs, rounds=rounds)
    return median(a / b for a, b in zip(mine, other, strict=True))


def milliseconds(make: Callable[[], T], ours: Callable[[T], object], *, rounds: int) -> float:
    """CPU time of the median round."""
    return median(seconds(make, ours, rounds=rounds)[0]) * 1e3
