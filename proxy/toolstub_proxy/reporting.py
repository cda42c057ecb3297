"""What the user is told about rewritten requests: in a header of the answer, and in the log."""

from __future__ import annotations

import logging

from aiohttp import web

from toolstub_ext.rewriting import Rewritten
from toolstub_ext.transcript import Decision

from . import headers

log = logging.getLogger(__name__)


def summary_of(rewritten: Rewritten) -> dict[str, str]:
    """The header that says how many results were shortened and how far; none if nothing was."""
    shortened = [d for d in rewritten.decisions if d.chars_after < d.chars_before]
    if not shortened:
        return {}
    before, after = sum(d.chars_before for d in shortened), sum(d.chars_after for d in shortened)
    return {headers.SUMMARY: f"stubs={len(shortened)}; chars={before}->{after}"}


class Reporter:
    """Logs each decision, if asked to."""

    def __init__(self, explain: bool) -> None:
        self._explain = explain

    def __call__(self, request: web.BaseRequest, rewritten: Rewritten) -> None:
        """Explain what became of one request."""
        if self._explain:
            for line in map(_line, rewritten.decisions):
                log.info("%s %s", request.raw_path, line)


def _line(decision: Decision) -> str:
    tool = f" {decision.tool}" if decision.tool else ""
    counts = f"{decision.chars_before:,} -> {decision.chars_after:,} chars"
    ref = f" as {decision.ref}" if decision.ref else ""
    return f"{decision.slot}{tool}: {decision.action}: {decision.reason} ({counts}){ref}"
