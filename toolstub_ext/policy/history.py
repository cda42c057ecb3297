"""What the turns before the one under judgement showed, as far as decisions depend on it. It grows turn by turn."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..synopsis import is_stub
from ..transcript import Change, Outcome, ToolResult, Transcript, shown
from .calls import Call
from .course import Course
from .sources import Lines, Origin, Sources

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
    """A text that a result had: of which call first, whether the model saw but a stub or a part of it, and then how
    often for which calls."""

    call: Call
    hidden: bool
    calls: dict[Call, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Messages that become one, and what else has to be stored before: the results that the history refers to."""

    change: Change
    results: tuple[Change, ...]


@dataclass(slots=True)
class Aged:
    """What a policy for what is old need not find out again: how the conversation went, at which lengths of it the
    boundary moved and where to, and what is left of stretches, by the place where they start."""

    course: Course = field(default_factory=Course)
    moves: list[tuple[int, int]] = field(default_factory=list)
    stretches: dict[int, Stretch] = field(default_factory=dict)


class History:
    """The texts shown so far. It takes turns in and never gives one back."""

    def __init__(self) -> None:
        self.results = 0
        self.sources = Sources()
        self.move()
        self._seen: dict[str, Seen] = {}
        self._lengths: set[int] = set()
        self._lines: dict[str, Lines] = {}

    def move(self) -> None:
        """The same conversation stands elsewhere: what is known by places in it, or of its instructions, is not."""
        self.aged = {action: Aged() for action in (*AGED, FOLDED)}
        self.requests = 0
        self.left: dict[int, Change] = {}

    def seen(self, text: str) -> Seen | None:
        """What became of a result of exactly that text, if there was one. To look for a long text takes as long as to
        read it, so none is looked for whose length is new."""
        return self._seen.get(text) if len(text) in self._lengths else None

    def lines(self, text: str) -> Lines:
        """The lines of a text of the turn under judgement; they are wanted again when it is taken in."""
        lines = self._lines.get(text)
        if lines is None:
            self._lines[text] = lines = Lines.of(text)
        return lines

    def take_in(self, turn: Transcript) -> None:
        """The next turn, with what was decided about it."""
        left_out = turn.left_out
        for result, outcome in turn.pairs:
            if result.is_argument:
                continue
            call = Call.of(result)
            for text in call.written(SHORTEST):
                if text not in left_out:
                    self.sources.add(text, Origin("what {} wrote", call))
            if len(result.text) >= SHORTEST and not result.exempt and not is_stub(result.text):
                self._take(result, call, outcome)
        self.results += len(turn.results)
        self._lines.clear()

    def _take(self, result: ToolResult, call: Call, outcome: Outcome | None) -> None:
        known = self.seen(result.text)
        self._lengths.add(len(result.text))
        action = outcome.decision.action if isinstance(outcome, Change) else KEPT
        if action in (EXTERNALIZED, TRUNCATED) or (action == REPEATED and known and known.hidden):
            known = self._seen.setdefault(result.text, Seen(call, hidden=True))
            known.calls[call] = known.calls.get(call, 0) + 1
        elif known is None or known.hidden:
            self._seen[result.text] = Seen(call, hidden=False)
            if action in (KEPT, COMPACTED):
                text = shown(result, outcome)
                self.sources.add(text, Origin("the result of {}", call), self._lines.get(text))
