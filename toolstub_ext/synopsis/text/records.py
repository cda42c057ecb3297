"""Names with values, one a line: a single long list of them, or records that repeat the same names.

Name        : make                          net.ipv4.ip_forward = 1
Version     : 3.82                          net.ipv4.tcp_sack = 1
Description :
A tool which controls ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .findings import say_findings
from .shape import Shape, spread

_FIELD = Pattern(
    r"(?P<key>[A-Za-z][\w.()/*-]{0,80}+(?: [\w.()/-]{1,40}+|(?!)){0,3}+)[ \t]*+(?P<sign>[:=])"
    r"(?:[ \t]++(?P<value>\S.{0,400})|[ \t]*+$)"
)
_EXPANDED = Pattern(r"(?P<key>\w[\w ]{0,80}?) *(?P<sign>\|)(?: (?P<value>.{0,400})|$)")
"""A field as psql prints it in its expanded form, below `-[ RECORD 1 ]---`."""
_RECORD = "-[ RECORD "
_COMMENTS = ("#", ";", "***", _RECORD)
_ALIGNED = Pattern(r" {0,30}[A-Za-z][\w ]{0,40}?(?= ?[:=] )")
_MOST_ALIGNED = 0.9
_LEAST_KEYS = 5
_MOST_SHOWN = 12
_FEW_VALUES = 6
_ALL = 0.97
_SOME = 0.5
_SINGLE = 0.91
_UNSURE = 0.5
"""For what may be YAML or statements as well."""
_STATEMENT = frozenset("()[]{}\"'")
_FEW = 0.1
_REPEATED = 0.8
_TITLED = 0.6
"""Capitalised names alone, with values that go on in lines with an indent: the first of records that are long."""


class _Found(NamedTuple):
    """A line with a name and a value, and the sign between them."""

    line: int
    key: str
    sign: str
    value: str


def _column_of(source: Source) -> int:
    """Where the signs stand if the names in front of them are shifted to the right, else 0."""
    lines = look(source).lines
    if not any(line[0] == " " for line in lines[:_LEAST_KEYS]):
        return 0
    columns = Counter(found.end() for line in lines if (found := _ALIGNED.match(line)))
    column, times = max(columns.items(), key=itemgetter(1), default=(0, 0))
    return column if times > _MOST_ALIGNED * sum(1 for line in lines if not _is_comment(line)) else 0


def _fields(lines: list[str], column: int) -> Iterator[_Found]:
    expanded = lines[0].startswith(_RECORD)
    field = _EXPANDED if expanded else _FIELD
    for number, line in enumerate(lines, 1):
        name = line[:column].lstrip() + line[column:] if column and line[:1] == " " else line
        if name[:1].isalpha() and (":" in name or "=" in name or expanded) and (found := field.match(name)):
            key, sign, value = found.groups()
            yield _Found(number, key, sign, value or "")


def _is_comment(line: str) -> bool:
    return line.startswith(_COMMENTS)


def _score(source: Source) -> float:
    seen = look(source)
    if not seen.has(": ", " = ", _RECORD):
        return 0.0
    column = _column_of(source)
    if not (column or seen.lines[0][:1].isalpha() or _is_comment(seen.lines[0])):
        return 0.0
    found = list(_fields(seen.lines, column))
    keys = Counter(each.key for each in found)
    if len(keys) < _LEAST_KEYS or not found or found[0].line > 1 + sum(map(_is_comment, seen.lines)):
        return 0.0
    counted = [line for line in seen.lines if column or not line[0].isspace() or line[1:2].isspace()]
    share = len(found) / sum(1 for line in counted if not _is_comment(line))
    names = [key for key, _ in groupby(each.key for each in found)]
    signs = {each.sign for each in found}
    if share >= _ALL and len(keys) >= _ALL * len(names) and len(signs) == 1:
        return _SINGLE if "=" in signs and not _assigned(signs, found) else _UNSURE
    again = sum(1 for number in keys.values() if number > 1) > _SOME * len(keys)
    if again and share >= _SOME and _ordered(names) and not _assigned(signs, found):
        return _REPEATED
    titled = len(keys) >= 2 * _LEAST_KEYS and signs == {":"} and all(key[0].isupper() for key in keys)
    flush = sum(1 for line in seen.lines if not line[0].isspace())
    return _TITLED if titled and len(found) >= _ALL * flush else 0.0


def _assigned(signs: set[str], found: list[_Found]) -> bool:
    """Whether values are given by `=` and many of them are written as statements of a language have them."""
    stated = sum(1 for each in found if not _STATEMENT.isdisjoint(each.value)) if signs == {"="} else 0
    return stated >= _FEW * len(found)


def _ordered(keys: list[str]) -> bool:
    """Whether the second record has names of the first in the same order."""
    starts = [place for place, key in enumerate(keys) if key == keys[0]][:3]
    if len(starts) < 2 or starts[1] < _LEAST_KEYS:
        return False
    first, second = keys[: starts[1]], keys[starts[1] : [*starts, len(keys)][2]]
    places = [first.index(key) for key in second if key in first]
    return len(places) > _SOME * len(second) and places == sorted(places)


def _tell(source: Source, facts: Facts) -> str:
    found = list(_fields(source.lines, _column_of(source)))
    if _single(found):
        _tell_list(source, facts, found)
    else:
        opening = source.lines[found[0].line - 1]
        _tell_records(source, facts, found, opening[: opening.index(found[0].sign) + 1])
    say_findings(source, facts, most=3, rank=6)
    return ""


def _single(found: list[_Found]) -> bool:
    """Whether no name comes again but directly below itself."""
    names = [key for key, _ in groupby(each.key for each in found)]
    return len(set(names)) >= _ALL * len(names)


def _tell_records(source: Source, facts: Facts, found: list[_Found], opening: str) -> None:
    records = source.clean.count("\n" + opening) + source.clean.startswith(opening)
    starts = [each for each in found if each.key == found[0].key]
    values: dict[str, list[str]] = {}
    for each in found:
        values.setdefault(each.key, []).append(each.value)
    facts.say(f"{count(records, 'record')} of up to {len(values)} names, {count(source.line_index.count, 'line')}")
    facts.dense(
        "structure",
        starts,
        rank=4,
        share=0.5,
        of_head=True,
        ranks=spread,
        lead=f"{one_line(found[0].key, 40)}: ",
        tell=lambda each: f"{source.number(each.line)} {one_line(each.value, 60)}",
    )
    facts.dense("structure", values.items(), rank=5, share=0.7, of_head=True, tell=lambda named: _column(*named))
    for each in starts[:_MOST_SHOWN]:
        facts.anchor_line(each.value or each.key, each.line)


def _column(key: str, values: list[str]) -> str:
    """A name, with its values where there are but a few of them."""
    counts = Counter(values)
    if 1 < len(counts) <= _FEW_VALUES and max(counts.values()) > 1:
        told = ", ".join(f"{one_line(value or 'empty', 30)} {number}" for value, number in counts.most_common(3))
        return f"{one_line(key, 40)} ({told})"
    return one_line(key, 40)


def _tell_list(source: Source, facts: Facts, found: list[_Found]) -> None:
    facts.say(f"{count(len(found), 'name')} with values{source.part}, {count(source.line_index.count, 'line')}")
    groups = Counter([each.key.partition(".")[0] for each in found if "." in each.key])
    if len(groups) > 1:
        facts.dense(
            "structure",
            [f"{one_line(group, 40)} {number}" for group, number in groups.most_common()],
            rank=3,
            share=0.3,
            lead="by first part: ",
        )
    facts.dense(
        "structure",
        found,
        rank=5,
        of_head=True,
        ranks=spread,
        tell=lambda each: f"{source.number(each.line)} {one_line(each.key, 60)} {one_line(each.value, 40)}".rstrip(),
    )
    for each in found[:_MOST_SHOWN]:
        facts.anchor_line(each.key, each.line)


shape = Shape("records", _score, _tell)
