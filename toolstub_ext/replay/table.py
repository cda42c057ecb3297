"""The report for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from ..phrases import counted
from .caches import MODELS
from .ranking import Outcome
from .report import Report, Summary

_SHOWN_MISSES = 5
_SHOWN_CONVERSATIONS = 10
_WIDEST = 50


def table(report: Report) -> str:
    """All of it, in lines of plain text."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    spent = report.baseline.spent
    yield (f"{counted(report.conversations, 'conversation')} in {counted(report.files, 'file')};"
           f" {counted(spent.turns, 'request')}, {counted(report.results, 'tool result')}")
    yield f"sent as recorded: {counted(spent.chars, 'character')}, about {counted(spent.tokens, 'token')}"
    if report.others:
        yield f"without a conversation: {counted(report.others, 'other file')}"
    if not report.conversations:
        return
    yield ""
    yield from columns(_summaries(report))
    yield ""
    yield "saved, by the rules of a cache"
    yield from columns(_models(report))
    yield ""
    yield "conversations that cost most" if report.conversations > _SHOWN_CONVERSATIONS else "conversations"
    yield from columns(_conversations(report))
    for policy in report.policies:
        yield from _details(policy)


def _summaries(report: Report) -> Iterator[Sequence[str]]:
    yield ("", "saved", "miss turns", "net saved", "worst", "worst net", "definitions", "changed", "characters sent")
    for policy in report.policies:
        yield (policy.name, percent(report.saved(policy)), percent(policy.miss_share, 2), percent(report.net(policy)),
               times(policy.worst.value), times(policy.worst_net.value), "+" + percent(report.definitions(policy)),
               f"{policy.changed:,}", f"{policy.spent.chars:,}")


def _models(report: Report) -> Iterator[Sequence[str]]:
    yield ("", *(model.title for model in MODELS.values()))
    for policy in report.policies:
        yield (policy.name, *(percent(report.saved(policy, model)) for model in MODELS))


def _conversations(report: Report) -> Iterator[Sequence[str]]:
    names = [policy.name for policy in report.policies]
    of_each = [f"{name}{what}" for name in names for what in ("", " net", " misses")]
    yield ("", "requests", "results", "characters sent", "tokens", *of_each)
    for row in islice(report.largest, _SHOWN_CONVERSATIONS):
        spent = row.baseline
        under = ((times(row.ratio(name)), times(row.net_ratio(name)), f"{row.spent[name].miss_turns:,}")
                 for name in names)
        yield (end(row.name), f"{spent.turns:,}", f"{row.results:,}", f"{spent.chars:,}", f"{spent.tokens:,}",
               *chain.from_iterable(under))


def _details(policy: Summary) -> Iterator[str]:
    for title, found in (("largest savings", policy.savings), ("worst decisions", policy.losses)):
        rows = [_outcome(outcome) for outcome in found]
        if rows:
            yield ""
            yield f"{policy.name}: {title}"
            yield from columns([("saved", "re-read", "missed", "characters", "turn", "call", "conversation"), *rows])
    if policy.misses:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in policy.miss_kinds.most_common())
        yield ""
        yield f"{policy.name}: missed {kinds}; for example"
        for event in policy.misses[:_SHOWN_MISSES]:
            yield f"  {event.kind} {beginning(event.literal)}  (turn {event.turn} of {event.conversation})"


def _outcome(outcome: Outcome) -> Sequence[str]:
    return (f"{outcome.saved:,.0f}", f"{outcome.rereads:,.0f}", f"{outcome.misses:,}",
            f"{outcome.chars_before:,} -> {outcome.chars_after:,}", f"{outcome.turn:,}",
            beginning(f"{outcome.tool} {outcome.arguments}"), end(outcome.conversation))


def columns(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows as lines, columns two blanks apart; what begins with a digit or a sign stands to the right."""
    kept = list(rows)
    widths = [max(map(len, column)) for column in zip(*kept, strict=True)]
    right = [all(not cell or cell[0] in "+-0123456789" for cell in column[1:]) for column in zip(*kept, strict=True)]
    for row in kept:
        fitted = zip(row, widths, right, strict=True)
        cells = (cell.rjust(width) if to_right else cell.ljust(width) for cell, width, to_right in fitted)
        yield "  ".join(cells).rstrip()


def percent(share: float, places: int = 1) -> str:
    """A share as a percentage."""
    return f"{100 * share:.{places}f} %"


def times(ratio: float) -> str:
    """A ratio as a factor."""
    return f"{ratio:.2f}x"


def beginning(text: str) -> str:
    """The beginning of a text, in one line."""
    line = " ".join(text.split())
    return line if len(line) <= _WIDEST else line[:_WIDEST - 3] + "..."


def end(text: str) -> str:
    """The end of a text, in one line: what tells paths apart."""
    line = " ".join(text.split())
    return line if len(line) <= _WIDEST else "..." + line[3 - _WIDEST:]
