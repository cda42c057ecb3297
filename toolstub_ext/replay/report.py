"""What a replay found, added up over all conversations while they pass; none of them is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ..phrases import counted
from .caches import MODELS, SIMPLE
from .conversation import Conversation
from .measuring import BASELINE, Run, Spent
from .ranking import Best, Outcome, outcomes

LISTED = 10
"""Savings and bad decisions that are shown."""
LISTED_CONVERSATIONS = 1_000
LISTED_MISSES = 1_000
CURVES = 3
"""Conversations whose cost is drawn."""


@dataclass(frozen=True, slots=True)
class MissEvent:
    """A literal that was missed: where, and in which turn, counted from 1."""

    conversation: str
    turn: int
    kind: str
    literal: str


@dataclass(frozen=True, slots=True)
class Ratio:
    """A cost in relation to that of doing nothing, and the conversation it is of."""

    value: float = 0.0
    conversation: str = ""


@dataclass
class Summary:
    """One policy over all conversations."""

    name: str
    spent: Spent = field(default_factory=Spent)
    changed: int = 0
    worst: Ratio = Ratio()
    worst_net: Ratio = Ratio()
    miss_kinds: Counter[str] = field(default_factory=Counter)
    misses: list[MissEvent] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    savings: Best[Outcome] = field(default_factory=lambda: Best(LISTED, lambda outcome: outcome.saved))
    losses: Best[Outcome] = field(default_factory=lambda: Best(LISTED, lambda outcome: -outcome.net))

    @property
    def miss_share(self) -> float:
        """The share of turns that missed something."""
        return self.spent.miss_turns / max(self.spent.turns, 1)

    def add(self, conversation: Conversation, run: Run, baseline: Run) -> None:
        """Count one conversation in."""
        self.spent.add(run.spent)
        self.faults += run.faults
        self.miss_kinds.update(miss.kind for miss in run.misses)
        number = {place: turn for turn, place in enumerate(conversation.turns, 1)}
        room = LISTED_MISSES - len(self.misses)
        self.misses += [
            MissEvent(conversation.name, number[miss.turn], miss.kind, miss.literal) for miss in run.misses[:room]
        ]
        for outcome in outcomes(conversation, run, baseline):
            self.changed += 1
            self.savings.add(outcome)
            if outcome.net < 0 or outcome.misses:
                self.losses.add(outcome)
        nothing, cost = baseline.spent.costs[SIMPLE], run.spent.costs[SIMPLE]
        if nothing:
            name = conversation.name
            self.worst = max(self.worst, Ratio(cost / nothing, name), key=lambda ratio: ratio.value)
            net = Ratio((cost + run.spent.rereads) / nothing, name)
            self.worst_net = max(self.worst_net, net, key=lambda ratio: ratio.value)


@dataclass(frozen=True)
class Row:
    """One conversation: its size, what it took as recorded and under each policy, by name.

    `curves` has the cost so far after each request, of those that are drawn.
    """

    name: str
    results: int
    baseline: Spent
    spent: Mapping[str, Spent]
    curves: Mapping[str, Sequence[float]] = field(default_factory=dict)

    @property
    def cost(self) -> float:
        """What it costs as recorded, by the simple model."""
        return self.baseline.costs[SIMPLE]

    def ratio(self, policy: str, model: str = SIMPLE) -> float:
        """The cost under a policy in relation to that of doing nothing."""
        return self.spent[policy].costs[model] / (self.baseline.costs[model] or 1)

    def net_ratio(self, policy: str) -> float:
        """The same after what was missed has been read again."""
        return (self.spent[policy].costs[SIMPLE] + self.spent[policy].rereads) / (self.cost or 1)


class Report:
    """All policies over all conversations, beside doing nothing."""

    def __init__(self, policies: Sequence[str]) -> None:
        self.conversations = 0
        self.results = 0
        self.files = 0
        self.others = 0
        self.faults: tuple[str, ...] = ()
        self.baseline = Summary(BASELINE)
        self.policies = [Summary(name) for name in policies]
        self.largest: Best[Row] = Best(LISTED_CONVERSATIONS, lambda row: row.cost)
        self.drawn: Best[Row] = Best(CURVES, lambda row: row.cost)

    def add(self, conversation: Conversation, baseline: Run, runs: Sequence[Run]) -> None:
        """Count one conversation in; the runs are in the order of the policies."""
        self.conversations += 1
        results = sum(item.kind == "result" for item in conversation.items)
        self.results += results
        self.baseline.add(conversation, baseline, baseline)
        for policy, run in zip(self.policies, runs, strict=True):
            policy.add(conversation, run, baseline)
        named = list(zip((policy.name for policy in self.policies), runs, strict=True))
        row = Row(conversation.name, results, baseline.spent, {name: run.spent for name, run in named})
        self.largest.add(row)
        self.drawn.add(replace(row, curves={BASELINE: baseline.curve} | {name: run.curve for name, run in named}))

    def saved(self, policy: Summary, model: str = SIMPLE) -> float:
        """The share of the cost that a policy saves, without tool definitions."""
        return 1 - policy.spent.costs[model] / (self.baseline.spent.costs[model] or 1)

    def net(self, policy: Summary) -> float:
        """The share that is left after what was missed has been read again."""
        spent = policy.spent
        return 1 - (spent.costs[SIMPLE] + spent.rereads) / (self.baseline.spent.costs[SIMPLE] or 1)

    def definitions(self, policy: Summary, model: str = SIMPLE) -> float:
        """What the definitions of the retrieval tools cost, as a share of the cost of doing nothing."""
        more = policy.spent.definitions[model] - self.baseline.spent.definitions[model]
        return more / (self.baseline.spent.costs[model] or 1)

    def failures(self) -> Iterator[str]:
        """What could not be read, and requests that went unchanged because of a fault in the rewriting."""
        yield from self.faults
        for policy in self.policies:
            for fault, times in policy.faults.items():
                yield f"{policy.name}: sent as they were, for a fault of toolstub, {counted(times, 'time')}: {fault}"

    def data(self) -> dict[str, Any]:
        """Everything, for a program."""
        return {
            "files": self.files,
            "files_without_conversation": self.others,
            "failures": list(self.failures()),
            "conversations": self.conversations,
            "turns": self.baseline.spent.turns,
            "results": self.results,
            "baseline": _spent(self.baseline.spent),
            "policies": [self._policy(policy) for policy in self.policies],
            "largest_conversations": [_row(row) for row in self.largest],
            "curves": [{"conversation": row.name, "cost": dict(row.curves)} for row in self.drawn],
        }

    def _policy(self, policy: Summary) -> dict[str, Any]:
        return {
            "name": policy.name,
            **_spent(policy.spent),
            "changed_results": policy.changed,
            "saved": {model: self.saved(policy, model) for model in MODELS},
            "definitions_share": {model: self.definitions(policy, model) for model in MODELS},
            "miss_share": policy.miss_share,
            "net_saved": self.net(policy),
            "worst": asdict(policy.worst),
            "worst_net": asdict(policy.worst_net),
            "misses": {"by_kind": dict(policy.miss_kinds), "events": [asdict(event) for event in policy.misses]},
            "largest_savings": [_outcome(outcome) for outcome in policy.savings],
            "worst_decisions": [_outcome(outcome) for outcome in policy.losses],
        }


def _row(row: Row) -> dict[str, Any]:
    policies = {name: {**_spent(spent), "saved": {model: 1 - row.ratio(name, model) for model in MODELS},
                       "net_saved": 1 - row.net_ratio(name)} for name, spent in row.spent.items()}
    return {"conversation": row.name, "turns": row.baseline.turns, "results": row.results,
            "baseline": _spent(row.baseline), "policies": policies}


def _spent(spent: Spent) -> dict[str, Any]:
    return {"chars_sent": spent.chars, "tokens_sent": spent.tokens, "costs": spent.costs,
            "definition_costs": spent.definitions, "reread_cost": spent.rereads, "miss_turns": spent.miss_turns}


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {**asdict(outcome), "net": outcome.net}
