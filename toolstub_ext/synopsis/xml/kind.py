"""Describes XML and HTML: the root, what it holds and how often, and what tells of a failure."""

from __future__ import annotations

import re
from collections import Counter

from ..facts import Facts
from ..model import KindName, Source, Synopsis
from ..patterns import Pattern
from ..wording import count, one_line
from . import html
from .scan import Scan, scan
from .tally import bare

_START = Pattern(
    r"\s*+(?:<\?xml\b|<!DOCTYPE\b|<!--|<[A-Za-z_][\w.:-]{0,100}(?:\s[^<>]{0,2000})?/?>|<[A-Za-z_][\w.:-]{0,100}\s)",
    re.IGNORECASE,
)
_OPENS = Pattern(r"\s*+(?:<|\{[%{#])")
_ROOT_CHARS = 300
_ALARMING = ("failure", "error", "fault", "exception", "skipped")


class XmlKind:
    """Well-formed XML, and HTML whether or not it is."""

    name: KindName = "xml"

    def score(self, source: Source) -> float:
        """By the first tag, and the share of lines with tags."""
        mime = (source.mime or "").lower()
        if "/xml" in mime or "+xml" in mime or "html" in mime:
            return 0.96
        head = source.clean[:4000]
        if not _OPENS.match(head):
            return 0.0
        if html.looks_like(head):
            return 0.93
        if not _START.match(head):
            return 0.0
        if head.lstrip()[:9].lower().startswith(("<?xml", "<!doctype")) or "xmlns" in head[:_ROOT_CHARS]:
            return 0.95
        tagged = sum(1 for line in source.probe if "<" in line and ">" in line) / max(1, len(source.probe))
        return 0.6 + 0.3 * tagged

    def describe(self, source: Source) -> Synopsis:
        """The counts; raises ValueError if it is neither well-formed nor HTML."""
        if html.looks_like(source.clean[:4000]):
            return html.described(source)
        found = scan(source.clean, _leaves(source))
        if found.problem and not (found.cut or found.entities or found.tally.deep):
            raise ValueError(found.problem)
        if not found.root:
            raise ValueError("no element")
        facts = Facts(source)
        _tell(source, facts, found)
        svg = found.root.rpartition(":")[2].lower() == "svg"
        variant = "svg" if svg else "truncated" if found.cut else None
        return facts.build("xml", variant)


kind = XmlKind()


def _tell(source: Source, facts: Facts, found: Scan) -> None:
    more = "" if found.exact else ">="
    attributes = f", {count(len(found.attributes), 'attribute')}"
    facts.say(
        f"root {one_line(found.root, 80)}{attributes}; {more}{count(found.tally.elements, 'element')}, "
        f"{count(source.line_index.count, 'line')}"
    )
    if found.tally.deep:
        facts.say("nested too deeply to go on; counts up to there", rank=1)
    if found.entities:
        facts.say("declares entities, which are not expanded; counts up to there", rank=1)
    if found.cut:
        facts.say(f"cut short: {one_line(found.problem, 120)}", rank=1)
    shown = sorted(found.children.items(), key=lambda pair: -pair[1])[:30]
    facts.dense(
        "summary",
        [f"{one_line(name, 80)}: {more}{number}" for name, number in shown],
        lead="children: ",
        rank=1,
        share=0.6,
    )
    _say_alarming(facts, found)
    if found.attributes:
        listed = [f"{one_line(name, 40)}={one_line(value, 60)}" for name, value in found.attributes.items()]
        facts.dense("structure", listed, lead="attributes of the root: ", rank=6, share=0.5)
    for name in _ALARMING:
        for line, owner, told in found.alarms.get(name, [])[:3]:
            of = f" of {one_line(owner, 100)}" if owner else ""
            facts.notable(f"{name}{of}, line {source.number(line)}: {one_line(told, 200)}", rank=3)
            facts.anchor_line(f"{name}{of} {one_line(told, 50)}", line)
    paths = found.tally.paths
    deep = [path for path in paths if "/" in path]
    facts.dense(
        "structure",
        deep,
        tell=lambda path: f"{one_line(path, 80)} {more}{paths[path]}",
        lead="further down: ",
        rank=8,
        share=0.7,
        ranks=[path.count("/") for path in deep],
    )
    more_known = len(found.leaves) < _leaves(source)
    facts.dense("notable", found.leaves, tell=lambda leaf: _leaf(source, *leaf), rank=10, more=more_known)
    if found.counted:
        _say_far_alarms(source, facts, found)
    for name, line in list(found.tally.first_lines.items())[1:13]:
        facts.anchor_line(name, line)


def _say_alarming(facts: Facts, found: Scan) -> None:
    """How many elements tell of a failure, as far as they are counted by their paths."""
    times: Counter[str] = Counter()
    for path, number in found.tally.paths.items():
        if (name := bare(path.rpartition("/")[2])) in _ALARMING:
            times[name] += number
    more = "" if found.exact and not found.tally.deeper else ">="
    facts.dense("summary", [f"{name} {more}{times[name]}" for name in _ALARMING if times[name]], rank=1, share=0.2)


def _leaves(source: Source) -> int:
    """More values than there can be room for."""
    return max(16, source.budget // 40)


def _leaf(source: Source, path: str, line: int, text: str) -> str:
    return f"{source.number(line)} {one_line(path, 60)}: {one_line(text, 80)}"


def _say_far_alarms(source: Source, facts: Facts, found: Scan) -> None:
    """The first failure and error behind the part that was counted, by a search at C speed."""
    for name in ("failure", "error"):
        at = source.clean.find(f"<{name}", found.counted)
        if at >= 0:
            line = source.clean_index.line_of(at)
            facts.notable(f"{name}, line {source.number(line)}: {one_line(source.clean[at : at + 600], 200)}", rank=3)
            facts.anchor_line(name, line)
