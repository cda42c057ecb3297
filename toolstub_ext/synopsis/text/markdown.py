"""Markdown: the outline of its headings with lines, and what stands out in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile
from operator import itemgetter

from ..facts import Facts
from ..model import Source, once
from ..patterns import Pattern, holds
from ..wording import count, one_line
from .findings import say_findings
from .prose import capital_headers, told_words, wide_script
from .shape import Shape

_HEADING = Pattern(r"(?P<marks>#{1,6})[ \t]+(?P<text>\S.{0,300})")
_UNDERLINE = Pattern(r"(?:={3,}|-{3,})[ \t]*$")
_FENCE = Pattern(r"[ \t]{0,12}(?P<fence>```+|~~~+)(?P<language>[\w+-]{0,30})")
_SIGN = Pattern(r"#{1,6}[ \t]+\S|\s{0,8}(?:[-*+]|\d+\.)[ \t]+\S|>[ \t]|\|.{1,300}\|[ \t]*$|!\[|\s{0,8}```|---$")
_SIGNS_INSIDE = ("](", "`", "**", "<", "[!")
_INCLUDED = Pattern(
    r"\s{0,8}(?:\[!|<!--|<(?:div|p|img|a|details|summary|br|h\d|center|picture|table|video|sub)\b)", re.IGNORECASE
)
_OPENINGS = frozenset("#=-")
_SCORED = 400
_MARKED_CHARS = 20_000
_DEEPEST = 6
_LONGEST = 301
_BLANKS = (" ", "\t")
_MOST = 0.9
_TITLED = 0.94
"""Of a document that begins with a heading and is sure to be one; nothing else need be asked."""
_MOST_MARKED = 8
_ENOUGH = 3
"""With so many lines that begin with a `#`, lines of capitals are none."""
_WORDS = 4
_SIGNS = 20
_RULE = frozenset("|-: \t")
_SHELL_COMMENT = Pattern(r"#!|# ?(?:-\*-|pylint|noqa|type:|fmt:)")


def unfenced(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The numbered lines that are not inside a fenced block of code."""
    fence = ""
    for number, line in enumerate(lines, 1):
        mark = _FENCE.match(line) if _may_fence(line) else None
        if mark and _turns(mark, fence):
            fence = "" if fence else mark["fence"]
        elif not fence:
            yield number, line


def _turns(mark: re.Match[str], fence: str) -> bool:
    """Whether a mark opens a block, or closes the one that `fence` opened."""
    return not fence or (mark["fence"].startswith(fence) and not mark["language"])


def _may_fence(text: str) -> bool:
    """Whether the marks of a fence are in it; most texts lack the very letters, which are sooner looked for."""
    return ("`" in text and holds(text, "```")) or ("~" in text and holds(text, "~~~"))


def _blocks(lines: list[str]) -> int:
    """How many fenced blocks of code there are."""
    fence = ""
    found = 0
    for line in lines:
        mark = _FENCE.match(line) if _may_fence(line) else None
        if mark and _turns(mark, fence):
            found += not fence
            fence = "" if fence else mark["fence"]
    return found


