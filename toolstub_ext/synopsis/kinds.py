"""The kinds, and the choice among them: the highest score, and the next one where a description fails.

A new kind is a module with an instance of the `Kind` protocol and its line in KINDS, or an entry point of the group
`toolstub.kinds` in another package.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module

from . import unknown_kind, wrapping
from .guests import SURE as SURE_OF_GUESTS
from .guests import guests
from .model import Kind, KindName, Source, Synopsis


@dataclass
class Later:
    """A kind whose module is imported when a text comes that those before it cannot tell."""

    name: KindName
    module: str
    instance: str = "kind"

    @cached_property
    def kind(self) -> Kind:
        """The kind itself."""
        found: Kind = getattr(import_module(self.module, __package__), self.instance)
        return found

    def score(self, source: Source) -> float:
        """As the kind says."""
        return self.kind.score(source)

    def describe(self, source: Source) -> Synopsis:
        """As the kind does."""
        return self.kind.describe(source)


KINDS: tuple[Kind, ...] = (
    Later("unknown", ".unknown_kind"),
    Later("json", ".json.kind"),
    Later("xml", ".xml.kind"),
    Later("csv", ".delimited.kind", "evident"),
    Later("text", ".text", "holding_code"),
    Later("code", ".code", "evident"),
    Later("text", ".text", "early"),
    Later("tsv", ".delimited.kind", "tsv"),
    Later("csv", ".delimited.kind", "csv"),
    Later("text", ".text", "stamped"),
    Later("yaml", ".yaml.kind"),
    Later("text", ".text", "tabular"),
    Later("text", ".text", "titled"),
    Later("code", ".code"),
    Later("text", ".text"),
)
"""In the order in which equal scores are tried; those that tell soonest first."""

SURE: dict[KindName, float] = {
    "unknown": 0.9, "json": 0.9, "xml": 0.9, "tsv": 0.93, "csv": 0.93, "yaml": 0.75, "text": 0.94, "code": 0.95,
}  # fmt: skip
"""Scores from which on a kind is asked to describe at once, before those further down have scored."""


FRAMES = 2
"""How many frames, one in the other, are taken off."""


def describe(source: Source, frames: int = FRAMES) -> Synopsis:
    """The description of the text, or of the text inside where a tool has put a frame around it, or two."""
    wrapped = wrapping.unwrapped(source) if frames else None
    if not wrapped:
        return described(source)
    inside = described if wrapped.by_line else partial(describe, frames=frames - 1)
    return wrapping.described(source, wrapped, inside)


def described(source: Source) -> Synopsis:
    """The description by the kind that is surest; `text` takes whatever no other kind can describe."""
    for kind in _likeliest(source):
        try:
            return kind.describe(source)
        except ValueError as error:
            failed = _claimed_in_vain(kind, source, error)
        if failed:
            return unknown_kind.described(source, failed)
    return unknown_kind.described(source, "no kind describes it")


def _likeliest(source: Source) -> Iterator[Kind]:
    """The kinds that the text may be of, the likeliest first; a kind scores when those before it were in doubt."""
    scored: list[tuple[float, Kind]] = []
    for guest in guests():
        score = guest.score(source)
        if score >= SURE_OF_GUESTS:
            yield guest
        elif score > 0:
            scored.append((score, guest))
    for kind in KINDS:
        score = kind.score(source)
        if score >= SURE.get(kind.name, 1.0):
            yield kind
        elif score > 0:
            scored.append((score, kind))
    for _, kind in sorted(scored, key=lambda pair: -pair[0]):
        yield kind


def _claimed_in_vain(kind: Kind, source: Source, error: ValueError) -> str | None:
    """Why the text is not what its MIME type says, if that is the kind that failed."""
    if source.mime and kind.name in source.mime.lower() and kind.name in ("json", "xml"):
        return f"declared as {source.mime}, but not valid {kind.name}: {error}"
    return None
