"""What became of the tool results of one request, to be read by a person: each before and after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from toolstub_ext.errors import WireError
from toolstub_ext.rewriting import Rewritten
from toolstub_ext.transcript import Decision, ToolResult
from toolstub_ext.wire import wire_for

from .reporting import shortened

_MOST_CHARS = 2_400
_MOST_RESULTS = 200


def changes_in(rewritten: Rewritten, path: str) -> str:
    """Empty if nothing became shorter. Of an original the beginning is shown; its ref opens all of it."""
    stubs, wire = shortened(rewritten), wire_for(path)
    if not stubs or rewritten.reading is None or wire is None:
        return ""
    try:
        sent = _by_call(wire.read(rewritten.text).transcript.results)
    except WireError:
        return ""
    results = {result.slot: result for result in rewritten.reading.transcript.results if not result.is_argument}
    before, after = sum(d.chars_before for d in stubs), sum(d.chars_after for d in stubs)
    said = [f"{len(stubs)} of {len(rewritten.decisions)} tool results shortened: {before:,} -> {after:,} characters"]
    for decision in rewritten.decisions[:_MOST_RESULTS]:
        result = results.get(decision.slot)
        now = sent[result.call_id].pop(0) if result is not None and sent[result.call_id] else ""
        said.append(_told(decision, result, now))
    return "\n\n".join(said)


def _by_call(results: Sequence[ToolResult]) -> dict[str | None, list[str]]:
    texts: dict[str | None, list[str]] = defaultdict(list)
    for result in results:
        texts[result.call_id].append(result.text)
    return texts


def _told(decision: Decision, result: ToolResult | None, now: str) -> str:
    ref = f", ref {decision.ref}" if decision.ref else ""
    head = f"== {decision.tool or 'a tool'}: {decision.action}: {decision.reason}{ref}"
    if result is None or decision.chars_after >= decision.chars_before:
        return head
    return f"{head}\n\n-- before\n{_clipped(result.text)}\n\n-- after\n{_clipped(now)}"


def _clipped(text: str) -> str:
    rest = len(text) - _MOST_CHARS
    return text if rest <= 0 else f"{text[:_MOST_CHARS]}\n... {rest:,} more characters"