def headings(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Line, level and text of the headings that are not inside a fence."""
    return _headings(lines, _openings(lines, fenced=any(map(_may_fence, lines))))


def _headings(lines: list[str], openings: list[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    for number, line in openings:
        if line[0] == "#":
            text = line.lstrip("#")
            level = len(line) - len(text)
            if level <= _DEEPEST and text[:1] in _BLANKS and (text := text.strip(" \t")):
                yield number, level, text[:_LONGEST].rstrip("# ")
        elif number > 1 and _UNDERLINE.match(line) and _names_section(lines, number - 2, line):
            yield number - 1, 1 if line[0] == "=" else 2, lines[number - 2].strip()


def _openings(lines: list[str], *, fenced: bool) -> list[tuple[int, str]]:
    """The numbered lines outside of fences that begin like a heading or what underlines one."""
    numbered = unfenced(lines) if fenced else enumerate(lines, 1)
    return [(number, line) for number, line in numbered if line and line[0] in _OPENINGS]


@dataclass(frozen=True, slots=True)
class _Outline:
    """The headings of the head, the lines outside of fences that begin with a `#`, and whether there are fences."""

    headings: list[tuple[int, int, str]]
    hashed: list[int]
    fenced: bool


@once
def _outlined(source: Source) -> _Outline:
    """The headings of a source, for scoring and for telling."""
    fenced = _may_fence(source.head)
    openings = _openings(source.lines, fenced=fenced)
    hashed = [number for number, line in openings if line[0] == "#"]
    return _Outline(list(_headings(source.lines, openings)), hashed, fenced)


def _names_section(lines: list[str], above: int, line: str) -> bool:
    text = lines[above].strip()
    alone = above == 0 or lines[above - 1].strip() in ("", line.strip())
    return (
        bool(text)
        and alone
        and len(text) < 120
        and text[0] not in "|-=+#>"
        and len(line.strip()) >= min(len(text) // 2, 20)
    )


def _marked(head: str) -> bool:
    """Whether there can be a heading."""
    return head.startswith("#") or holds(head, "\n#", "\n===", "\n---")


def may_be_titled(source: Source) -> bool:
    """Whether the first line may be a heading."""
    text = source.clean
    return text.startswith("#") or text.startswith(("===", "---"), text.find("\n", 0, _LONGEST) + 1)


@once
def _score(source: Source) -> float:
    probe = source.probe
    if len(probe) < 2 or source.head[:2] == "#!" or not _marked(source.head[:_MARKED_CHARS]):
        return 0.0
    outlined = _outlined(source)
    found = len(list(islice(takewhile(lambda heading: heading[0] <= _SCORED, outlined.headings), 6)))
    if not found:
        return 0.0
    beside = sum([below == above + 1 <= _SCORED for above, below in pairwise(outlined.hashed)])
    if beside > found / 2:
        return 0.0
    signs = _signs(probe) / len(probe)
    hashed = [line for line in probe if line[0] == "#"]
    marked = sum(1 for line in hashed[:_MOST_MARKED] if _HEADING.match(line) and not _SHELL_COMMENT.match(line))
    spoken = sum(map(_spoken, probe)) / len(probe)
    commented = sum(1 for line in hashed if line[1:2] == " " and line[2:3].islower()) / len(probe)
    score = 0.3 + 0.35 * signs + 0.05 * found + 0.03 * min(marked, 4) + 0.2 * spoken - 0.8 * commented
    telling = signs >= 0.15 and (found >= 2 or signs > 0.5) and _in_fence_or_link(source)
    if telling and score > _MOST and outlined.headings[0][0] == 1:
        return _TITLED
    return min(_MOST, score) if telling else min(0.55, score) if found >= 2 and signs > 0.25 else 0.0


def _signs(lines: list[str]) -> int:
    """How many lines begin like a part of a document, or have a link, emphasis or code in them."""
    others = [line for line in lines if line[0].isalpha() or not _SIGN.match(line)]
    text = "\n".join(others)
    may_be_signed = any(mark[0] in text and mark in text for mark in _SIGNS_INSIDE)
    return len(lines) - len(others) + (sum(map(_signed, others)) if may_be_signed else 0)


def _signed(line: str) -> bool:
    """Whether a line has a link, emphasis or code in it, or begins with markup."""
    if "](" in line or ("`" in line and line.count("`") > 1):
        return True
    return line.count("**") > 1 or _INCLUDED.match(line) is not None


def _spoken(line: str) -> bool:
    """Whether a line is long enough for a sentence, in a script without blanks too, and is no statement."""
    return ((len(line) > _SIGNS and not line.isascii()) or line.count(" ") >= _WORDS) and line[-1] not in ";{}("


def _in_fence_or_link(source: Source) -> bool:
    """Whether there is anything that a shell script or a configuration file with comments has not."""
    head = source.head[:_MARKED_CHARS]
    return holds(head, "\n## ", "\n- ", "\n* ", "\n1. ", "](", "```", "**")


def outline(source: Source) -> list[tuple[int, int, str]]:
    """The headings, and lines of capitals that serve as such."""
    marked = _outlined(source).headings
    if len(_outlined(source).hashed) >= _ENOUGH:
        return marked
    known = {text for _, _, text in marked}
    top = min((level for _, level, _ in marked), default=1)
    capitals = [(line, top, text) for text, line in capital_headers(source.lines) if text not in known]
    return sorted(marked + capitals) if capitals else marked


def _folded(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The outline with a heading that repeats only once: how often it does, and where last."""
    texts = [text for _, _, text in found]
    if len(set(texts)) == len(texts):
        return found
    times = Counter(texts)
    last = {text: line for line, _, text in found}
    first = {text: (line, level) for line, level, text in reversed(found)}
    return sorted(
        (line, level, text + (f" (×{times[text]}, last {last[text]})" if times[text] > 1 else ""))
        for text, (line, level) in first.items()
    )


def _opening(lines: Sequence[str]) -> str:
    """The first line of some length that is no heading."""
    prose = (line for line in lines[:60] if len(line.strip()) > 30)
    return next((line for line in prose if not _HEADING.match(line) and not _INCLUDED.match(line)), "")


def _telling(source: Source, outlined: set[int]) -> list[tuple[int, str]]:
    """The lines with code, emphasis or links in them."""
    marks = [mark for mark in ("`", "**", "://") if mark[0] in source.head and holds(source.head, mark)]
    return [
        (number, line)
        for number, line in enumerate(source.lines if marks else (), 1)
        if any(mark in line for mark in marks) and _tells(line) and number not in outlined
    ]


def _tells(line: str) -> bool:
    return "`" in line.strip("`") or "**" in line or "://" in line


def _tell(source: Source, facts: Facts) -> str:
    found = outline(source)
    fences = _blocks(source.lines) if _outlined(source).fenced else 0
    links = source.head.count("](") if "]" in source.head else 0
    barred = source.lines if "|" in source.head else []
    tables = sum(1 for line in barred if line[:1] == "|" and "-" in line and _RULE.issuperset(line))
    parts = [count(len(found), "heading"), count(fences, "code block"), count(links, "link"), count(tables, "table")]
    told = ", ".join(part for part in parts if not part.startswith("0 "))
    size = f"Markdown, {count(source.line_index.count, 'line')}"
    if not wide_script(source.clean):
        size += f", {told_words(source)}"
    facts.say(size + (f": {told}{source.part}" if told else ""))
    if opening := _opening(source.lines):
        facts.say("opens with: " + one_line(opening, 200), rank=12)
    top = min((level for _, level, _ in found), default=1)
    folded = _folded(found)
    facts.dense(
        "structure",
        folded,
        of_head=True,
        ranks=[level for _, level, _ in folded],
        rank=5,
        share=0.75,
        tell=lambda each: f"{source.number(each[0])} {'#' * (each[1] - top + 1)} {one_line(each[2], 90)}",
    )
    for number, _, heading in sorted(found, key=itemgetter(1))[:20]:
        facts.anchor_line(heading, number)
    say_findings(source, facts, most=2, rank=14)
    facts.dense(
        "notable",
        lambda: _telling(source, {number for number, _, _ in found}),
        lead="with code, emphasis or links: ",
        rank=16,
        of_head=True,
        tell=lambda each: f"{source.number(each[0])} {one_line(each[1], 140)}",
    )
    last = next((line for line in reversed(source.clean[-2000:].split("\n")) if line.strip()), "")
    facts.ends(one_line(last, 160), rank=15)
    return ""


shape = Shape("markdown", _score, _tell)
