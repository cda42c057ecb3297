"""Source code."""

from __future__ import annotations

import re

from .facts import Facts
from .model import KindName, Source, Synopsis

_DEFINITION = re.compile(r"\s*(?:\d+[\t→:]\s*)?(?:export |pub |async |static )*(?:def|class|function|func|fn|struct)\s+(\w+)")


class CodeKind:
    """Source code."""

    name: KindName = "code"

    def score(self, source: Source) -> float:
        """By the share of definitions."""
        hits = sum(1 for line in source.probe if _DEFINITION.match(line))
        return 0.6 if hits >= 2 else 0.0

    def describe(self, source: Source) -> Synopsis:
        """Every definition with its line."""
        facts = Facts(source)
        found = [(n, m[1]) for n, line in enumerate(source.lines, 1) if (m := _DEFINITION.match(line))]
        facts.say(f"{len(found)} definitions")
        facts.dense("structure", [f"{n} {name}" for n, name in found])
        for n, name in found:
            facts.anchor_line(name, n)
        return facts.build("code")


kind = CodeKind()
