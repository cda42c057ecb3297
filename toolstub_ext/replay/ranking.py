"""Which decisions paid most, and which least: what a person looks at to see whether a policy fits."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from .conversation import Call, Conversation
from .measuring import Run

T = TypeVar("T")

_SHOWN_ARGUMENTS = 120


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of changing one result, or the calls of one message.

    `saved` and `rereads` are costs by the simple model. `turn` is that of the call, from 1; `misses` how many
    literals were missed that only this still had.
    """

    conversation: str
    turn: int
    tool: str
    arguments: str
    reason: str
    chars_before: int
    chars_after: int
    saved: float
    rereads: float
    misses: int

    @property
    def net(self) -> float:
        """What is left of the saving after what was missed has been read again."""
        return self.saved - self.rereads


class Best(Generic[T]):
    """The `most` things with the largest key, of any number of them; of equals the first."""

    def __init__(self, most: int, key: Callable[[T], float]) -> None:
        self._most = most
        self._key = key
        self._kept: list[tuple[float, int, T]] = []
        self._seen = 0

    def add(self, thing: T) -> None:
        """Keep it, if it is among the best so far."""
        self._seen += 1
        entry = (self._key(thing), -self._seen, thing)
        if len(self._kept) < self._most:
            heapq.heappush(self._kept, entry)
        else:
            heapq.heappushpop(self._kept, entry)

    def __iter__(self) -> Iterator[T]:
        return (thing for _, _, thing in sorted(self._kept, reverse=True))


def outcomes(conversation: Conversation, run: Run, baseline: Run) -> Iterator[Outcome]:
    """What came of each result that was changed, and of each message whose calls were."""
    missed = Counter(miss.sources[-1] for miss in run.misses)
    calls: dict[str, tuple[int, Call]] = {}
    turn = 0
    for place, item in enumerate(conversation.items):
        if item.kind == "assistant":
            turn += 1
            calls |= {call.call_id: (turn, call) for call in item.calls}
        if place not in baseline.item_costs or (item.calls and place not in run.reasons):
            continue
        before, after = baseline.shown[place], run.shown.get(place, 0)
        saved = baseline.item_costs[place] - run.item_costs.get(place, 0.0)
        if place not in run.reasons and not saved:
            continue
        longest = max(item.calls, key=lambda call: len(call.arguments), default=Call("", "", ""))
        asked, call = calls.get(item.call_id, (turn, longest))
        yield Outcome(
            conversation.name, asked, call.tool, call.arguments[:_SHOWN_ARGUMENTS], run.reasons.get(place, "not sent"),
            before, after, saved, run.reread_costs.get(place, 0.0), missed[place],
        )
