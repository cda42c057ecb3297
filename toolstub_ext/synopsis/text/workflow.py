"""The log of a run of GitHub Actions: jobs and steps with their lines, and where a step said that it failed.

    build<TAB>Run tests<TAB>2026-05-01T10:00:00.1234567Z FAILED tests/test_a.py::test_b

Without job and step in front, groups are what tells them apart.
"""

from __future__ import annotations

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .findings import say_findings
from .shape import Shape, mostly

_TIME = r"\ufeff?(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{7}Z(?: |$)"
_LINE = Pattern(r"(?:(?P<job>[^\t\n]{1,120})\t(?P<step>[^\t\n]{1,200})\t)?" + _TIME)
_MARK = Pattern(r"##\[(?P<mark>error|warning|group)\](?P<text>.{0,400})")
_SHARE = 0.9


def _score(source: Source) -> float:
    seen = look(source)
    return 0.95 if len(seen.lines) > 2 and mostly(seen.few, _LINE.match, _SHARE) else 0.0


def _tell(source: Source, facts: Facts) -> str:
    times: list[str] = []
    steps: dict[tuple[str, str], list[int]] = {}
    groups: list[tuple[int, str]] = []
    errors: list[tuple[int, str]] = []
    warnings = 0
    for number, line in enumerate(source.lines, 1):
        if not (found := _LINE.match(line)):
            continue
        times.append(found["time"])
        if found["job"]:
            steps.setdefault((found["job"], found["step"]), []).append(number)
        if line.startswith("##[", found.end()) and (marked := _MARK.match(line, found.end())):
            if marked["mark"] == "group":
                groups.append((number, marked["text"]))
            elif marked["mark"] == "error":
                errors.append((number, marked["text"]))
            else:
                warnings += 1
    ends = [found["time"] for line in source.clean[-4000:].split("\n") if (found := _LINE.match(line))]
    span = f", {times[0]} to {(ends or times)[-1]}" if times else ""
    facts.say(f"log of a workflow, {count(source.line_index.count, 'line')}{span}")
    jobs = dict.fromkeys(job for job, _ in steps)
    if errors or warnings:
        facts.say(f"##[error] {len(errors)}, ##[warning] {warnings}{source.part}", rank=1)
    for number, text in errors[:4]:
        facts.notable(f"line {source.number(number)}: ##[error]{one_line(text, 200)}", rank=2)
        facts.anchor_line(text or "error", number)
    if steps:
        facts.dense(
            "structure",
            steps.items(),
            rank=4,
            share=0.6,
            of_head=True,
            lead=f"{count(len(jobs), 'job')}, {count(len(steps), 'step')}: ",
            tell=lambda each: _step(source, each[0], each[1], named=len(jobs) > 1),
        )
    elif groups:
        facts.dense(
            "structure",
            groups,
            rank=4,
            share=0.6,
            of_head=True,
            lead="groups: ",
            tell=lambda each: f"{source.number(each[0])} {one_line(each[1], 80)}",
        )
    say_findings(source, facts, most=6, rank=3, known=frozenset(number for number, _ in errors))
    return ""


def _step(source: Source, step: tuple[str, str], numbers: list[int], *, named: bool) -> str:
    """`12-340 Run tests`, with its job where there are several."""
    name = one_line(" / ".join(step) if named else step[1], 80)
    return f"{source.number(numbers[0])}-{source.number(numbers[-1])} {name}"


shape = Shape("log", _score, _tell, early=True)
