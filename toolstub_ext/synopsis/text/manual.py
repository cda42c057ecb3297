"""A page of a manual as `man` prints it: what it describes, and its sections with their lines."""

from __future__ import annotations

import re

from ..facts import Facts
from ..model import Source
from ..wording import count, one_line
from .prose import say_ends
from .shape import Shape

_TOP = re.compile(r"\s*(?P<page>[\w.+:-]{1,60}\(\d\w{0,4}\))\s.{0,120}\s(?P=page)\s*$")
_SECTION = re.compile(r"[A-Z][A-Z0-9 ,/&'-]{2,60}$")
_OPTION = re.compile(r" {3,12}(?P<option>--?[\w?][^\n]{0,60})")


def _score(source: Source) -> float:
    return 0.96 if source.probe and _TOP.match(source.probe[0]) else 0.0


def _tell(source: Source, facts: Facts) -> str:
    top = _TOP.match(source.probe[0])
    numbered = list(enumerate(source.lines, 1))
    sections = [(number, line.strip()) for number, line in numbered if _SECTION.match(line)]
    named = next((line.strip() for number, line in numbered[:20] if " - " in line or " — " in line), "")
    facts.say(f"manual page {top['page'] if top else ''}, {count(source.line_index.count, 'line')}")
    if named:
        facts.say(one_line(named, 200), rank=1)
    facts.dense(
        "structure",
        [f"{number} {one_line(name, 60)}" for number, name in sections],
        rank=3,
        lead="sections: ",
        of_head=True,
    )
    options = [(number, found["option"]) for number, line in numbered if (found := _OPTION.match(line))]
    facts.dense(
        "notable",
        options,
        rank=6,
        lead="options: ",
        of_head=True,
        tell=lambda each: f"{each[0]} {one_line(each[1].split('  ')[0], 50)}",
    )
    for number, name in sections:
        facts.anchor_line(name, number)
    if not options:
        say_ends(source, facts)
    return ""


shape = Shape("manual", _score, _tell)
