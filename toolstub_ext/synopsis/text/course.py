"""How lines that have no shape of their own go on: the heads of indented blocks, how lines begin and end, and some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ..facts import Facts, Section
from ..model import Source
from ..patterns import Pattern
from ..wording import one_line
from .shape import spread

_LEAST_LINES = 12
_LEAST_ENCODED = 48
_ENCODED = Pattern(rf"[A-Za-z0-9+/]{{{_LEAST_ENCODED},}}={{0,2}}$")
"""Lines of base64 say nothing."""
_LEAST_HEADS = 3
_FEW_HEADS = 8
_INDENTED = 0.4
_LONGEST_HEAD = 100
_LONGEST_LINE = 90
_SHORT = 160
"""Lines longer than that on the whole are paragraphs."""
_COMMONEST = 5
_COVERED = 0.5
_LEAST_COUNTED = 20
_MOST_ANCHORS = 12


def tell_course(source: Source, facts: Facts, rank: int) -> bool:
    """Says it, and whether there was anything to say."""
    alike = Counter(source.lines)
    for line in list(alike):
        if not line or line.isspace() or (len(line) >= _LEAST_ENCODED and _ENCODED.match(line)):
            del alike[line]
    filled = [each for each in enumerate(source.lines, 1) if each[1] in alike]
    if len(filled) < _LEAST_LINES or sum(len(line) * number for line, number in alike.items()) > _SHORT * len(filled):
        return False
    indented = sum(number for line, number in alike.items() if line[0] in " \t")
    heads = list(_heads(source.lines)) if indented >= _INDENTED * len(filled) else []
    if len(heads) >= _LEAST_HEADS:
        _say_lines(source, facts, "structure", "blocks: ", heads, rank)
        if len(heads) < _FEW_HEADS:
            _say_lines(source, facts, "notable", "lines: ", filled[1:-1], rank + 1)
        return True
    _say_words(facts, f"lines begin with{source.part}: ", alike, lambda line: line.split(None, 1)[0], rank)
    _say_words(facts, f"lines end with{source.part}: ", alike, lambda line: line.rsplit(None, 1)[-1], rank)
    blank = len(filled) < len(source.lines)
    opening = [each for each in filled[1:-1] if not source.lines[each[0] - 2].strip()] if blank else []
    some = opening if len(opening) >= _FEW_HEADS else filled[1:-1]
    _say_lines(source, facts, "notable", "lines: ", some, rank + 1)
    return True


def _heads(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines without an indent that stand behind a blank or an indented line, and above an indented one."""
    before = ""
    head: tuple[int, str] | None = None
    for number, line in enumerate(lines, 1):
        if not line or line.isspace():
            before = ""
            continue
        inner = line[0] in " \t"
        if inner and head:
            yield head
        head = None if inner or (before and before[0] not in " \t") else (number, line)
        before = line


def _say_lines(
    source: Source, facts: Facts, section: Section, lead: str, lines: list[tuple[int, str]], rank: int
) -> None:
    """As many of the lines, with their numbers, as there is room for, from all over."""
    facts.dense(
        section,
        lines,
        lead=lead,
        rank=rank,
        ranks=spread,
        share=0.6,
        of_head=True,
        tell=lambda each: f"{source.number(each[0])} {one_line(each[1].strip(), _LONGEST_LINE)}",
    )
    for number, line in lines[:_MOST_ANCHORS]:
        facts.anchor_line(line[:_LONGEST_HEAD], number)


def _say_words(facts: Facts, lead: str, alike: Counter[str], word_of: Callable[[str], str], rank: int) -> None:
    """The commonest words of lines, of which each is counted, where few of them make up most."""
    counted: Counter[str] = Counter()
    for line, number in alike.items():
        word = word_of(line)
        counted[word.partition("(")[0] or word] += number
    total = alike.total()
    common = [(word, number) for word, number in counted.most_common(_COMMONEST) if number > 1 and word[:1].isalnum()]
    if total >= _LEAST_COUNTED and len(counted) > 1 and sum(n for _, n in common) >= _COVERED * total:
        more = counted.most_common(4 * _COMMONEST)
        told = [f"{one_line(word, 30)} {number}" for word, number in more if number > 1 and word[:1].isalnum()]
        facts.dense("structure", told, lead=lead, rank=rank, share=0.3, more=False)
