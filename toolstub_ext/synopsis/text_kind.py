"""Prose and everything that no other kind claims."""

from __future__ import annotations

from .facts import Facts
from .model import KindName, Source, Synopsis
from .wording import one_line


class TextKind:
    """The kind of last resort."""

    name: KindName = "text"

    def score(self, source: Source) -> float:
        """Never sure, never refused."""
        return 0.2

    def describe(self, source: Source) -> Synopsis:
        """Size, headers and both ends."""
        facts = Facts(source)
        text = source.clean
        facts.say(f"{len(text)} characters, {len(text.split())} words, {source.line_index.count} lines")
        facts.notable("begins: " + one_line(text[:400], 300))
        facts.notable("ends: " + one_line(text[-300:], 300))
        return facts.build("text")


kind = TextKind()
