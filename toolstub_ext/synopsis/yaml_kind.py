"""YAML."""

from __future__ import annotations

import re

from .facts import Facts
from .model import KindName, Source, Synopsis

_KEY = re.compile(r"[A-Za-z_][\w.-]*:(?:\s|$)", re.M)


class YamlKind:
    """YAML."""

    name: KindName = "yaml"

    def score(self, source: Source) -> float:
        """By the share of lines that are keys or items."""
        lines = source.probe
        keys = sum(1 for line in lines if _KEY.match(line.lstrip(" -")))
        return 0.6 if keys > 0.6 * len(lines) and keys > 1 else 0.0

    def describe(self, source: Source) -> Synopsis:
        """The keys of the first level."""
        facts = Facts(source)
        keys = [line.partition(":")[0] for line in source.lines if _KEY.match(line)]
        facts.say(f"mapping of {len(keys)} keys: " + ", ".join(keys))
        facts.sample(source.clean)
        return facts.build("yaml")


kind = YamlKind()
