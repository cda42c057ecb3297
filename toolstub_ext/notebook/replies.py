"""What `%toolstub` answers: a few lines of plain text, never stubbed themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..phrases import counted, in_columns
from .bundle import showable
from .desk import Limits, Sums
from .originals import lines_of
from .spool import PREFIX

if TYPE_CHECKING:
    from ..store import Entries, Hits

REPLY = "reply"
_SNIPPET_CHARS = 160
_CALL = re.compile(r'toolstub_read\(ref="(\w+)"[^)]*\)')


def say(text: str) -> None:
    """Show a reply of ours, marked so that it passes whole."""
    from IPython.display import display

    display({"text/plain": showable(text)}, raw=True, metadata={"toolstub": {REPLY: True}})


def in_a_cell(fault: str) -> str:
    """What was written for a model, for a person in a notebook."""
    fault = _CALL.sub(r"%toolstub get \1", fault.replace('toolstub_read lines="A:B"', "%toolstub show REF --lines A:B"))
    return fault.replace("toolstub_search", "%toolstub search").replace("toolstub_read", "%toolstub show")


def selected(reply: str) -> str:
    """What a query answers; only its first line is ours."""
    head, newline, text = reply.partition("\n")
    return in_a_cell(head) + newline + text


def nearest(word: str, known: Iterable[str]) -> str:
    """One line for a command that does not exist."""
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), n=1)
    hint = f"did you mean `%toolstub {found[0]}`?" if found else "`%toolstub -h` shows them"
    return f"no command {word!r}; {hint}"


def listing(entries: Entries) -> str:
    """The stored originals, one a line."""
    if not entries.items:
        return "nothing is stored yet"
    rows = in_columns(
        (entry.ref, entry.tool or "-", entry.kind or "-", entry.chars, "chars", entry.lines, "lines", entry.created,
         f"was {entry.call_id}" if (entry.call_id or "").startswith(PREFIX) else "")
        for entry in entries.items)
    more = entries.total - len(rows)
    return "\n".join(rows + ([f"and {more:,} older: toolstub list"] if more > 0 else []))


def matches(hits: Hits, pattern: str) -> str:
    """Where a pattern stands, one a line."""
    if not hits.items:
        return f"{pattern!r} is not there"
    rows = [f"{hit.ref}:{hit.line}: {line[:_SNIPPET_CHARS]}" for hit, line in lines_of(hits)]
    total = f"at least {hits.total:,}" if hits.cursor else f"{hits.total:,}"
    more = hits.total > len(hits.items) or hits.cursor is not None
    shown = f"the first {len(hits.items)} of {total}" if more else f"{total} found"
    return "\n".join([*rows, f"{shown}; read around one with %toolstub show REF --lines A:B"])


def status(limits: Limits, sums: Sums, place: str | None) -> str:
    """What is in force."""
    from ..store.location import locate

    rows = [
        f"toolstub is {'on' if limits.enabled else 'off'}: an output above {limits.threshold_chars:,} characters "
        f"becomes a stub of at most {limits.stub_chars:,}, a cell shows at most {limits.cell_budget_chars:,}",
        f"store: {locate(place).path}",
    ]
    if sums.faults:
        rows.append(f"{counted(len(sums.faults), 'fault')}, last: {sums.faults[-1]}")
    return "\n".join(rows)


def statistics(sums: Sums, stored: dict[str, int]) -> str:
    """What was saved since loading, why the last outputs were put away, and what the store holds."""
    saved = sums.chars_before - sums.chars_after
    last = [f"{made.ref}  {made.tool:<8} {made.chars_before:>12,} -> {made.chars_after:>6,} chars  {made.reason}"
            for made in sums.last]
    return "\n".join([
        f"{counted(sums.outputs, 'output')} since loading: {counted(sums.chars_before, 'character')} became"
        f" {sums.chars_after:,} ({saved:,} saved)",
        *last,
        f"store: {counted(stored['originals'], 'original')}, {counted(stored['chars'], 'character')},"
        f" {counted(stored['stored_bytes'], 'byte')} on disk",
    ])
