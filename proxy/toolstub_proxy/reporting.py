"""What the user is told about rewritten requests: in a header of the answer, in the log, and in a dry run."""

from __future__ import annotations

import json
import logging

from aiohttp import web

from toolstub_ext import retrieval
from toolstub_ext.rewriting import Rewritten
from toolstub_ext.rewriting.rewriter import MOST_TOOLS
from toolstub_ext.settings import Settings
from toolstub_ext.transcript import Decision

from . import headers

log = logging.getLogger(__name__)

OTHER = ("only JSON posted to .../chat/completions, .../responses, .../responses/compact and .../v1/messages is ever "
         "changed")
SIGNED = "the client has signed it"
ENCODED = "its content encoding cannot be undone, or it is too large to be read"
NO_OWNER = "it has no API key, and by that owners are told"
"""Why a request goes on as it came, without having been read."""


def shortened(rewritten: Rewritten) -> list[Decision]:
    """The decisions by which a result became shorter."""
    return [d for d in rewritten.decisions if d.chars_after < d.chars_before]


def summary_of(rewritten: Rewritten) -> dict[str, str]:
    """The header that says how many results were shortened and how far; none if nothing was."""
    stubs = shortened(rewritten)
    if not stubs:
        return {}
    before, after = sum(d.chars_before for d in stubs), sum(d.chars_after for d in stubs)
    return {headers.SUMMARY: f"stubs={len(stubs)}; chars={before}->{after}"}


def why_as_it_came(rewritten: Rewritten, settings: Settings) -> str:
    """Why a request went on as it came; empty if it did not."""
    understood = rewritten.understood
    if rewritten.body != rewritten.original:
        return ""
    if understood is None:
        return "the body is not understood, or a fault of toolstub is in the log"
    if not settings.changes_anything:
        return "every policy is off in the settings"
    if not understood.tool_names:
        return "it has no tools, so the model could not read what a stub leaves out"
    if understood.several:
        return "there is no one answer that could be carried on (n, background or conversation)"
    if not set(retrieval.NAMES).isdisjoint(understood.tool_names):
        return "a tool of the client is called as one of ours"
    if len(understood.tool_names) + len(retrieval.NAMES) > MOST_TOOLS:
        return "it has too many tools to add ours"
    return "nothing in it is worth a stub"


def wants_dry_run(request: web.BaseRequest) -> bool:
    """Whether a client wants to see what would be sent, in place of an answer."""
    return request.headers.get(headers.DRY_RUN, "0").strip().lower() not in ("", "0", "false", "no", "off")


def dry_run(upstream: str, rewritten: Rewritten | None, why: str = "") -> web.Response:
    """The request that would have gone to `upstream`, and the reasons; `why` says why it would have gone as it came."""
    told: dict[str, object] = {"upstream": upstream, "changed": False, "why": why, "decisions": [], "request": None}
    text = "null"
    if rewritten is not None:
        told |= {
            "changed": rewritten.body != rewritten.original,
            "chars": {"before": rewritten.chars_before, "after": rewritten.chars_after},
            "tokens_estimated": {"before": rewritten.tokens_before, "after": rewritten.tokens_after},
            "session": rewritten.session,
            "tools_offered": rewritten.injected,
            "decisions": [
                {"slot": str(d.slot), "tool": d.tool, "action": d.action, "reason": d.reason, "ref": d.ref,
                 "chars_before": d.chars_before, "chars_after": d.chars_after} for d in rewritten.decisions
            ],
        }
        text = rewritten.text if rewritten.understood else json.dumps(rewritten.body.decode("utf-8", "replace"))
    # The request stands there as it would be sent: read and written again, it would be another one.
    opening = json.dumps({name: value for name, value in told.items() if name != "request"})[:-1]
    body = f'{opening}, "request": {text}}}'.encode("utf-8", "surrogatepass")
    return web.Response(body=body, content_type="application/json")


class Reporter:
    """Logs each decision, if asked to."""

    def __init__(self, settings: Settings, *, explain: bool) -> None:
        self._settings = settings
        self._explain = explain

    def __call__(self, request: web.BaseRequest, rewritten: Rewritten) -> None:
        """Explain what became of one request."""
        if not self._explain:
            return
        for line in map(_line, rewritten.decisions):
            log.info("%s %s", request.path, line)
        if why := why_as_it_came(rewritten, self._settings):
            log.info("%s goes as it came: %s", request.path, why)


def _line(decision: Decision) -> str:
    tool = f" {decision.tool}" if decision.tool else ""
    counts = f"{decision.chars_before:,} -> {decision.chars_after:,} chars"
    ref = f" as {decision.ref}" if decision.ref else ""
    return f"{decision.slot}{tool}: {decision.action}: {decision.reason} ({counts}){ref}"
