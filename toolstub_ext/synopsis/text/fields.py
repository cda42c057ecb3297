"""Names with values under headings and in columns, as tools for people print what they know of a machine or an object.

Host Name:              DESK-7               Ethernet adapter Ethernet0:
Network Card(s):        2 NIC(s) Installed.     DHCP Enabled. . . . . . . : Yes
                        [01]: Intel             IPv4 Address. . . . . . . : 10.0.0.7
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .findings import say_findings
from .shape import Shape, share, spread

_FIELD = Pattern(
    r"(?P<indent>[ \t]{0,60})(?P<key>[A-Za-z\[][\w()/'&+\]-]{0,40}(?:(?: |: )[\w()/'&+-]{1,40}){0,6}?)"
    r"(?P<lead>[ \t]{0,40}:[ \t]{2,60}|[ \t]{0,20}(?:\.[ \t]{0,4}){2,40}:[ \t]{0,4}|[ \t]{0,60}:(?:[ \t]|$))"
    r"(?P<value>.{0,400})$"
)
_HEADING = Pattern(r"[A-Z][^:]{2,100}:?$")
_COMMENTS = ("#", "//")
_MOST_BELOW = 12
_BELOW = 0.25
_LEAST_FIELDS = 6
_SHARE = 0.6
_LEAST_LED = 0.4
_LEAST_KEYS = 0.8
_MOST_OF_CODE = 0.2
_LEAST_ALIGNED = 0.6
_MOST_HEADINGS = 40


@dataclass(frozen=True, slots=True)
class _Field:
    """A name with its value, its line, and the heading above it."""

    line: int
    key: str
    value: str
    heading: str


def _score(source: Source) -> float:
    seen = look(source)
    if len(seen.lines) < _LEAST_FIELDS or not seen.has(":  ", ". :", " : "):
        return 0.0
    if sum(1 for line in seen.few if ":" in line or _deep(line)) < len(seen.few) // 2:
        return 0.0
    shallow = [line for line in seen.lines if not _deep(line)]
    found = [match for line in shallow if ":" in line and (match := _FIELD.match(line))]
    valued = [match for match in found if match["value"].strip() and not match["value"].startswith(_COMMENTS)]
    if len(valued) < _LEAST_FIELDS or len(found) < _SHARE * len(shallow):
        return 0.0
    if share(shallow, lambda line: line.rstrip()[-1:] in ",;{}()[]") > _MOST_OF_CODE:
        return 0.0
    keys = [match["key"] for match in valued if not match["indent"]]
    if len(set(keys)) < _LEAST_KEYS * len(keys):
        return 0.0  # records, told by their own shape
    led = [match for match in valued if match["lead"].endswith("  ") or match["lead"].count(".") > 1]
    padded = [match for match in valued if match["lead"].lstrip() != match["lead"]]
    if max(len(led), len(padded)) < _LEAST_LED * len(valued):
        return 0.0
    columns = [match.start("value") for match in valued]
    aligned = sum(1 for one, next_one in pairwise(columns) if one == next_one)
    return 0.9 if aligned >= _LEAST_ALIGNED * (len(columns) - 1) else 0.0


def _deep(line: str) -> bool:
    """Whether a line goes on with the value above it."""
    return line[:16].isspace()


def _fields(lines: list[str]) -> list[_Field]:
    fields: list[_Field] = []
    heading = above = ""
    for number, line in enumerate(lines, 1):
        found = _FIELD.match(line) if ":" in line else None
        if found and (found["value"].strip() or found["indent"] or "." in found["lead"]):
            if _deep(line):
                continue
            heading, above = (above or heading if found["indent"] else ""), ""
            fields.append(_Field(number, found["key"].strip(" ."), found["value"].strip(), heading))
        elif line[:1].isalpha() and _HEADING.match(line):
            above = line.rstrip(": ")
    return fields


def _tell(source: Source, facts: Facts) -> str:
    fields = _fields(source.lines)
    headings = {field.heading: field.line - 1 for field in reversed(fields) if field.heading}
    under = f" under {count(len(headings), 'heading')}" if headings else ""
    size = count(source.line_index.count, "line")
    facts.say(f"{count(len(fields), 'name')} with values{under}{source.part}, {size}")
    below = fields[-1].line if fields else 0
    if len(source.lines) - below > max(_MOST_BELOW, _BELOW * len(source.lines)):
        first = next((line for line in source.lines[below:] if line[:1].strip()), "")
        facts.notable(f"no more of them behind line {source.number(below)}: {one_line(first, 120)}", rank=1)
    say_findings(source, facts, most=3, rank=2)
    facts.dense(
        "structure",
        [(line, heading) for heading, line in reversed(headings.items())][:_MOST_HEADINGS],
        rank=3,
        share=0.4,
        lead="headings: ",
        of_head=True,
        tell=lambda pair: one_line(pair[1], 60),
    )
    valued = [field for field in fields if field.value]
    facts.dense(
        "structure",
        valued,
        rank=5,
        of_head=True,
        ranks=spread,
        tell=lambda field: f"{source.number(field.line)} {one_line(field.key, 50)}: {one_line(field.value, 60)}",
    )
    for field in valued[:_MOST_HEADINGS]:
        facts.anchor_line(field.key, field.line)
    return ""


shape = Shape("records", _score, _tell)
