"""Texts inside texts: output in a tool's own frame, and lines with their numbers in front.

A wrapping is taken off before the kinds look, and put back into the anchors and the summary afterwards.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from re import Match

from .lines import LineIndex
from .look import look
from .model import Anchor, Anchors, Source, Synopsis
from .patterns import Pattern

_NUMBERED_LINE = Pattern(
    r"(?: {0,8}(?P<arrow>\d{1,8})(?:→|$)|(?=[ \d]{6,9}\t) *(?P<tab>\d{1,8})\t| {0,8}(?P<bar>\d{1,8})[|│](?! -?\d))"
)
_RETURN_CODE = Pattern(
    r"\s{0,20}<returncode>(-?\d{1,10})</returncode>\s{0,20}"
    r"(?:<warning>(?P<warning>[^<]{0,3000})</warning>\s{0,20})?<(?:output_head|output)>\n?"
)
_CUT = Pattern(r"</output_head>\n<elided_chars>\n(\d{1,12}) characters elided\n</elided_chars>\n<output_tail>\n")
_NOT_LINE_ENDS = Pattern(r"[^\n]")
_VIEWED = Pattern(r"Here's the result of running `cat -n` on (\S{1,300}):\n")
_FRAME_CHARS = 4096
_LEAST_OF_FEW = 3
_FILLED = 0.25
"""Numbers with nothing behind most of them are what the tool printed, not what it put in front of lines."""


@dataclass(frozen=True, slots=True)
class Wrapping:
    """What was taken off: the text inside, its first line in the whole, what to say, and what it makes the variant."""

    inner: Source
    offset: int
    line: int
    said: tuple[str, ...]
    numbered: bool


def unwrapped(source: Source) -> Wrapping | None:
    """The text inside the frame of `source`, or None if there is no frame."""
    return _returned(source) or _viewed(source) or _numbered(source)


def _returned(source: Source) -> Wrapping | None:
    """`<returncode>0</returncode><output>...</output>`, as some shells of agents answer."""
    found = _RETURN_CODE.match(source.text[:_FRAME_CHARS])
    if not found:
        return None
    end = source.text.rfind("</output", len(source.text) - 200)
    said = "exit status " + found[1]
    if found["warning"]:
        said += "; the tool cut the output (head and tail only)"
    cut = _CUT.search(source.text, found.end())
    if cut:
        said += f": {cut[1]} characters are missing behind line {source.text.count(chr(10), 0, cut.start())}"
    wrapping = _slice(source, found.end(), end if end > found.end() else len(source.text), (said,))
    if cut:
        inner = replace(wrapping.inner, text=_CUT.sub(_blank, wrapping.inner.text))
        wrapping = replace(wrapping, inner=inner)
    return wrapping


def _blank(marks: Match[str]) -> str:
    """As many blank lines and blanks, so that all places stay."""
    return _NOT_LINE_ENDS.sub(" ", marks[0])


def _viewed(source: Source) -> Wrapping | None:
    found = _VIEWED.match(source.text[:_FRAME_CHARS])
    return _slice(source, found.end(), len(source.text), (f"file {found[1]}",)) if found else None


def _slice(source: Source, start: int, end: int, said: tuple[str, ...]) -> Wrapping:
    text = source.text[start:end]
    first = source.text.count("\n", 0, start) + 1
    numbers = range(first, first + text.count("\n") + 1)
    inner = Source(text, None, source.tool, source.budget, source.rules, numbers)
    return Wrapping(inner, start, first, said, False)


def _numbered(source: Source) -> Wrapping | None:
    """Lines as `cat -n`, `nl` and the readers of agents print them."""
    probe = source.probe
    if sum(1 for line in look(source).few if _NUMBERED_LINE.match(line)) < _LEAST_OF_FEW:
        return None
    found = [_NUMBERED_LINE.match(line) for line in probe]
    values = [int(each[each.lastgroup or 0]) for each in found if each]
    if len(values) < 3 or len(values) < 0.7 * len(probe) or not _counts_up(values):
        return None
    if sum(1 for line, each in zip(probe, found) if each and line[each.end() :].strip()) < _FILLED * len(values):
        return None
    numbers: list[int] = []

    def stripped(line: str) -> str:
        match = _NUMBERED_LINE.match(line)
        numbers.append(int(match[match.lastgroup or 0]) if match else (numbers[-1] if numbers else 0))
        return line[match.end() :] if match else line

    text = "\n".join(map(stripped, source.clean.split("\n")))
    if text.endswith("\n"):
        numbers.pop()
    budget = source.budget
    inner = Source(text, None, source.tool, budget, source.rules, tuple(numbers))
    return Wrapping(inner, 0, 1, _numbering(numbers), True)


def _counts_up(values: list[int]) -> bool:
    """Whether most numbers follow the one before, as lines do and values in a table do not."""
    steps = [after - before for before, after in itertools.pairwise(values)]
    return sum(1 for step in steps if 1 <= step <= 3) >= 0.8 * len(steps) and min(steps) >= 0


def _numbering(numbers: list[int]) -> tuple[str, ...]:
    first, last = numbers[0], numbers[-1]
    if first == 1:
        return ()
    if last - first == len(numbers) - 1 and first:
        return (f"file lines {first}-{last}: line N of the file is line N-{first - 1} here",)
    return (f"file lines {first}-{last}, not all of them; numbers below are the file's",)


def described(source: Source, wrapping: Wrapping, describe: Callable[[Source], Synopsis]) -> Synopsis:
    """The description of the text inside, with its places those of the whole."""
    cost = sum(len(line) + 3 for line in wrapping.said)
    inside = describe(replace(wrapping.inner, budget=wrapping.inner.budget - cost))
    index = source.line_index
    anchors = Anchors(len(inside.anchors), lambda place: _moved(inside.anchors[place], wrapping, index))
    kept = inside.kind, inside.variant, inside.title
    if inside.kind == "unknown":
        kept = "text", inside.variant, inside.title
    kind, variant, title = kept
    if wrapping.numbered:
        numbers = wrapping.inner.numbers or (1,)
        span = f"numbered {numbers[0]}-{numbers[-1]}"
        title = f"{title}, {span}" if title else span
        variant = "numbered" if kind != "text" or not variant else variant
    return replace(
        inside,
        kind=kind,
        variant=variant,
        title=title,
        summary=(*wrapping.said, *inside.summary),
        anchors=anchors,
        chars=len(source.text),
        lines=index.count,
    )


def _moved(anchor: Anchor, wrapping: Wrapping, index: LineIndex) -> Anchor:
    line = anchor.line + wrapping.line - 1
    if wrapping.numbered:
        start = index.start_of(line)
        return Anchor(anchor.label, start, index.end_of(line) - start, line)
    return Anchor(anchor.label, anchor.offset + wrapping.offset, anchor.length, line)
