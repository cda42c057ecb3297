"""Commits as `git log` prints them: how many, by whom, from when to when, and their subjects."""

from __future__ import annotations

from collections import Counter

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern, holds
from ..wording import count, one_line
from .shape import Shape, share

_COMMIT = Pattern(r"[*|\\/ ]{0,12}commit (?P<id>[0-9a-f]{7,64})\b")
_SHORT = Pattern(r"[*|\\/ ]{0,12}(?P<id>[0-9a-f]{7,12})\b ?(?P<subject>\S.{0,300})")
_AUTHOR = Pattern(r"[*|\\/ ]{0,12}Author: (?P<name>[^<\n]{1,100})")
_DATE = Pattern(r"[*|\\/ ]{0,12}Date: +(?P<date>.{1,60})")
_SUBJECT = Pattern(r"[*|\\/ ]{0,12} {4}(?P<subject>\S.{0,300})")


def _short(line: str) -> bool:
    found = _SHORT.match(line)
    return found is not None and any(map(str.isdigit, found["id"])) and not found["id"].isdigit()


def _score(source: Source) -> float:
    seen = look(source)
    if seen.begins("commit", "*", "|") and any(map(_COMMIT.match, seen.lines)) and any(map(_AUTHOR.match, seen.lines)):
        return 0.9 if not holds(source.head, "\ndiff --git ") else 0.8
    if len(seen.lines) < 3 or not any(map(_short, seen.lines[:3])):
        return 0.0
    return 0.85 if share(seen.lines, _short) > 0.8 else 0.0


def _tell(source: Source, facts: Facts) -> str:
    commits: list[list[str]] = []
    lines: list[int] = []
    authors: Counter[str] = Counter()
    dates: list[str] = []
    for number, line in enumerate(source.lines, 1):
        if found := _COMMIT.match(line) or (_SHORT.match(line) if _short(line) else None):
            commits.append([found["id"][:10], found.groupdict().get("subject") or ""])
            lines.append(number)
        elif author := _AUTHOR.match(line):
            authors[author["name"].strip()] += 1
        elif dated := _DATE.match(line):
            dates.append(dated["date"].strip())
        elif commits and not commits[-1][1] and (subject := _SUBJECT.match(line)):
            commits[-1][1] = subject["subject"]
    span = f", {dates[0]} back to {dates[-1]}" if len(dates) > 1 else ""
    facts.say(f"{count(len(commits), 'commit')}{source.part}{span}")
    if authors:
        facts.dense(
            "summary",
            [f"{one_line(name, 40)} {number}" for name, number in authors.most_common(8)],
            lead=f"by{source.part} " if source.part else "by ",
            rank=3,
        )
    listed = list(zip(lines, commits))
    facts.dense(
        "structure",
        listed,
        rank=5,
        of_head=True,
        tell=lambda each: f"{source.number(each[0])} {each[1][0]} {one_line(each[1][1], 90)}",
    )
    for place, (name, about) in listed[:12]:
        facts.anchor_line(f"{name} {about}", place)
    return ""


shape = Shape("git-log", _score, _tell, holds_code=True)
