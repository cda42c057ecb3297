"""A page of a manual as `man` prints it: what it describes, and its sections with their lines."""

from __future__ import annotations

import re

from ..facts import Facts
from ..look import look
from ..model import Source
from ..wording import count, one_line
from .prose import say_ends
from .shape import Shape

_TOP = re.compile(r"\s*(?P<page>[\w.+:-]{1,60}\((?:\d\w{0,4})?\))\s.{0,120}\s(?P=page)\s*$")
_SECTION = re.compile(r"[A-Z][A-Z0-9 ,/&'-]{2,60}$")
_REQUEST = re.compile(r"\.(?:[A-Z][A-Za-z]\b|\\\")")
_SOURCE_TOP = re.compile(r"\.(?:TH|Dt) +\"?(?P<name>[^\s\"]{1,60})\"? +\"?(?P<section>\w{1,4})")
_SOURCE_SECTION = re.compile(r"\.S[HShs] +\"?(?P<name>[^\"\n]{1,80})")
_LEAST = 3
_OPTION = re.compile(r" {3,12}(?P<option>--?[\w?][^\n]{0,60})")


def _score(source: Source) -> float:
    if source.probe and _TOP.match(source.probe[0]):
        return 0.96
    return 0.96 if look(source).begins(".TH", ".Dd", ".SH", ".Sh") and len(_requests(source)) >= _LEAST else 0.0


def _requests(source: Source) -> list[str]:
    """The lines of the probe that are requests of roff, in which a page is written."""
    return [line for line in source.probe if _REQUEST.match(line)]


def _tell(source: Source, facts: Facts) -> str:
    top = _TOP.match(source.probe[0])
    numbered = list(enumerate(source.lines, 1))
    page = top["page"] if top else ""
    sections = [(number, line.strip()) for number, line in numbered if _SECTION.match(line)]
    if not top:
        named_in = next(filter(None, map(_SOURCE_TOP.match, source.lines)), None)
        page = f"in roff, {named_in['name']}({named_in['section']})" if named_in else "in roff"
        sections = [(n, found["name"]) for n, line in numbered if (found := _SOURCE_SECTION.match(line))]
    named = next((line.strip() for number, line in numbered[:20] if " - " in line or " — " in line), "")
    facts.say(f"manual page {page}, {count(source.line_index.count, 'line')}")
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


shape = Shape("manual", _score, _tell, early=True, holds_code=True)
