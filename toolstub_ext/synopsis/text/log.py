"""A log: when, how many of each level, which lines repeat, and what went wrong where."""

from __future__ import annotations

import re
from collections import Counter

from ..facts import Facts
from ..model import Source
from ..wording import count, one_line
from .findings import say_findings, template
from .shape import Shape, spread

_TIME = re.compile(
    r"(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ,_]{1,2}\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} \d\d:\d\d:\d\d"
    r"|\d{1,2}/(?:\d\d|[A-Z][a-z]{2})/\d{2,4}[: ]\d\d:\d\d:\d\d|\d\d:\d\d:\d\d(?:[.,]\d{1,6})?|\d{9,10}\.\d{3,6}(?= ))"
)
_LEVEL = re.compile(
    r"\b(?P<level>TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRITICAL|SEVERE|trace|debug|info|warn(?:ing)?"
    r"|error|fatal)\b(?=[\]:|\s)\x1b,=]|$)"
)
_STEP = re.compile(
    r"(?:Collecting|Downloading|Installing|Requirement already|Successfully|Building|Get:\d+|Hit:\d+|Fetched|Reading"
    r"|Unpacking|Setting up|Preparing|Selecting|Processing"
    r"|Compiling|Finished|Running|Cloning|remote:|Receiving|Resolving|npm |added \d+|yarn |Step \d+|#\d+ |--->"
    r"|Epoch \d+|\[\d+/\d+\]|make(?:\[\d+\])?:|gcc |g\+\+ |cc |checking |configure:"
    r"|WARNING:|ERROR:|INFO:|DEBUG:|\w+: (?:warning|error|note):|time=|level=|\[\w+\] |(?:train|val"
    r"|test)\w* ?(?:loss|acc)|[Ii]ter(?:ation)?[ :]\d|[Ll]oss[ :=]|Epoch:? |(?:Mini)?[Bb]atch:? \d|\d{1,8}:\s+learn:)"
)
_WARNED = re.compile(r"\S{0,300}\w: ?\w{0,30}Warning:|ls: |cp: |rm: |\w+: cannot |tar: |bash: ")
_LEVEL_NAMES = {"WARN": "WARNING", "ERR": "ERROR"}


def _score(source: Source) -> float:
    probe = source.probe
    timed = levels = steps = 0
    for line in probe:
        start = line[:80]
        timed += _TIME.search(start) is not None
        levels += _LEVEL.search(start) is not None
        steps += _STEP.match(line.lstrip()) is not None or _WARNED.match(line) is not None
    size = max(1, len(probe))
    best = max(timed + levels / 2, levels, steps * 0.9) / size
    both = sum((timed > 0.3 * size, levels > 0.3 * size))
    return min(0.95, 0.42 + 0.4 * best + 0.1 * both) if best >= 0.25 and size >= 3 else 0.0


def _tell(source: Source, facts: Facts) -> str:
    levels: Counter[str] = Counter()
    times: list[str] = []
    templates: Counter[str] = Counter()
    examples: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(source.lines, 1):
        if not line or line.isspace():
            continue
        start = line[:100]
        level = _LEVEL.search(start)
        if level:
            name = level["level"].upper()
            levels[_LEVEL_NAMES.get(name, name)] += 1
        form = template(line)
        templates[form] += 1
        examples.setdefault(form, (number, line))
    first = next((m["time"] for line in source.lines[:50] if (m := _TIME.search(line[:100]))), None)
    last_lines = source.clean[-3000:].rstrip("\n").split("\n")[-30:]
    last = next((m["time"] for line in reversed(last_lines) if (m := _TIME.search(line[:100]))), None)
    times = [time for time in (first, last) if time]
    span = f", {times[0]} to {times[-1]}" if len(times) == 2 and times[0] != times[-1] else ""
    facts.say(f"log, {count(source.line_index.count, 'line')}{span}")
    if levels:
        part = f" in the first {count(len(source.lines), 'line')}" if source.partial else ""
        facts.say("levels: " + ", ".join(f"{name} {number}" for name, number in levels.most_common(6)) + part, rank=1)
    say_findings(source, facts, most=6, rank=2)
    repeated = [(form, number) for form, number in templates.most_common(30) if number > 1]
    items = [f"{number}× {one_line(_untimed(examples[form][1]), 110)}" for form, number in repeated]
    facts.dense("structure", items, lead="most frequent: ", rank=8, share=0.55)
    for place, rank in ((0, 9), (-1, 5)):
        shown = [line for line in (source.lines[:40] if place == 0 else last_lines) if line.strip()]
        if shown:
            facts.notable(f"{'first' if place == 0 else 'last'}: {one_line(shown[place], 200)}", rank=rank)
    rare = [(number, line) for form, (number, line) in examples.items() if templates[form] == 1]
    facts.dense(
        "structure",
        [f"{source.number(number)} {one_line(line, 110)}" for number, line in rare],
        lead="once each: ",
        rank=12,
        ranks=spread(len(rare)),
    )
    facts.anchor_line("last line", source.line_index.count)
    return ""


def _untimed(line: str) -> str:
    """The line without the time it begins with, which is another one each time."""
    found = _TIME.search(line[:40])
    return line[found.end() :].lstrip(" ]:,-") if found and found.start() < 4 else line


shape = Shape("log", _score, _tell)
