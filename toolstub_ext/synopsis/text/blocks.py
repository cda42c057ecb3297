"""Tables one below the other, each with a title, as `iptables -L` and `netstat` print them.

Chain INPUT (policy DROP)
target     prot opt source               destination
ACCEPT     tcp  --  anywhere             anywhere             tcp dpt:ssh
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, first_word, one_line
from .findings import say_findings
from .shape import Shape

_TITLE = Pattern(r"(?!.* {2,}\S)[A-Z][\w-]{1,30} [^\t]{2,100}$")
_HEADER = Pattern(r"\s{0,8}[A-Za-z#%]\S{0,30}(?:(?: |\t) *[A-Za-z#%][\w%/#.()-]{0,30}){2,}\s*$")
_LEAST_BLOCKS = 2
_LEAST_ROWS = 4
_MOST_BEFORE = 2
_COMMONEST = 3
_SCORED = 200


@dataclass(slots=True)
class _Block:
    """A title, its line, the header below it and the rows with their lines."""

    title: str
    line: int
    header: str
    rows: list[tuple[int, str]] = field(default_factory=list)


def _blocks(lines: list[str]) -> list[_Block]:
    """The tables in order, if the first begins with one of the first lines."""
    found: list[_Block] = []
    header_of = 0
    before = 0
    for number, line in enumerate(lines, 1):
        below = lines[number] if number < len(lines) else ""
        if number == header_of or not line.strip():
            continue
        if line[:1].isupper() and "  " in below.strip() and _TITLE.match(line) and _HEADER.match(below):
            found.append(_Block(line.strip(), number, " ".join(below.split())))
            header_of = number + 1
        elif found:
            found[-1].rows.append((number, line))
        elif before < _MOST_BEFORE:
            before += 1
        else:
            break
    return found


def _score(source: Source) -> float:
    seen = look(source)
    if not seen.has("  ") or len(seen.lines) < _LEAST_ROWS:
        return 0.0
    found = _blocks(source.lines[:_SCORED])
    rows = sum(len(block.rows) for block in found)
    wide = sum(1 for block in found for _, row in block.rows if "  " in row.strip())
    if len(found) < _LEAST_BLOCKS or rows < _LEAST_ROWS or wide < 0.8 * rows:
        return 0.0
    return 0.93


def _tell(source: Source, facts: Facts) -> str:
    found = _blocks(source.lines)
    rows = sum(len(block.rows) for block in found)
    facts.say(f"{count(len(found), 'table')} with titles, {count(rows, 'row')} in all{source.part}")
    facts.dense("structure", found, rank=3, share=0.6, of_head=True, tell=lambda block: _told(source, block))
    headers = Counter(block.header for block in found)
    facts.dense("structure", [one_line(header, 100) for header in headers], rank=4, share=0.4, lead="columns: ")
    say_findings(source, facts, most=3, rank=5)
    for words, number in _alike(found):
        facts.notable(f"{number} rows: {one_line(words, 160)}", rank=7)
    for block in found:
        for number, row in block.rows[-1:]:
            facts.notable(f"{source.number(number)}: {one_line(row, 160)}", rank=9)
        facts.anchor_line(block.title, block.line)
    return ""


def _told(source: Source, block: _Block) -> str:
    """`12 Chain INPUT (policy DROP): 21 rows, ACCEPT 20, DROP 1`."""
    firsts = Counter(first_word(row) for _, row in block.rows).most_common(_COMMONEST)
    shown = "".join(f", {one_line(first, 30)} {number}" for first, number in firsts if len(firsts) > 1 or number > 1)
    return f"{source.number(block.line)} {one_line(block.title, 80)}: {count(len(block.rows), 'row')}{shown}"


def _alike(found: list[_Block]) -> list[tuple[str, int]]:
    """The rows that come more than once, blanks aside."""
    rows = Counter(" ".join(row.split()) for block in found for _, row in block.rows)
    return [(words, number) for words, number in rows.most_common(_COMMONEST) if number > 1]


shape = Shape("table", _score, _tell)
