"""The stub of one result: what a policy puts in its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .. import graph
from ..store.base import Ref, encode, ref_of, sha256_of
from ..synopsis import Synopsis, render, synopsize
from ..synopsis.model import Rules
from ..transcript import literal


@dataclass(frozen=True, slots=True)
class Stub:
    """The text that takes the place of an original, that text as a JSON string, and what it refers to.

    `ref` is None if it leads nowhere.
    """

    text: str
    literal: str
    sha256: str
    ref: Ref | None
    kind: str


class Synopses(Protocol):
    """Describes texts; whoever has seen a text before may answer from memory."""

    def __call__(self, text: str, *, tool: str | None, budget: int, rules: Rules) -> Synopsis:
        """As `synopsize`."""
        ...


class Stubs(Protocol):
    """Makes stubs; whoever has seen the original before may answer from memory."""

    def __call__(self, text: str, *, tool: str | None, budget: int, reason: str, rules: Rules,
                 stored: bool = True, as_graph: bool = False) -> Stub:
        """As `make_stub`; `as_graph` tells nested JSON as a graph."""
        ...


def make_stub(text: str, *, tool: str | None, budget: int, reason: str, rules: Rules, stored: bool = True,
              as_graph: bool = False, synopses: Synopses = synopsize, sha256: str = "") -> Stub:
    """The stub of `text`: a pure function of the arguments. One that is not `stored` offers nothing to follow.

    `sha256` is the digest of the text, if it is known.
    """
    sha256 = sha256 or sha256_of(text)
    ref = ref_of(sha256) if stored else None
    synopsis = (graph.synopsize if as_graph else synopses)(text, tool=tool, budget=budget, rules=rules)
    stub = render(synopsis, sha256=sha256, ref=ref, tool=tool, reason=reason, explore=stored)
    return Stub(stub, literal(stub), sha256, ref, synopsis.kind)


def is_smaller(stub: Stub, text: str) -> bool:
    """Whether a stub is smaller than `text` in characters, and in bytes however `text` is written in JSON."""
    return takes_less(stub.text, stub.literal, text)


def takes_less(text: str, literal: str, original: str) -> bool:
    """Whether `text`, written as `literal`, is smaller than `original` however that is written."""
    if len(text) >= len(original):
        return False
    size = len(literal.encode()) - len('""')
    return size < len(original) or size < len(encode(original))
