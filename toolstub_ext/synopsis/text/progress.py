"""Progress bars: what ran, and how far it came."""

from __future__ import annotations

from ..facts import Facts
from ..look import look, sample
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .findings import say_findings
from .shape import Shape, share

_BAR = Pattern(r"(?:\d{1,3}(?:\.\d+)?% ?[|\[(]|\d+/\d+ \[|[█▏▎▍▌▋▊▉━]{3,}|\[[=#>. -]{5,}\]|\d{1,3}%\||\[ ?\d{1,3}%\])")


_SAMPLED = 40
_METER = Pattern(r"\d{1,3}%\|[█▏▎▍▌▋▊▉# ]|\d+(?:\.\d+)?(?:it|s|[kM]?B)/(?:s|it)\]|\[\d\d:\d\d<")


def _score(source: Source) -> float:
    if not look(source).has("%", "/s", "s/it", "█", "━", "[=", "[#"):
        return 0.0
    lines = sample(source.probe, _SAMPLED)
    bars = share(lines, lambda line: ("%" in line or "━" in line or "[" in line or "█" in line) and _BAR.search(line))
    overwritten = _overwritten(source.text[:100_000])
    if _METER.search(source.probe[0]):
        return 0.9 if bars > 0.15 else 0.76
    if bars > 0.4:
        return 0.8 if overwritten > 2 else 0.66 + 0.1 * bars
    if bars > 0.2 and _BAR.search(source.probe[0]):
        return 0.74
    return 0.78 if overwritten > 10 and bars > 0.1 else 0.0


def _overwritten(text: str) -> int:
    """How many states of lines were written over."""
    return text.count("\r") - text.count("\r\n") if "\r" in text else 0


def _tell(source: Source, facts: Facts) -> str:
    overwritten = _overwritten(source.text)
    bars = [(number, line) for number, line in enumerate(source.lines, 1) if _BAR.search(line)]
    facts.say(
        f"progress output, {count(source.line_index.count, 'line')}, {count(overwritten, 'overwritten state')}; the "
        f"last states are below"
    )
    say_findings(source, facts, most=3, rank=2)
    for number, line in bars[-3:]:
        facts.notable(f"line {source.number(number)}: {one_line(line, 160)}", rank=5)
        facts.anchor_line("progress", number)
    others = [pair for pair in enumerate(source.lines, 1) if pair[1].strip() and not _BAR.search(pair[1])]
    facts.dense(
        "structure",
        others,
        lead="besides: ",
        of_head=True,
        rank=8,
        tell=lambda pair: f"{source.number(pair[0])} {one_line(pair[1], 120)}",
    )
    return ""


shape = Shape("progress", _score, _tell)
