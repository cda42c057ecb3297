"""What the turns before the one under judgement showed, as far as decisions depend on it. It grows turn by turn."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..synopsis import is_stub
from ..transcript import Change, Slot, ToolResult, Transcript
from .calls import Call
from .course import Weights
from .sources import Sources

SHORTEST = 300
"""Characters: a shorter text costs about as much as saying that it was there before."""

EXTERNALIZED, TRUNCATED, REPEATED, REDUCED = "externalized", "truncated", "repeated", "reduced"
COMPACTED, KEPT = "compacted", "kept"
"""What may become of a new result: a stub, its head and tail, a pointer, a delta, the same in fewer characters, or
nothing."""
CLEARED, COMPRESSED, RECLAIMED = AGED = "cleared", "compressed", "reclaimed"
"""What may become of an old one: a placeholder, its first lines, or a reference."""
ABRIDGED = "abridged"
"""What may become of a call: long texts in its arguments are left out."""
FOLDED = "folded"
"""What may become of whole messages: a history."""


@dataclass(slots=True)
class Seen:
    """A text that a result had: what it was called, whether the model saw but a stub or a part of it, and for which
    calls."""

    name: str
    hidden: bool
    calls: Counter[Call] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Messages that become one, and what else has to be stored before: the results that the history refers to."""

    change: Change
    results: tuple[Change, ...]


@dataclass(slots=True)
class Aged:
    """What a policy for what is old need not find out again: weights of messages, what is left of results, and of
    stretches, by the place where they start."""

    weights: Weights = field(default_factory=Weights)
    changes: dict[Slot, Change] = field(default_factory=dict)
    stretches: dict[int, Stretch] = field(default_factory=dict)


class History:
    """The texts shown so far. It takes turns in and never gives one back."""

    def __init__(self) -> None:
        self.results = 0
        self.sources = Sources()
        self.aged = {action: Aged() for action in (*AGED, FOLDED)}
        self._seen: dict[str, Seen] = {}

    def move(self) -> None:
        """The same conversation stands elsewhere: what is known by places in it, or of its instructions, is not."""
        self.aged = {action: Aged() for action in self.aged}

    def seen(self, text: str) -> Seen | None:
        """What became of a result of exactly that text, if there was one."""
        return self._seen.get(text)

    def take_in(self, turn: Transcript) -> None:
        """The next turn, with what was decided about it."""
        changes = {change.result.slot: change for change in turn.changes}
        left_out = turn.left_out
        for result in turn.results:
            if result.is_argument:
                continue
            call = Call.of(result)
            for text in call.written(SHORTEST):
                if text not in left_out:
                    self.sources.add(text, f"what {call} wrote")
            if len(result.text) >= SHORTEST and not result.exempt and not is_stub(result.text):
                self._take(result, call, changes.get(result.slot))
        self.results += len(turn.results)

    def _take(self, result: ToolResult, call: Call, change: Change | None) -> None:
        known = self._seen.get(result.text)
        action = change.decision.action if change else KEPT
        if action in (EXTERNALIZED, TRUNCATED) or (action == REPEATED and known and known.hidden):
            known = self._seen.setdefault(result.text, Seen(str(call), hidden=True))
            known.calls[call] += 1
        elif known is None or known.hidden:
            self._seen[result.text] = Seen(str(call), hidden=False)
            if action in (KEPT, COMPACTED):
                self.sources.add(change.text if change else result.text, f"the result of {call}")
