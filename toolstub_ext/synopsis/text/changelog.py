"""A list of changes by version, as distributions keep one for each package: the versions with their lines.

desk (2.1-3) stable; urgency=medium
  * Late orders come first.
 -- A. Porter <porter@example.org>  Tue, 03 Mar 2026 10:00:00 +0000
"""

from __future__ import annotations

from collections import Counter

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .findings import say_findings
from .shape import Shape, spread

_ENTRY = Pattern(r"(?P<name>\S{1,80}) \((?P<version>[^)\s]{1,80})\) [\w .-]{1,60}; ?urgency=(?P<urgency>\w{1,20})")
_SIGNED = " -- "
_CLOSED = Pattern(r"(?:CVE-\d{4}-\d{4,7}|(?i:closes): ?(?:bug)?#\d{1,9})")


def _score(source: Source) -> float:
    return 0.96 if source.probe and _ENTRY.match(source.probe[0]) and look(source).has("urgency=") else 0.0


def _tell(source: Source, facts: Facts) -> str:
    numbered = list(enumerate(source.lines, 1))
    entries = [(number, entry) for number, line in numbered if (entry := _ENTRY.match(line))]
    dates = [line.rpartition(">")[2].strip() for line in source.lines if line.startswith(_SIGNED)]
    first = entries[0][1]
    size = f"{count(len(entries), 'version')}{source.part}, {count(source.line_index.count, 'line')}"
    span = f", {one_line(dates[-1], 40)} to {one_line(dates[0], 40)}" if len(dates) > 1 else ""
    facts.say(f"changelog of {first['name']}, newest {one_line(first['version'], 40)}: {size}{span}")
    urgent = Counter(entry["urgency"] for _, entry in entries)
    if len(urgent) > 1:
        facts.dense("summary", [f"{name} {number}" for name, number in urgent.most_common(5)], lead="urgency: ", rank=4)
    facts.dense(
        "structure",
        entries,
        rank=3,
        of_head=True,
        ranks=spread,
        share=0.7,
        tell=lambda each: f"{source.number(each[0])} {one_line(each[1]['version'], 40)}",
    )
    closed = [f"{source.number(number)} {found}" for number, line in numbered for found in _CLOSED.findall(line)]
    facts.dense("notable", closed, lead="CVEs and bugs: ", rank=6, share=0.7, of_head=True)
    say_findings(source, facts, most=2, rank=9)
    for number, entry in entries[:12]:
        facts.anchor_line(entry["version"], number)
    return ""


shape = Shape("changelog", _score, _tell, early=True)
