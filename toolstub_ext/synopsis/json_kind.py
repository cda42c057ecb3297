"""JSON."""

from __future__ import annotations

import re

from .facts import Facts
from .model import KindName, Source, Synopsis

_START = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[\]{\"\dtfn-])")


class JsonKind:
    """JSON."""

    name: KindName = "json"

    def score(self, source: Source) -> float:
        """By the first token and the MIME type."""
        if source.mime and "json" in source.mime.lower():
            return 0.95
        return 0.9 if _START.match(source.clean[:200]) else 0.0

    def describe(self, source: Source) -> Synopsis:
        """Keys and lengths."""
        import msgspec

        try:
            value = msgspec.json.decode(source.clean.encode("utf-8", "replace"))
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
        facts = Facts(source)
        if isinstance(value, dict):
            facts.say(f"object of {len(value)} keys: " + ", ".join(value))
        elif isinstance(value, list):
            facts.say(f"array of {len(value)}")
        else:
            raise ValueError("a single scalar")
        facts.sample(source.clean)
        return facts.build("json")


kind = JsonKind()
