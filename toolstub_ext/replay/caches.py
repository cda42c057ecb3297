"""What a request costs, by the rules of the providers' prefix caches. The unit of cost is one token (or character) of
input at its full price.

| cache | a part of a request that was sent before costs | anything else |
|---|---|---|
| `none` | 1 | 1 |
| `prefix` | 0.1, as far as the request begins as the one before, by whole messages; counted in characters | 1 |
| `openai` | the same from 1,024 tokens on, in steps of 128 (models before GPT-5.6) | 1 |
| `openai-5.6` | 0.1 up to the end of an earlier request that this one begins with, one of the latest 80 | 1.25 |
| `anthropic` | the same, if that end is at most 20 messages back, or else the end of its first part | 1.25 |

The first three charge nothing for writing. `prefix` is the simple rule that the published figures use. That a cache
has gone cold between two requests is not counted: records do not say how long a model's answer was waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Protocol

READ = 0.1
"""The price of a cached token."""
WRITE = 1.25
"""The price of a token that is written to a cache which charges for it."""
LEAST = 1_024
"""Tokens; a shorter prefix is not cached by the providers."""
STEP = 128
LOOK_BACK = 20
LATEST = 80


class Cache(Protocol):
    """The cache of one conversation."""

    def charge(self, until: Sequence[int], same: int) -> float:
        """What the next request costs. Its first N pieces have the size `until[N]`; `same` are as in the one before."""
        ...


class NoCache:
    """Every token at its full price."""

    def charge(self, until: Sequence[int], same: int) -> float:
        """The sum."""
        del same
        return float(until[-1])


class PrefixCache:
    """Whatever the request before began with as well is cheap, in steps of `step`, from `least` on."""

    def __init__(self, least: int = 0, step: int = 1) -> None:
        self._least = least
        self._step = step

    def charge(self, until: Sequence[int], same: int) -> float:
        """The common beginning at the price of reading, the rest at the full one."""
        common = until[same]
        cached = common // self._step * self._step if common >= self._least else 0
        return until[-1] - cached + READ * cached


@dataclass
class BreakpointCache:
    """Only whole earlier requests can be matched, at the breakpoint each had at its end; writing costs extra.

    A breakpoint is found if it is one of the `latest`, and at most `look_back` pieces from the end of the request
    (None: wherever it is). With `head`, there is one more behind the first piece: the tools, or the system text.
    """

    look_back: int | None = None
    latest: int = LATEST
    head: bool = False
    _ends: list[int] = field(default_factory=list)

    def charge(self, until: Sequence[int], same: int) -> float:
        """The matched beginning at the price of reading, the rest at that of writing if it is long enough for that."""
        pieces = len(until) - 1
        self._ends = [end for end in self._ends[-self.latest:] if end <= same]
        nearest = pieces - self.look_back if self.look_back is not None else 0
        reached = [end for end in self._ends if end >= nearest]
        if self.head and same:
            reached.append(1)
        cached = max((until[end] for end in reached if until[end] >= LEAST), default=0)
        self._ends.append(pieces)
        rest = until[-1] - cached
        return READ * cached + (WRITE if until[-1] >= LEAST else 1) * rest


@dataclass(frozen=True, slots=True)
class Model:
    """A cost model: what is counted, and how the cache of a conversation is made."""

    title: str
    unit: Literal["chars", "tokens"]
    cache: Callable[[], Cache]


SIMPLE = "prefix"
"""The model by which savings are ranked and re-reads charged."""

MODELS = MappingProxyType({
    "none": Model("no cache", "tokens", NoCache),
    SIMPLE: Model("prefix cache, simple", "chars", PrefixCache),
    "openai": Model("OpenAI before GPT-5.6", "tokens", lambda: PrefixCache(LEAST, STEP)),
    "openai-5.6": Model("OpenAI from GPT-5.6", "tokens", BreakpointCache),
    "anthropic": Model("Anthropic", "tokens", lambda: BreakpointCache(LOOK_BACK, head=True)),
})
