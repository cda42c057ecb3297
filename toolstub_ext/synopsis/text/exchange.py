"""Requests and answers as `curl -v` prints them, with what it says of the connection: what was asked, and what came."""

from __future__ import annotations

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .findings import say_findings
from .shape import Shape

_REQUEST = Pattern(r"> (?P<request>[A-Z]{3,10} \S{1,400}) HTTP/[\d.]+$")
_ANSWER = Pattern(r"< HTTP/[\d.]+ (?P<status>\d{3}.{0,80})")
_FAILED = Pattern(r"(?:\* |curl: \(\d+\) )(?P<why>.{0,20}(?:[Cc]ould ?n[o']t|[Ff]ailed|refused|timed out|SSL).{0,200})")
_MARKS = frozenset((">", "<", "*"))
_SURE = 0.93
_MOST_SHOWN = 12


def _score(source: Source) -> float:
    seen = look(source)
    if not seen.words >= _MARKS or seen.first not in _MARKS:
        return 0.0
    return _SURE if any(map(_REQUEST.match, seen.lines)) else 0.0


def _tell(source: Source, facts: Facts) -> str:
    asked: list[tuple[int, str, str]] = []
    for number, line in enumerate(source.lines, 1):
        if request := _REQUEST.match(line):
            asked.append((number, request["request"], ""))
        elif asked and (answer := _ANSWER.match(line)):
            asked[-1] = (*asked[-1][:2], answer["status"])
    facts.say(f"{count(len(asked), 'request')}{source.part}, {count(source.line_index.count, 'line')}")
    facts.dense(
        "summary",
        asked,
        rank=1,
        of_head=True,
        ranks=[0 if answer[:1] in ("4", "5", "") else 1 for _, _, answer in asked],
        tell=lambda each: f"{source.number(each[0])} {one_line(each[1], 120)} → {one_line(each[2], 60) or 'no answer'}",
    )
    failed = [(number, match["why"]) for number, line in enumerate(source.lines, 1) if (match := _FAILED.match(line))]
    for number, why in failed[:2]:
        facts.notable(f"line {source.number(number)}: {one_line(why, 160)}", rank=2)
    say_findings(source, facts, most=2, rank=4)
    for number, path, _ in asked[:_MOST_SHOWN]:
        facts.anchor_line(path, number)
    return "requests"


shape = Shape("log", _score, _tell, holds_code=True)
