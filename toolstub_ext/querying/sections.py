"""A section of a Markdown text, by its heading: down to the next heading of its level or above."""

from __future__ import annotations

import difflib
import re
from functools import partial
from itertools import islice

from ..phrases import counted, shown
from ..store.slices import parse_lines
from ..synopsis.text.markdown import headings, outline
from .answer import Answer, Listing
from .subject import Subject

_LIST = re.compile(r"\*\s*([\d:\-\s]*)")
_MARKS = re.compile(r"(#{1,6})\s+")
_PREFIX = re.compile(r"(?:heading|section)\s*:?\s+(?=\S)", re.IGNORECASE)

_MOST = 100_000

Heading = tuple[int, int, str]


def find_sections(subject: Subject) -> list[Heading]:
    """Line, level and text of the headings, at most 100,000; the lines of capitals too that the stub names as such."""
    found = list(islice(headings(subject.source.clean.removesuffix("\n").split("\n")), _MOST))
    if subject.synopsis.variant != "markdown":
        return found
    marked = {line for line, _, _ in found}
    return sorted([*found, *(each for each in outline(subject.source) if each[0] not in marked)])


def section(subject: Subject, found: list[Heading], expression: str) -> Answer:
    """The section under the heading, or a listing. Raises ValueError, in one line, if there is none."""
    listing = _LIST.fullmatch(expression)
    if listing is not None:
        return _list(subject, found, found, listing[1].strip(), "")
    wanted = _PREFIX.sub("", expression, count=1).strip().strip("`'\"")
    marks = _MARKS.match(wanted)
    level = 0 if marks is None else len(marks[1])
    name = _plain(wanted[marks.end():] if marks else wanted)
    matching = _matching(found, name)
    exact = [each for each in matching if each[1] == level]
    matching = exact or matching
    if len(matching) == 1:
        (line, _, text), = matching
        return subject.passage(f"section {shown(text)}", line, _ends(subject, found)[line])
    if matching:
        return _list(subject, found, matching, "", f" match {shown(wanted)}")
    near = difflib.get_close_matches(name, [_plain(text) for _, _, text in found], n=2)
    hint = f"did you mean {' or '.join(map(shown, near))}? " if near else ""
    raise ValueError(f"{subject.ref} (Markdown) has no heading {shown(wanted)}; {hint}* lists them all")


def _matching(found: list[Heading], name: str) -> list[Heading]:
    """The headings of that text; else those that hold it."""
    same = [each for each in found if _plain(each[2]) == name]
    return same or [each for each in found if name and name in _plain(each[2])]


def _list(subject: Subject, found: list[Heading], chosen: list[Heading], lines: str, said: str) -> Listing:
    first, last = parse_lines(lines.replace("-", ":")) if lines else (1, None)
    chosen = [each for each in chosen if first <= subject.line(each[0]) and (
        last is None or subject.line(each[0]) <= last)]
    ends = _ends(subject, found)
    spans = [(subject.line(line), subject.line(ends[line])) for line, _, _ in chosen]
    onward = 'read one with toolstub_read lines="A:B"' if chosen else "* lists them all"
    return Listing(
        subject.ref, f'Markdown, {counted(len(chosen), "heading")}{said}; {onward}',
        tuple(f"{start}-{end} {'#' * level} {text}" for (start, end), (_, level, text) in zip(spans, chosen)),
        [{"heading": text, "level": level, "first_line": start, "last_line": end}
         for (start, end), (_, level, text) in zip(spans, chosen)],
        partial(_onward, [start for start, _ in spans], last) if not said else lambda _: "more of the heading")


def _onward(starts: list[int], last: int | None, count: int) -> str:
    return f'expression "* {starts[count]}:{"" if last is None else last}"'


def _ends(subject: Subject, found: list[Heading]) -> dict[int, int]:
    """The last line of each section, by the line of its heading."""
    ends = {}
    open_sections: list[Heading] = []
    for heading in found:
        while open_sections and open_sections[-1][1] >= heading[1]:
            ends[open_sections.pop()[0]] = heading[0] - 1
        open_sections.append(heading)
    return ends | {line: subject.source.clean_index.count for line, _, _ in open_sections}


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[`*_]", "", text).lower().split())
