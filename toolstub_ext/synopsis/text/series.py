"""Lines of one pattern with figures in it, as a training run or a monitor prints them.

    step   812  loss 1.402  lr 3e-4  41044 tokens/s

What a reader wants is the pattern once, where each figure begins and ends, and the lines that do not follow it.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..facts import Facts
from ..look import look, sample
from ..model import Source, once
from ..wording import clip, count, one_line

_FIGURE = re.compile(
    r"[-+0-9](?:(?<![\w.:/-][-+0-9])|(?<=[A-Za-z_)\]][:=][-+0-9]))(?:(?<=[0-9])|(?=[0-9]))\d{0,18}(?:,\d{3})*(?:\.\d{1,18})?(?:[eE][-+]?\d{1,3})?"
    r"(?=[A-Za-zµ%]{0,6}(?:/[a-z]{1,6})?(?:[\s,;:)\]}|/]|$))"
)
_LABELLED = re.compile(r"[A-Za-z_][\w/.%-]{0,40}\)?(?: ?[=:] ?| )#|# ?[A-Za-z%]")
_LABEL = re.compile(r"([A-Za-z_][\w/.%-]{0,40})\)?(?: ?[=:] ?| )[(\[]?\Z")
_UNIT = re.compile(r" ?([A-Za-z%µ][\w/%]{0,20})")
_WORD = re.compile(r"[A-Za-z_]{2}")
_VALUE = r"([-+0-9][0-9,]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?)"
_OF_FIGURES = b"0123456789+-.,eE \t"
_END = "\n"
_CHUNK = 1 << 16
_DOMINANT = 0.6
_MOST_ODD = 400
_MOST_FIELDS = 12
_SAMPLED = 40


@dataclass(frozen=True, slots=True)
class Odd:
    """A line that does not follow the pattern."""

    line: int
    offset: int
    text: str


def pattern(line: str) -> str:
    """The line with a `#` for each figure and single blanks."""
    return _FIGURE.sub("#", " ".join(line[:300].split()))


@once
def dominant(source: Source) -> str:
    """The pattern that most lines of the probe follow, if it says what its figures are; else nothing."""
    lines = sample(look(source).lines, _SAMPLED)
    if len(lines) < 5:
        return ""
    few = lines[:: max(1, len(lines) // 6)]
    if _most_alike(few) < 2 or _most_alike(lines) < _DOMINANT * len(lines):
        return ""
    first = Counter(map(pattern, few)).most_common(1)[0]
    if first[1] < 2:
        return ""
    (form, times), *_ = Counter(map(pattern, lines)).most_common(1)
    labels = len(_LABELLED.findall(form))
    told = labels >= 2 or (labels == 1 and form.count("#") > 1) or (labels == 1 and len(_WORD.findall(form)) > 1)
    return form if times >= _DOMINANT * len(lines) and told else ""


def _most_alike(lines: list[str]) -> int:
    """How many lines at most can be of one pattern: those alike without anything that figures are made of."""
    return max(Counter(map(_remains, lines)).values())


def _remains(line: str) -> bytes:
    return line[:300].encode("utf-8", "surrogatepass").translate(None, _OF_FIGURES)


def tell(source: Source, facts: Facts, form: str) -> frozenset[int] | None:
    """Says pattern, figures and odd lines; returns the numbers of the lines it has shown, None if no line follows."""
    lines = source.lines
    follows = _follower(form)
    rows = follows.findall(source.head)
    if not rows:
        return None
    ends = rows
    seen = ""
    if source.partial:
        tail = source.clean[source.clean.find("\n", max(len(source.head), len(source.clean) - _CHUNK)) + 1 :]
        ends = rows + follows.findall(tail)
        seen = f" of the {len(lines) + tail.removesuffix(_END).count(_END) + 1} lines at both ends"
    whole = f"the first {count(len(lines), 'line')}" if source.partial else count(len(lines), "line")
    many = f"all of {whole}" if len(rows) == len(lines) and source.partial else f"{len(rows)} of {whole}"
    facts.say(f"{many} follow the pattern: {one_line(form, 200)}", rank=1)
    columns = zip(*ends) if form.count("#") > 1 else [ends]
    items = [_told(name, values) for name, values in zip(_names(form), columns)]
    facts.dense("structure", items[:_MOST_FIELDS], lead=f"first → last (lowest..highest{seen}): ", rank=3)
    complete = len(rows) == len(lines)
    return _say_odd(source, facts, list(_odd(source, form, follows, complete=complete)))


def _follower(form: str) -> re.Pattern[str]:
    """Finds the lines of a pattern, each figure a group."""
    escaped = re.escape(form).replace(r"\ ", r"[ \t]+").replace(r"\#", _VALUE)
    return re.compile(rf"^[ \t]*{escaped}[ \t]*$", re.MULTILINE)


def _names(form: str) -> list[str]:
    """What each figure is called: the word in front of it, else the one behind it."""
    parts = form.split("#")
    names: list[str] = []
    for before, after in itertools.pairwise(parts):
        found = _LABEL.search(before[-60:]) or _UNIT.match(after)
        names.append(found[1] if found else "#")
    return names


def _told(name: str, values: Sequence[str]) -> str:
    first, last = values[0], values[-1]
    distinct = dict.fromkeys(values)
    if len(distinct) == 1:
        return f"{name} always {clip(first, 20)}"
    number = _number if any("," in value for value in distinct) else float
    low, high = min(distinct, key=number), max(distinct, key=number)
    spanned = {low, high} == {first, last}
    return f"{name} {first} → {last}" + ("" if spanned else f" ({low}..{high})")


def _number(figure: str) -> float:
    return float(figure.replace(",", ""))


def _odd(source: Source, form: str, follows: re.Pattern[str], *, complete: bool) -> Iterator[Odd]:
    """The odd lines of the head, and behind it those that lack a word of the pattern; exact there, cheap here."""
    offset = 0
    found = 0
    for number, line in enumerate(() if complete else source.lines, 1):
        if line and not follows.match(line) and not line.isspace():
            yield Odd(number, offset, line)
            found += 1
        offset += len(line) + 1
        if found >= _MOST_ODD:
            return
    offset = len(source.head)
    if not source.partial:
        return
    word = max((part.strip() for part in form.split("#")), key=len)
    if form.count(word) != 1 or " " in word:
        word = next((each for each in sorted(form.split(), key=len, reverse=True) if form.count(each) == 1), "")
    if len(word.strip("#")) < 2 or "#" in word:
        return
    yield from _lacking(source, word, offset, _MOST_ODD - found)


def _lacking(source: Source, word: str, start: int, most: int) -> Iterator[Odd]:
    text = source.clean
    while start < len(text) and most > 0:
        end = text.find("\n", start + _CHUNK) + 1 or len(text)
        if text.count(word, start, end) != text.count("\n", start, end):
            at = start
            first = source.clean_index.line_of(start)
            for number, line in enumerate(text[start:end].removesuffix("\n").split("\n"), first):
                if word not in line and line and not line.isspace() and most > 0:
                    yield Odd(number, at, line)
                    most -= 1
                at += len(line) + 1
        start = end


def _say_odd(source: Source, facts: Facts, odd: list[Odd]) -> frozenset[int]:
    groups: dict[bytes, list[Odd]] = {}
    for each in odd:
        groups.setdefault(_remains(each.text), []).append(each)
    exact = not source.partial and len(odd) < _MOST_ODD
    ordered = sorted(groups.values(), key=lambda same: (len(same), same[0].line))
    for same in sorted(ordered[:6], key=lambda same: same[0].line):
        first, last = same[0], same[-1]
        alike = f"{len(same)} alike" if exact else f"at least {len(same)} alike"
        if exact and last.text == first.text:
            alike += f", last {source.number(last.line)}"
        elif exact:
            alike += f"; last, line {source.number(last.line)}: {one_line(last.text, 120)}"
        alike = f" ({alike})" if len(same) > 1 else ""
        facts.notable(f"line {source.number(first.line)}: {one_line(first.text, 200)}{alike}", rank=2)
        facts.anchor(first.text, first.offset, len(first.text), first.line)
    return frozenset(each.line for each in odd)
