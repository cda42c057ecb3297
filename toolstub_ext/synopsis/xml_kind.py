"""XML and HTML."""

from __future__ import annotations

import re

from .facts import Facts
from .model import KindName, Source, Synopsis

_START = re.compile(r"\s*<(?:\?xml|!DOCTYPE|!--|[A-Za-z][\w.:-]*[\s/>])", re.I)


class XmlKind:
    """XML and HTML."""

    name: KindName = "xml"

    def score(self, source: Source) -> float:
        """By the first tag."""
        return 0.8 if _START.match(source.clean[:300]) else 0.0

    def describe(self, source: Source) -> Synopsis:
        """The root."""
        facts = Facts(source)
        facts.say("markup")
        facts.sample(source.clean)
        return facts.build("xml")


kind = XmlKind()
