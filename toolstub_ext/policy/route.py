"""Gliding Horse's first layer: how large a result is says what becomes of it. Sizes are bytes in UTF-8.

    pass       fewer than `pass_bytes`: it stays; of more than `register_bytes` it is stored at once, under its ref
               So does a file that was read: of up to `pass_file_lines` lines, or of one line up to `truncate_bytes`
    truncate   up to `truncate_bytes`: its head and its tail, together at most `truncate_to_bytes`
    graphify   more, and nested JSON: a stub that tells its entities, keys and relations; SPARQL selects from it
    summarize  more: a stub with `summary_chars` characters of sections

A tool with a threshold of its own passes up to that many characters. There every preview was cut to 200 columns in the
end, what was to be truncated was summarized, and a read of the whole came back through the same cut; here what stands
between head and tail is named by its place, which is what `toolstub_read` takes.
"""

from __future__ import annotations

from bisect import bisect_right

from ..settings import Route, Settings
from ..store.base import encode, ref_of, sha256_of
from ..transcript import Change, Decision, Outcome, ToolResult, Transcript, literal
from .calls import Call
from .externalize import kept, rule_for, untouchable
from .history import EXTERNALIZED, KEPT, TRUNCATED
from .stubs import Stubs, is_smaller, make_stub, takes_less


def route(turn: Transcript, settings: Settings, *, stubs: Stubs = make_stub) -> Transcript:
    """One turn, with a change or an explanation for every result about which nothing was decided."""
    if not settings.route.enabled:
        return turn
    return turn.judged(lambda result: _routed(result, settings, stubs))


def _routed(result: ToolResult, settings: Settings, stubs: Stubs) -> Outcome:
    reason = untouchable(result, settings)
    if reason:
        return kept(result, reason)
    rule, own = settings.route, rule_for(result.tool, settings).threshold_chars
    size = len(encode(result.text))
    if own is not None and len(result.text) <= own:
        return _passed(result, f"{len(result.text):,} <= {own:,} chars", size, rule)
    if own is None and size < rule.pass_bytes:
        return _passed(result, f"{size:,} < {rule.pass_bytes:,} bytes", size, rule)
    if own is None and (lines := _lines_of_file(result, size, rule)):
        return _passed(result, f"a file of {lines:,} line{'s' * (lines > 1)}", size, rule)
    between = size <= rule.truncate_bytes
    change = _truncated(result, size, rule) if between else _summarized(result, size, settings, stubs)
    return change or _passed(result, "would not be smaller", size, rule)


def _lines_of_file(result: ToolResult, size: int, rule: Route) -> int:
    """How many lines a file has that was read and passes for them; 0 for any other result."""
    call = Call.of(result)
    if not call.path or any(call.written(1 + len(call.path))):
        return 0
    lines = result.text.count("\n") + (not result.text.endswith("\n"))
    passes = lines <= rule.pass_file_lines and (lines > 1 or size <= rule.truncate_bytes)
    return lines if passes else 0


def _passed(result: ToolResult, reason: str, size: int, rule: Route) -> Outcome:
    """The result as it is; a longer one is stored."""
    decision = kept(result, reason)
    if size <= rule.register_bytes:
        return decision
    sha256 = sha256_of(result.text)
    stored = Decision(result.slot, result.tool, KEPT, f"{reason}; stored", ref_of(sha256), decision.chars_before,
                      decision.chars_after)
    return Change(result, result.text, "", stored, None, sha256)


def _truncated(result: ToolResult, size: int, rule: Route) -> Change | None:
    """The head and the tail, if that is smaller."""
    text, sha256 = result.text, sha256_of(result.text)
    until = _head(text, rule.truncate_to_bytes // 2)
    since = max(until, _tail(text, rule.truncate_to_bytes // 2))
    shown = (
        f"[toolstub] {Call.of(result)}: {len(text):,} characters, of which the first {until:,} and the last "
        f"{len(text) - since:,} stand here. ref: {ref_of(sha256)}\n{text[:until]}\n"
        f"[... left out: toolstub_read {ref_of(sha256)} offset {until} limit {since - until}]\n{text[since:]}"
    )
    written = literal(shown)
    if not takes_less(shown, written, text):
        return None
    reason = f"{size:,} bytes, up to {rule.truncate_bytes:,}"
    decision = Decision(result.slot, result.tool, TRUNCATED, reason, ref_of(sha256), len(text), len(shown))
    return Change(result, shown, written, decision, None, sha256)


def _summarized(result: ToolResult, size: int, settings: Settings, stubs: Stubs) -> Change | None:
    """A stub, of nested JSON one of its graph, if that is smaller."""
    rule = settings.route
    reason = f"over {rule.truncate_bytes:,} bytes"
    stub = stubs(result.text, tool=result.tool, budget=rule.summary_chars, reason=reason, rules=settings.rules,
                 as_graph=True)
    if not is_smaller(stub, result.text):
        return None
    decision = Decision(result.slot, result.tool, EXTERNALIZED, f"{size:,} > {rule.truncate_bytes:,} bytes", stub.ref,
                        len(result.text), len(stub.text))
    return Change(result, stub.text, stub.literal, decision, stub.kind, stub.sha256, reason, rule.summary_chars)


def _head(text: str, most: int) -> int:
    """The end of the longest beginning of at most so many bytes; behind a line, unless that is half as long."""
    end = bisect_right(range(min(len(text), most) + 1), most, key=lambda chars: len(encode(text[:chars]))) - 1
    line = text.rfind("\n", end // 2, end)
    return end if line < 0 else line + 1


def _tail(text: str, most: int) -> int:
    """The start of the longest end of at most so many bytes; at a line, unless that is half as long."""
    longest = min(len(text), most)
    chars = bisect_right(range(longest + 1), most, key=lambda chars: len(encode(text[len(text) - chars:]))) - 1
    start = len(text) - chars
    line = text.find("\n", start, start + chars // 2)
    return start if line < 0 else line + 1
