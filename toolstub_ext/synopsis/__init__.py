"""What a large text is, in a few hundred characters: detect its kind, describe it, render the stub.

    synopsis = synopsize(text)
    stub = render(synopsis, sha256=digest, ref="ts_1f9a0c3e77d2b481", tool="list_orders", reason="over 4000 chars")

Both are pure: the same arguments give the same characters everywhere. `synopsize` takes any text whatever.
"""

from __future__ import annotations

import logging

from . import unknown_kind
from .kinds import describe
from .model import Anchor, Kind, KindName, Rules, Source, Synopsis
from .private_keys import without_private_keys
from .render import HEADER_CELL, HEADER_TOOL, Face, is_stub, render

__all__ = [
    "HEADER_CELL",
    "HEADER_TOOL",
    "Anchor",
    "Face",
    "Kind",
    "KindName",
    "Rules",
    "Source",
    "Synopsis",
    "is_stub",
    "render",
    "synopsis_of",
    "synopsize",
]


log = logging.getLogger(__name__)


def synopsize(
    text: str,
    mime: str | None = None,
    *,
    tool: str | None = None,
    budget: int = 1000,
    rules: Rules = "default",
) -> Synopsis:
    """The facts about `text`, their sections together at most `budget` characters (at least 200 are used).

    `mime` and `tool` are hints. `rules="openviking"` keeps that system's exact caps on keys, examples and excerpts.
    """
    return synopsis_of(Source(text, mime, tool, budget, rules))


def synopsis_of(source: Source) -> Synopsis:
    """As `synopsize`, of a source that may bring what else is known of its text."""
    try:
        return without_private_keys(describe(source), source.text)
    except Exception as error:  # noqa: BLE001 - a stub is owed for any text, also where a kind is at fault
        return _without_kind(source, error)


def _without_kind(source: Source, error: Exception) -> Synopsis:
    """What can be said where a kind failed as it must not; the same for the same text."""
    log.warning("a text was described without its kind, because of a fault of toolstub: %r", error, exc_info=error)
    return unknown_kind.described(source, f"its kind could not be described: {type(error).__name__}")
