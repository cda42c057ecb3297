"""One conversation under one policy: what is sent, what it costs, what is missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter

from ..rewriting import Rewriter
from ..settings import Settings
from ..store.base import Store
from .caches import MODELS, READ, SIMPLE
from .conversation import Conversation
from .missing import Evidence, Miss
from .rereading import Rereads
from .sending import Sender, Sent

BASELINE = "off"
"""The policy that changes nothing, which the others are compared with."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Settings under the name they are reported by."""

    name: str
    settings: Settings


@dataclass
class Spent:
    """What a conversation took. Costs are by cost model; `definitions` are the tools' part, which is not in `costs`."""

    turns: int = 0
    chars: int = 0
    tokens: int = 0
    costs: dict[str, float] = field(default_factory=lambda: dict.fromkeys(MODELS, 0.0))
    definitions: dict[str, float] = field(default_factory=lambda: dict.fromkeys(MODELS, 0.0))
    rereads: float = 0.0
    miss_turns: int = 0

    def add(self, other: Spent) -> None:
        """Count another conversation in."""
        for name in ("turns", "chars", "tokens", "rereads", "miss_turns"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for model in MODELS:
            self.costs[model] += other.costs[model]
            self.definitions[model] += other.definitions[model]


@dataclass
class Run:
    """A conversation under a policy: what it took, what it missed, and what each result cost.

    `curve` is the cost so far after each request, by the simple model; `result_costs` the cost of each result's text
    by that model, `shown` how many characters stood for it at last, `reread_costs` what getting it back costs.
    """

    spent: Spent = field(default_factory=Spent)
    misses: list[Miss] = field(default_factory=list)
    curve: list[int] = field(default_factory=list)
    result_costs: dict[int, float] = field(default_factory=dict)
    shown: dict[int, int] = field(default_factory=dict)
    reread_costs: dict[int, float] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)


class Measure:
    """Measures one conversation under any number of policies."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._sender = Sender(conversation)
        self._evidence = Evidence(conversation)
        self._results = {place for place, item in enumerate(conversation.items) if item.kind == "result"}

    def baseline(self) -> Run:
        """The whole conversation, turn by turn, with nothing changed."""
        run = Run()
        self._follow(self._sender.untouched(), run)
        return run

    def run(self, settings: Settings, store: Store) -> Run:
        """The whole conversation, turn by turn, through the rewriting of a proxy with these settings."""
        run, rewriter = Run(), Rewriter(store, settings)
        self._follow(self._sender.requests(rewriter, run.reasons), run)
        run.faults = rewriter.faults
        return run

    def _follow(self, requests: Iterator[Sent], run: Run) -> None:
        meters = {model: (_Meter(model, definitions=False), _Meter(model, definitions=True)) for model in MODELS}
        rereads = Rereads(self._conversation.items, len(self._conversation.turns))
        for sent in requests:
            spent = run.spent
            spent.turns += 1
            spent.tokens += sum(piece.tokens for piece in sent.pieces)
            sent_chars = sum(piece.chars for piece in sent.pieces)
            spent.chars += sent_chars
            for model, (bare, whole) in meters.items():
                cost = bare.charge(sent)
                spent.costs[model] += cost
                spent.definitions[model] += whole.charge(sent) - cost
            run.curve.append(round(spent.costs[SIMPLE]))
            self._attribute(sent, run)
            misses = self._evidence.misses(sent)
            run.misses += misses
            spent.miss_turns += bool(misses)
            rereads.charge(sent_chars, misses)
        run.spent.rereads, run.reread_costs = rereads.cost, rereads.cost_of

    def _attribute(self, sent: Sent, run: Run) -> None:
        """Note what each result, or the text in its place, costs in this request by the simple model."""
        for place, piece in enumerate(sent.pieces):
            result = piece.item if piece.item in self._results else piece.replaces
            if result is not None:
                price = READ if place < sent.same else 1.0
                run.result_costs[result] = run.result_costs.get(result, 0.0) + price * piece.chars
                run.shown[result] = piece.chars


class _Meter:
    """One cost model over the requests of one conversation, with or without the tool definitions in front of them."""

    def __init__(self, model: str, *, definitions: bool) -> None:
        self._size = attrgetter(MODELS[model].unit)
        self._cache = MODELS[model].cache()
        self._definitions = definitions
        self._before: tuple[str, ...] = ()

    def charge(self, sent: Sent) -> float:
        """What the next request costs."""
        sizes = [self._size(piece) for piece in sent.pieces]
        if not self._definitions:
            return self._cache.charge(sizes, sent.same)
        definitions = sent.ours.text, sent.tools.text
        same = sent.same + 1 if definitions == self._before else 0
        self._before = definitions
        return self._cache.charge([self._size(sent.ours) + self._size(sent.tools), *sizes], same)
