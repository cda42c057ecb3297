"""`toolstub_search`: how often a text stands in originals, and where."""

from __future__ import annotations

from ..phrases import counted, shown
from ..store import Hit
from .call import Call

_HITS, _HIT_CHARS = 20, 240
_FEW_HITS = 5
_CONTEXT_CHARS = 500
_AROUND = 1_000


def search(call: Call) -> str:
    """The reply to a call."""
    query, ref, cursor = call.text("query"), call.ref(), call.text("cursor")
    if query is None:
        raise ValueError("toolstub_search needs a query: the text to look for")
    limit = max(1, min(_HITS, call.room // _HIT_CHARS))
    hits = call.store.search(query, owner=call.owner, ref=ref, regex=call.flag("regex"),
                             ignore_case=call.flag("ignore_case"), limit=limit, context_chars=_CONTEXT_CHARS + 1,
                             cursor=cursor)
    where = f" in {ref}" if ref else ""
    more = f'; for more, the same call with cursor="{hits.cursor}"' if hits.cursor else ""
    if not hits.items:
        hint = "" if more else "; try ignore_case, a shorter query, or regex"
        return f"no hits for {shown(query)}{where}{' so far' if more else ''}{more or hint}"
    each = call.room // len(hits.items)
    least = "" if hits.complete else "at least "
    part = f", {len(hits.items)} shown" if hits.total > len(hits.items) else ""
    alone = len(hits.items) > _FEW_HITS
    found = (_found(hit, len(query), each - 1, alone=alone) for hit in hits.items)
    return "\n".join([f"{least}{counted(hits.total, 'hit')} for {shown(query)}{where}{part}{more}", *found])


def _found(hit: Hit, length: int, room: int, *, alone: bool) -> str:
    head = (f'line {hit.line}, offset {hit.offset}; around it: toolstub_read(ref="{hit.ref}", '
            f"offset={max(0, hit.offset - _AROUND)}, limit={2 * _AROUND})\n")
    return (head + _excerpt(hit, length, room - len(head) - 2, alone=alone))[:room]


def _excerpt(hit: Hit, length: int, room: int, *, alone: bool) -> str:
    """The text around a hit, in whole lines where they fit; `alone`: its own line only."""
    at = min(hit.offset, _CONTEXT_CHARS + 1)
    side = min(_CONTEXT_CHARS, max(0, room - length) // 2)
    start, end = max(0, at - side), at + min(length, room) + side
    before, after = hit.snippet[start:at], hit.snippet[at:end]
    cut_before, cut_after = hit.offset > at - start, end < len(hit.snippet)
    first = before.rfind("\n") if alone else before.find("\n") if cut_before else -1
    if first >= 0:
        before, cut_before = before[first + 1:], False
    last = after.find("\n") if alone else after.rfind("\n") if cut_after else -1
    if last > 0:
        after, cut_after = after[:last], False
    return f"{'…' if cut_before else ''}{before}{after}{'…' if cut_after else ''}"
