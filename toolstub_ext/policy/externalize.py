"""A large result becomes a stub, and so do the largest of a turn that is too long.

    single   a result of more characters than its threshold (one of exactly that many stays)
    turn     while what a turn shows is at least `turn_inline_budget_chars`, its largest remaining result (the earlier
             of two equals), if that makes it shorter
    stubs    by kind each has the budget of its kind. With one threshold for all they share
             `turn_preview_budget_chars`, each between `min_preview_chars` and `preview_chars`

What may not be touched (an excluded tool, a reply of our own tools, a stub) counts towards its turn all the same. The
turn and one threshold for all are OpenViking's rules; the thresholds by kind are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from ..presets import FEW, NAMED
from ..settings import Externalize, KindRule, Settings, ToolRule
from ..synopsis import is_stub, synopsize
from ..transcript import Change, Decision, Outcome, ToolResult, Transcript, shown
from .kinds import in_words, kind_of
from .stubs import Stub, Stubs, Synopses, is_smaller, make_stub

NO_STUB_BELOW = 200
"""Characters: the header of a stub alone is longer, so for a smaller result none is tried."""
LONGEST_STUB = 2_300
"""Characters: what begins like a stub and is longer is none."""
FIRST_REQUESTS = 5
"""Up to so many assistant messages a result belongs to the beginning, which is carried along in all that follows."""
WORTH = 0.8
"""A stub by kind is at most this part of its original: less saved is not worth asking again."""
_NO_RULE, _NO_KIND_RULE = ToolRule(), KindRule()


def externalize(turn: Transcript, settings: Settings, *, stubs: Stubs = make_stub,
                synopses: Synopses = synopsize) -> Transcript:
    """One turn with a change for every result that is to become a stub, and an explanation for every other.

    `turn.said` is what the user had said before it. What has been decided already stays, and counts as it is shown.
    """
    if not settings.externalize.enabled:
        return turn
    new = iter(_Turn(turn, settings, stubs, synopses).outcomes())
    return turn.with_outcomes([next(new) if outcome is None else outcome for _, outcome in turn.pairs])


def rule_for(tool: str | None, settings: Settings) -> ToolRule:
    """What the settings say about a tool: under its own name, else under the first pattern that matches it."""
    if not settings.tools and not settings.exclude_tools:
        return _NO_RULE
    name = tool or ""
    rule = settings.tools.get(name)
    if rule is None:
        rule = next((rule for pattern, rule in settings.tools.items() if fnmatchcase(name, pattern)), _NO_RULE)
    if any(fnmatchcase(name, pattern) for pattern in settings.exclude_tools):
        return ToolRule(exclude=True)
    return rule


def untouchable(result: ToolResult, settings: Settings) -> str:
    """Why no policy may touch a result, or nothing."""
    if result.exempt:
        return result.exempt
    if rule_for(result.tool, settings).exclude:
        return "tool excluded"
    return "already a stub" if len(result.text) <= LONGEST_STUB and is_stub(result.text) else ""


def kept(result: ToolResult, reason: str) -> Decision:
    """That a result stays as it is, and why."""
    return Decision(result.slot, result.tool, "kept", reason, None, len(result.text), len(result.text))


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

    Each is either settled, free (small enough to stay, unless the turn as a whole is too long) or chosen.
    """

    def __init__(self, turn: Transcript, settings: Settings, stubs: Stubs, synopses: Synopses) -> None:
        self._results = [result for result, outcome in turn.pairs if outcome is None]
        self._said = turn.said
        self._settings = settings
        self._limits = settings.externalize
        self._stubs = stubs
        self._synopses = synopses
        self._shown = sum([len(shown(result, outcome)) for result, outcome in turn.pairs if not result.is_argument])
        self._kept: dict[int, str] = {}
        self._free: dict[int, str] = {}
        self._chosen: dict[int, _Choice] = {}
        self._kinds: dict[int, str] = {}
        self._made: dict[tuple[int, int], Stub] = {}

    def outcomes(self) -> list[Outcome]:
        """What becomes of each result about which nothing was decided, in order."""
        for place, result in enumerate(self._results):
            self._judge_alone(place, result)
        self._judge_together()
        return [self._outcome(place, result) for place, result in enumerate(self._results)]

    def _judge_alone(self, place: int, result: ToolResult) -> None:
        if reason := untouchable(result, self._settings):
            self._kept[place] = reason
            return
        threshold, kind = self._threshold(place, result)
        size, of_kind = len(result.text), f" ({in_words(kind)})" if kind else ""
        if size > threshold:
            explained = f"{size:,} > {threshold:,} chars{of_kind}"
            self._chosen[place] = _Choice(f"over {threshold:,} chars", explained)
        else:
            self._free[place] = f"{size:,} <= {threshold:,} chars{of_kind}"

    def _threshold(self, place: int, result: ToolResult) -> tuple[int, str]:
        """The threshold for a result, and its kind where that matters."""
        for threshold in (rule_for(result.tool, self._settings).threshold_chars, self._limits.threshold_chars):
            if threshold is not None:
                return threshold, ""
        if len(result.text) <= self._settings.least_by_kind:
            return self._settings.least_by_kind, ""
        early, later = self._rule(place).threshold_chars
        return early if result.requests <= FIRST_REQUESTS else later, self._kinds[place]

    def _rule(self, place: int) -> KindRule:
        """The rule for the kind of a result."""
        if place not in self._kinds:
            result = self._results[place]
            budget = FEW if result.text.lstrip()[:1] in ("{", "[") else NAMED
            synopsis = self._synopses(result.text, tool=result.tool, budget=budget, rules=self._settings.rules)
            self._kinds[place] = kind_of(result, synopsis, self._said)
        return self._settings.by_kind.get(self._kinds[place], _NO_KIND_RULE)

    def _judge_together(self) -> None:
        limit, size = self._limits.turn_inline_budget_chars, self._shown
        if limit is None or size < limit:
            return
        size -= sum(self._saved(place) for place in self._chosen)
        for place in sorted(self._free, key=lambda place: -len(self._results[place].text)):
            if size < limit or len(self._results[place].text) <= NO_STUB_BELOW:
                return
            self._chosen[place] = _Choice(f"turn over {limit:,} chars", f"turn of {size:,} >= {limit:,} chars")
            saved = self._saved(place)
            if saved > 0:
                size -= saved
            else:
                del self._chosen[place]

    def _saved(self, place: int) -> int:
        return len(self._results[place].text) - len(self._stub(place).text)

    def _stub(self, place: int) -> Stub:
        """The stub of a chosen result."""
        key = place, self._budget(place)
        if key not in self._made:
            result, reason = self._results[place], self._chosen[place].on_stub
            self._made[key] = self._stubs(result.text, tool=result.tool, budget=key[1], reason=reason,
                                          rules=self._settings.rules)
        return self._made[key]

    def _budget(self, place: int) -> int:
        if self._limits.threshold_chars is None:
            return self._rule(place).budget
        return share(self._limits, len(self._chosen))

    def _outcome(self, place: int, result: ToolResult) -> Outcome:
        if place not in self._chosen:
            return kept(result, self._kept.get(place) or self._free[place])
        stub, size = self._stub(place), len(result.text)
        if not is_smaller(stub, result.text):
            return kept(result, "stub would not be smaller")
        if self._limits.threshold_chars is None and len(stub.text) > WORTH * size:
            return kept(result, f"stub would save {size - len(stub.text):,} of {size:,} chars")
        choice = self._chosen[place]
        decision = Decision(result.slot, result.tool, "externalized", choice.explained, stub.ref, size, len(stub.text))
        return Change(result, stub.text, stub.literal, decision, stub.kind, stub.sha256, choice.on_stub,
                      self._budget(place))
