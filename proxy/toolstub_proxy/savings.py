"""What one request would have cost, and what it did: in tokens, and in what a provider with a prefix cache charges.

What a request repeats of the one before it, all but its last turn, counts as read from the cache. A hidden round
repeats the request before it, and adds a call and a reply. Tokens are estimated from characters, and how many of those
make a token from samples of some requests, so that counting costs next to nothing; sums are good to a few per cent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile

from toolstub_ext.rewriting import Rewritten
from toolstub_ext.tokens import estimate
from toolstub_ext.transcript import Decision

CACHED = 0.1
"""The price of a token read from a cache, where a new one costs 1."""
_FIRST, _EVERY = 8, 32
"""So many requests are sampled at first, and one in so many later."""
_SAMPLES = 4
_SAMPLE_BYTES = 256


@dataclass(frozen=True, slots=True)
class Bill:
    """Estimated tokens of requests, and what they cost in the price of new ones; before and after our work."""

    tokens_before: float = 0.0
    tokens_after: float = 0.0
    cost_before: float = 0.0
    cost_after: float = 0.0

    def __add__(self, other: Bill) -> Bill:
        return Bill(self.tokens_before + other.tokens_before, self.tokens_after + other.tokens_after,
                    self.cost_before + other.cost_before, self.cost_after + other.cost_after)

    @property
    def tokens_saved(self) -> float:
        """The share of all tokens that was not sent; below 0 if more was."""
        return 1 - self.tokens_after / self.tokens_before if self.tokens_before else 0.0

    @property
    def cost_saved(self) -> float:
        """The share of the cost that was saved; below 0 if it was more."""
        return 1 - self.cost_after / self.cost_before if self.cost_before else 0.0


class Densities:
    """Tokens a character in clients' bodies and in those sent upstream, from the first requests and some later ones."""

    def __init__(self) -> None:
        self._seen = 0
        self._sampled = 0
        self.before = self.after = 0.0

    def note(self, rewritten: Rewritten) -> None:
        """Take a sample, if it is time.

        What became no shorter is as dense as it was: two samples of the same text differ by more than our tools add.
        """
        self._seen += 1
        if rewritten.understood is None or (self._seen > _FIRST and self._seen % _EVERY):
            return
        self._sampled += 1
        before = _density(rewritten.original)
        after = _density(rewritten.body) if rewritten.chars_after < rewritten.chars_before else before
        self.before += (before - self.before) / self._sampled
        self.after += (after - self.after) / self._sampled


def bill_of(rewritten: Rewritten, asked: list[int], densities: Densities) -> Bill:
    """The bill of a rewritten request and its hidden rounds, whose bodies had the sizes `asked`, the first included."""
    if rewritten.understood is None or not rewritten.body:
        return Bill()
    repeated = rewritten.understood.repeated
    before, after = rewritten.chars_before, rewritten.chars_after
    new = before - repeated
    saved = sum(decision.chars_before - decision.chars_after for decision in _new(rewritten, repeated))
    new_after = max(0, new - saved) if repeated else after
    dense, dense_after = densities.before, densities.after
    tokens = total = after * dense_after
    cost = (new_after + CACHED * (after - new_after)) * dense_after
    for previous, size in pairwise(asked):
        read = max(0, size - previous) * after / len(rewritten.body) * dense
        cost += read + CACHED * tokens
        tokens += read
        total += tokens
    return Bill(before * dense, total, (new + CACHED * repeated) * dense, cost)


def _density(body: bytes) -> float:
    """Tokens a character, from samples spread over the body."""
    if len(body) <= _SAMPLES * _SAMPLE_BYTES:
        sample = body.decode("utf-8", "ignore")
    else:
        step = (len(body) - _SAMPLE_BYTES) // (_SAMPLES - 1)
        pieces = (body[at * step:at * step + _SAMPLE_BYTES] for at in range(_SAMPLES))
        sample = "".join(piece.decode("utf-8", "ignore") for piece in pieces)
    return estimate(sample) / len(sample) if sample else 0.0


def decided_now(rewritten: Rewritten) -> Counter[str]:
    """How many of the results that this request is the first to carry met with which action."""
    repeated = rewritten.understood.repeated if rewritten.understood else 0
    return Counter(decision.action for decision in _new(rewritten, repeated))


def _new(rewritten: Rewritten, repeated: int) -> Iterator[Decision]:
    """The decisions on results that stand behind so many characters, the last first."""
    return takewhile(lambda decision: decision.slot.start >= repeated, reversed(rewritten.decisions))
