"""How many tokens a text is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """A number of tokens, whether it is exact, and how it was found."""

    tokens: int
    exact: bool
    method: str


def estimate(text: str, kind: str | None = None) -> int:
    """An estimate that depends on the text alone."""
    return (len(text) + 3) // 4


def count(text: str, kind: str | None = None) -> Count:
    """The estimate, until the tokenizer is wired in."""
    return Count(estimate(text, kind), False, "estimate")
