"""OpenViking's rules: a result above a threshold becomes a stub, and so do the largest of a turn that is too long.

    single   a result of more than `threshold_chars` (one of exactly that many stays)
    turn     while what a turn shows is at least `turn_inline_budget_chars`, its largest remaining result (the earlier
             of two equals), if that makes it shorter
    preview  the stubs of a turn share `turn_preview_budget_chars`, each between `min_preview_chars` and `preview_chars`

What may not be touched (an excluded tool, a reply of our own tools, a stub) counts towards its turn all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import groupby

from ..settings import Externalize, Settings, ToolRule
from ..synopsis import is_stub
from ..transcript import Change, Decision, ToolResult, Transcript
from .stubs import Stub, Stubs, is_smaller, make_stub

NO_STUB_BELOW = 200
"""Characters: the header of a stub alone is longer, so for a smaller result none is tried."""
LONGEST_STUB = 2_300
"""Characters: what begins like a stub and is longer is none."""


def externalize(transcript: Transcript, settings: Settings, *, stubs: Stubs = make_stub) -> Transcript:
    """The transcript with a change for every result that is to become a stub, and an explanation for every other."""
    if not settings.externalize.enabled:
        return transcript
    changes: list[Change] = []
    decisions: list[Decision] = []
    for _, results in groupby(transcript.results, key=lambda result: result.turn):
        for outcome in _Turn(tuple(results), settings, stubs).outcomes():
            if isinstance(outcome, Change):
                changes.append(outcome)
            else:
                decisions.append(outcome)
    return transcript.with_changes(*changes).with_decisions(*decisions)


def rule_for(tool: str | None, settings: Settings) -> ToolRule:
    """What the settings say about a tool: under its own name, else under the first pattern that matches it."""
    name = tool or ""
    rule = settings.tools.get(name)
    if rule is None:
        rule = next((rule for pattern, rule in settings.tools.items() if fnmatchcase(name, pattern)), ToolRule())
    if any(fnmatchcase(name, pattern) for pattern in settings.exclude_tools):
        return ToolRule(exclude=True)
    return rule


def share(limits: Externalize, selected: int) -> int:
    """The preview budget of each of `selected` stubs of one turn, in characters."""
    fair = limits.turn_preview_budget_chars // max(selected, 1)
    return max(0, min(limits.preview_chars, max(limits.min_preview_chars, fair)))


@dataclass(frozen=True, slots=True)
class _Choice:
    """Why a result is to become a stub: as the stub says it, and as the decision explains it."""

    on_stub: str
    explained: str


class _Turn:
    """One turn under judgement. Results are named by their place in it.

    Each is either kept for good, free (small enough to stay, unless the turn as a whole is too long) or chosen.
    """

    def __init__(self, results: tuple[ToolResult, ...], settings: Settings, stubs: Stubs) -> None:
        self._results = results
        self._settings = settings
        self._limits = settings.externalize
        self._stubs = stubs
        self._kept: dict[int, str] = {}
        self._free: dict[int, str] = {}
        self._chosen: dict[int, _Choice] = {}
        self._made: dict[tuple[int, int], Stub] = {}

    def outcomes(self) -> list[Change | Decision]:
        """What becomes of each result, in order."""
        for place, result in enumerate(self._results):
            self._judge_alone(place, result)
        self._judge_together()
        return [self._outcome(place, result) for place, result in enumerate(self._results)]

    def _judge_alone(self, place: int, result: ToolResult) -> None:
        rule = rule_for(result.tool, self._settings)
        threshold = self._limits.threshold_chars if rule.threshold_chars is None else rule.threshold_chars
        size = len(result.text)
        if result.exempt:
            self._kept[place] = result.exempt
        elif rule.exclude:
            self._kept[place] = "tool excluded"
        elif is_stub(result.text) and size <= LONGEST_STUB:
            self._kept[place] = "already a stub"
        elif size > threshold:
            self._chosen[place] = _Choice(f"over {threshold:,} chars", f"{size:,} > {threshold:,} chars")
        else:
            self._free[place] = f"{size:,} <= {threshold:,} chars"

    def _judge_together(self) -> None:
        limit = self._limits.turn_inline_budget_chars
        shown = sum(len(result.text) for result in self._results)
        if shown < limit:
            return
        shown -= sum(self._saved(place) for place in self._chosen)
        for place in sorted(self._free, key=lambda place: -len(self._results[place].text)):
            if shown < limit or len(self._results[place].text) <= NO_STUB_BELOW:
                return
            self._chosen[place] = _Choice(f"turn over {limit:,} chars", f"turn of {shown:,} >= {limit:,} chars")
            saved = self._saved(place)
            if saved > 0:
                shown -= saved
            else:
                del self._chosen[place]

    def _saved(self, place: int) -> int:
        return len(self._results[place].text) - len(self._stub(place).text)

    def _stub(self, place: int) -> Stub:
        """The stub of a chosen result, within its share of what the turn may spend on stubs."""
        key = place, self._budget()
        if key not in self._made:
            result, reason = self._results[place], self._chosen[place].on_stub
            self._made[key] = self._stubs(result.text, tool=result.tool, budget=key[1], reason=reason,
                                          rules=self._settings.rules)
        return self._made[key]

    def _budget(self) -> int:
        return share(self._limits, len(self._chosen))

    def _outcome(self, place: int, result: ToolResult) -> Change | Decision:
        if place not in self._chosen:
            return _kept(result, self._kept.get(place) or self._free[place])
        stub = self._stub(place)
        if not is_smaller(stub, result.text):
            return _kept(result, "stub would not be smaller")
        choice = self._chosen[place]
        decision = Decision(result.slot, result.tool, "externalized", choice.explained, stub.ref,
                            len(result.text), len(stub.text))
        return Change(result, stub.text, stub.literal, decision, stub.kind, stub.sha256, choice.on_stub, self._budget())


def _kept(result: ToolResult, reason: str) -> Decision:
    return Decision(result.slot, result.tool, "kept", reason, None, len(result.text), len(result.text))
