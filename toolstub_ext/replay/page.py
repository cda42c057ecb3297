"""The report as one HTML page: nothing in it is loaded from anywhere, and nothing in it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ..phrases import counted
from .caches import MODELS
from .curve import curves
from .measuring import BASELINE
from .ranking import Outcome
from .report import Report, Row, Summary
from .table import percent, times

_SHOWN_MISSES = 100
_SHOWN_LITERAL = 160

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #888; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; } h3 { font-size: 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem .25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; } td.n, th.n { text-align: right; white-space: nowrap; }
code { font-size: .85em; overflow-wrap: anywhere; } .soft { color: var(--soft); }
svg { width: 100%; max-width: 54rem; height: auto; font: 12px system-ui, sans-serif; }
svg polyline { fill: none; stroke-width: 2; } svg .grid { stroke: var(--line); } svg .mark { fill: var(--soft); }
summary { cursor: pointer; margin: .6rem 0; }
"""


def page(report: Report) -> str:
    """The whole document."""
    body = "\n".join(_body(report))
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>toolstub replay</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n{body}\n</body>\n</html>\n"
    ).encode("utf-8", "backslashreplace").decode()


def _body(report: Report) -> Iterator[str]:
    spent = report.baseline.spent
    yield "<h1>What stubs would have saved</h1>"
    yield (f"<p>{counted(report.conversations, 'conversation')}, {counted(spent.turns, 'request')},"
           f" {counted(report.results, 'tool result')}. Sent as recorded: {counted(spent.chars, 'character')}, about"
           f" {counted(spent.tokens, 'token')}.</p>")
    if failures := [*report.failures()]:
        yield f"<h2>Not read</h2><ul>{''.join(f'<li>{escape(line)}</li>' for line in failures)}</ul>"
    if not report.conversations:
        return
    yield _table(
        ("", "saved", "miss turns", "net saved", "worst", "worst net", "definitions", "changed", "characters sent"),
        ((policy.name, percent(report.saved(policy)), percent(policy.miss_share, 2), percent(report.net(policy)),
          times(policy.worst.value), times(policy.worst_net.value), "+" + percent(report.definitions(policy)),
          f"{policy.changed:,}", f"{policy.spent.chars:,}") for policy in report.policies))
    yield ('<p class="soft">Saved: of the cost of all input, where what was sent before costs a tenth. A turn misses'
           " something if it uses a literal that only a hidden original has. Net: after each such turn has asked twice"
           " more for it. Worst: the conversation that fared worst. Definitions: what the retrieval tools add.</p>")
    yield "<h2>Saved, by the rules of a cache</h2>"
    yield _table(("", *(model.title for model in MODELS.values())), (
        (policy.name, *(percent(report.saved(policy, model)) for model in MODELS)) for policy in report.policies
    ))
    yield "<h2>The cost of the longest sessions</h2>"
    for row in report.drawn:
        yield f"<h3>{escape(row.name)} <span class='soft'>{counted(row.baseline.turns, 'request')}</span></h3>"
        yield curves(row.curves, f"cost of {row.name} by requests: {BASELINE} and {', '.join(row.spent)}")
    for policy in report.policies:
        yield from _policy(policy)
    listed = [*report.largest]
    yield "<h2>Conversations</h2>"
    if len(listed) < report.conversations:
        yield f'<p class="soft">The {len(listed):,} that cost most, of {report.conversations:,}.</p>'
    yield _conversations(listed, [policy.name for policy in report.policies])


def _policy(policy: Summary) -> Iterator[str]:
    yield f"<h2>{escape(policy.name)}</h2>"
    for title, found in (("Largest savings", [*policy.savings]), ("Worst decisions", [*policy.losses])):
        if found:
            yield f"<h3>{title}</h3>{_outcomes(found)}"
    if policy.misses:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in policy.miss_kinds.most_common())
        yield f"<details><summary>What was missed: {kinds}</summary>"
        yield _table(("turn", "kind", "literal", "conversation"), (
            (f"{event.turn:,}", event.kind, event.literal[:_SHOWN_LITERAL], event.conversation)
            for event in policy.misses[:_SHOWN_MISSES]
        ))
        yield "</details>"


def _outcomes(found: Iterable[Outcome]) -> str:
    return _table(("saved", "re-read", "missed", "characters", "turn", "call", "why", "conversation"), (
        (f"{outcome.saved:,.0f}", f"{outcome.rereads:,.0f}", f"{outcome.misses:,}",
         f"{outcome.chars_before:,} → {outcome.chars_after:,}", f"{outcome.turn:,}",
         f"{outcome.tool} {outcome.arguments}", outcome.reason, outcome.conversation) for outcome in found
    ))


def _conversations(listed: Iterable[Row], names: Sequence[str]) -> str:
    of_each = [f"{name}: {what}" for name in names for what in ("cost", "net", "miss turns", "characters")]
    return _table(("conversation", "requests", "results", "characters", "tokens", *of_each), (
        (row.name, f"{row.baseline.turns:,}", f"{row.results:,}", f"{row.baseline.chars:,}",
         f"{row.baseline.tokens:,}", *_of_row(row, names)) for row in listed
    ))


def _of_row(row: Row, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield times(row.ratio(name))
        yield times(row.net_ratio(name))
        yield f"{row.spent[name].miss_turns:,}"
        yield f"{row.spent[name].chars:,}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; columns of figures stand to the right."""
    kept = list(rows)
    figures = [all(row[place][:1] in tuple("+-0123456789") for row in kept) for place in range(len(head))]
    lines = [_row("th", head, figures), *(_row("td", row, figures) for row in kept)]
    return f"<table>{''.join(lines)}</table>"


def _row(tag: str, cells: Sequence[str], figures: Sequence[bool]) -> str:
    opened = (f'<{tag} class="n">' if figure else f"<{tag}>" for figure in figures)
    written = (f"{start}{escape(cell)}</{tag}>" for start, cell in zip(opened, cells, strict=True))
    return f"<tr>{''.join(written)}</tr>"
