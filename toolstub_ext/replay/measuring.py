"""One conversation under one policy: what is sent, what it costs, what is missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from types import MappingProxyType

from ..rewriting import Rewriter
from ..settings import Settings
from ..store.base import Store
from .caches import MODELS, READ, SIMPLE
from .conversation import Conversation
from .missing import Evidence, Miss
from .rereading import Rereads
from .sending import Piece, Sender, Sent

BASELINE = "off"
"""The policy that changes nothing, which the others are compared with."""
UNITS: Mapping[str, Callable[[Piece], int]] = MappingProxyType({
    "chars": lambda piece: piece.chars, "tokens": lambda piece: piece.tokens,
})


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
    """A conversation under a policy: what it took, what it missed, and what each result and each message with calls
    cost.

    `curve` is the cost so far after each request, by the simple model; `item_costs` the cost of each of their texts by
    that model, `shown` how many characters stood for it at last, `reread_costs` what getting it back costs.
    """

    spent: Spent = field(default_factory=Spent)
    misses: list[Miss] = field(default_factory=list)
    curve: list[int] = field(default_factory=list)
    item_costs: dict[int, float] = field(default_factory=dict)
    shown: dict[int, int] = field(default_factory=dict)
    reread_costs: dict[int, float] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)


class Measure:
    """Measures one conversation under any number of policies; `sent` is called after each request."""

    def __init__(self, conversation: Conversation, sent: Callable[[], None] = lambda: None) -> None:
        self._conversation = conversation
        self._sent = sent
        self._sender = Sender(conversation)
        self._evidence = Evidence(conversation)
        self._replaceable = {place for place, item in enumerate(conversation.items)
                             if item.kind == "result" or item.calls}

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
        meters = [_Meter(model) for model in MODELS]
        sizes = _Sizes()
        standing = _Standing(self._replaceable, run)
        rereads = Rereads(self._conversation.items, len(self._conversation.turns))
        spent = run.spent
        for sent in requests:
            sizes.follow(sent)
            spent.turns += 1
            spent.chars += sizes.conversation["chars"][-1]
            spent.tokens += sizes.conversation["tokens"][-1]
            for meter in meters:
                meter.charge(sizes, sent.same, spent)
            run.curve.append(round(spent.costs[SIMPLE]))
            standing.follow(sent, spent.turns)
            misses = self._evidence.misses(sent)
            run.misses += misses
            spent.miss_turns += bool(misses)
            rereads.charge(sizes.conversation["chars"][-1], misses)
            self._sent()
        standing.settle(0, spent.turns + 1)
        spent.rereads, run.reread_costs = rereads.cost, rereads.cost_of


class _Sizes:
    """How large the first N pieces of a request are, by unit: of the conversation alone, and with the tool definitions
    in front as one piece. Only what has changed since the request before is added up again."""

    def __init__(self) -> None:
        self.conversation = {unit: [0] for unit in UNITS}
        self.whole = {unit: [0] for unit in UNITS}
        self.same_definitions = False
        self._definitions: tuple[str, ...] = ()

    def follow(self, sent: Sent) -> None:
        """The next request."""
        definitions = sent.ours.text, sent.tools.text
        self.same_definitions = definitions == self._definitions
        self._definitions = definitions
        for unit, size_of in UNITS.items():
            new = [size_of(piece) for piece in sent.pieces[sent.same:]]
            if not self.same_definitions:
                head = size_of(sent.ours) + size_of(sent.tools)
                self.whole[unit] = [0, *(head + until for until in self.conversation[unit])]
            _extend(self.conversation[unit], sent.same, new)
            _extend(self.whole[unit], sent.same + 1, new)


def _extend(until: list[int], same: int, new: Sequence[int]) -> None:
    """Put the sums of new sizes behind those of the first `same`."""
    del until[same + 1:]
    until += islice(accumulate(new, initial=until[-1]), 1, None)


class _Meter:
    """One cost model over the requests of one conversation, with and without the tool definitions in front of them."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._unit = MODELS[model].unit
        self._conversation, self._whole = MODELS[model].cache(), MODELS[model].cache()

    def charge(self, sizes: _Sizes, same: int, spent: Spent) -> None:
        """Add what the next request costs."""
        cost = self._conversation.charge(sizes.conversation[self._unit], same)
        whole = self._whole.charge(sizes.whole[self._unit], same + 1 if sizes.same_definitions else 0)
        spent.costs[self._model] += cost
        spent.definitions[self._model] += whole - cost


class _Standing:
    """What stands for each result and each message with calls from which request on, so that its cost by the simple
    model is known at the end."""

    def __init__(self, replaceable: Collection[int], run: Run) -> None:
        self._replaceable = replaceable
        self._run = run
        self._pieces: list[tuple[Piece, int]] = []

    def follow(self, sent: Sent, request: int) -> None:
        """The next request; they are counted from 1."""
        self.settle(sent.same, request)
        self._pieces += [(piece, request) for piece in sent.pieces[sent.same:]]

    def settle(self, same: int, request: int) -> None:
        """What stands behind the first `same` pieces is not what it was from this request on: each was paid once in
        full, and then at the price of reading."""
        for piece, since in self._pieces[same:]:
            place = piece.item if piece.item in self._replaceable else piece.replaces
            if place is not None:
                cost = piece.chars * (1 + READ * (request - since - 1))
                self._run.item_costs[place] = self._run.item_costs.get(place, 0.0) + cost
                self._run.shown[place] = piece.chars
        del self._pieces[same:]
