"""What Terraform and its kin would change or have changed: how much of each, and the resources, those that go first."""

from __future__ import annotations

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern, holds
from ..wording import count, one_line
from .findings import say_findings
from .shape import Shape

_CHANGE = Pattern(
    r" {2}# (?P<what>[\w.\[\]\"'/:-]{1,300}) (?:\(deposed[^)]{0,40}\) )?"
    r"(?P<action>will be|must be|has|has been|is tainted,)"
    r"(?: (?P<how>[a-z][a-z -]{1,60}))?"
)
_VERDICT = Pattern(r"(?:Plan: \d|No changes\.|Apply complete!|Destroy complete!).{0,200}")
_MARKS = ("will be ", "must be ")
_FORCED = "# forces replacement"
_GOES = ("destroyed", "replaced")
_SURE = 0.95
_MOST_FORCED = 3


def _score(source: Source) -> float:
    seen = look(source)
    if not seen.begins("#") or not holds(seen.text, *_MARKS):
        return 0.0
    told = "Terraform " in seen.text or "OpenTofu " in seen.text or " {" in seen.text
    return _SURE if told and any(map(_CHANGE.match, seen.lines)) and any(map(_resource, seen.lines)) else 0.0


def _resource(line: str) -> bool:
    return line.lstrip(" +-/~<=>").startswith(("resource ", "data ")) and line[-1] == "{"


def _tell(source: Source, facts: Facts) -> str:
    found = [(number, match) for number, line in enumerate(source.lines, 1) if (match := _CHANGE.match(line))]
    verdicts = [line for line in source.clean[-20_000:].split("\n") if _VERDICT.match(line)]
    said = one_line(verdicts[0], 160) + " " if verdicts else ""
    facts.say(f"{said}{count(len(found), 'resource')} named{source.part}, {count(source.line_index.count, 'line')}")
    for other in verdicts[1:3]:
        facts.say(one_line(other, 160), rank=2)
    say_findings(source, facts, most=3, rank=1)
    forced = [number for number, line in enumerate(source.lines, 1) if _FORCED in line]
    for number in forced[:_MOST_FORCED]:
        facts.notable(f"line {source.number(number)}: {one_line(source.lines[number - 1], 140)}", rank=3)
    facts.dense(
        "structure",
        found,
        rank=4,
        of_head=True,
        ranks=[0 if (match["how"] or "").endswith(_GOES) else 1 for _, match in found],
        tell=lambda each: (
            f"{source.number(each[0])} {one_line(each[1]['what'], 80)} {each[1]['how'] or each[1]['action']}"
        ),
    )
    for number, match in found[:12]:
        facts.anchor_line(match["what"], number)
    return "plan"


shape = Shape("diff", _score, _tell, holds_code=True)
