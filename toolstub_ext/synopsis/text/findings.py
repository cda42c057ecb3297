"""What a person would look for in any output: errors and warnings with their lines, and the exit status.

The head is searched line by line; over the rest go substring searches only, which say where the first and the last
hit stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from ..facts import Facts
from ..model import Source
from ..patterns import Pattern, Words, holds
from ..wording import count, one_line

_ERROR = Pattern(
    r"\b(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC|FAILED|FAILURE)\b|(?:Error|Exception)\b(?=[:( ]|$)|\b(?:error"
    r"|fatal|panic)(?:\[\w+\])?:"
    r"|\bTraceback \(most|\b[Ss]egmentation fault|\b[Pp]ermission denied|\bcommand not found"
    r"|(?<==> )not found$|\bNo such file or directory"
    r"|(?<=: Input/output )error$|\b[Cc]onnection (?:refused|reset|timed out)\b"
    r"|\bOperation not permitted\b|\bNo space left on device\b"
    r"|\bcannot (?:find|open|access|load)\b|\b(?:[Ff]ailed|unable) to\b|\bnot ok \d|\b(?:killed|Killed|core dumped)\b"
    r"|(?<=npm )(?:ERR!|error\b)(?! A complete log)|(?:(?<=\n)|\A)error (?=[A-Z])"
)
_STEMS = (
    "error", "exception", "fail", "fatal", "critical", "severe", "panic", "traceback (most", "segmentation fault",
    "permission denied", "not found", "no such file", "cannot ", "unable to", "not ok", "killed", "core dumped",
    "connection re", "connection timed", "not permitted", "no space left", "err!",
)  # fmt: skip
_ANY_STEM = Words(_STEMS)
_CAPITAL_STEMS = {
    "error": ("Error", "ERROR"), "exception": ("Exception",), "fail": ("Fail", "FAIL"), "fatal": ("Fatal", "FATAL"),
    "critical": ("CRITICAL",), "severe": ("SEVERE",), "panic": ("PANIC",), "traceback (most": ("Traceback (most",),
    "segmentation fault": ("Segmentation fault",), "permission denied": ("Permission denied",),
    "no such file": ("No such file",), "killed": ("Killed",), "connection re": ("Connection re",),
    "connection timed": ("Connection timed",), "no space left": ("No space left",), "err!": ("ERR!",),
}  # fmt: skip
"""How the stems are written else, for a text whose places are not those of its lower case."""
_FAR_STEMS = ("rror:", "ERROR", "FAILED")
"""Searched in all of a large text; the words below only in its last part, where a run says how it ended."""
_LATE_WORDS = ("Exception", "FATAL", "CRITICAL", "panic:", "fatal:", "Traceback (most", "Segmentation fault", '"error"')
_LATE = 1 << 19
_LONGEST_WORD = 40
_EXIT = Pattern(r"(?i)\b(?:exit(?:ed)?(?: with)?(?: status| code)?|return code)[ :=]{1,3}(-?\d{1,5})\b")
_EXIT_STEMS = ("exit", "Exit", "EXIT", "return code", "Return code")
HEXADECIMAL = "0123456789abcdef"
_NONE = Pattern(r"[0nN](?<!\w[0nN])(?:(?<=0)|(?<=[nN])[oO]) (?i:errors?|failures?|failed)\b")
_MOST = 400
_ENDING = 60
_LONGEST_LINE = 600


class Finding(NamedTuple):
    """A line that says something went wrong."""

    line: int
    offset: int
    text: str


def template(line: str) -> bytes:
    """What is left of `line` without decimal and hexadecimal digits, so that repetitions fall together."""
    return line[:200].strip().encode("utf-8", "surrogatepass").translate(None, HEXADECIMAL.encode())


def findings(source: Source) -> list[Finding]:
    """The lines of the head that tell of an error, and the first and last of each kind behind it, in order."""
    text = source.clean
    lines = [
        (start, line)
        for start, end in _lines(source)
        if not _tells_of_none(line := text[start : min(end, start + _LONGEST_LINE)])
    ][:_MOST]
    numbers = source.clean_index.lines_of([start for start, _ in lines])
    return [Finding(number, start, line) for number, (start, line) in zip(numbers, lines)]


def _tells_of_none(line: str) -> bool:
    """Whether a line says in its beginning that there were no errors."""
    if not ("o " in line or "0 " in line or "O " in line):
        return False
    return _NONE.search(line, 0, _LONGEST_LINE // 2) is not None


def _lines(source: Source) -> Iterator[tuple[int, int]]:
    """Where these lines begin and end."""
    yield from _lines_of(source.head)
    if not source.partial:
        return
    text = source.clean
    start = text.find("\n", len(source.head) - 1)  # only lines that begin behind the head are told
    if start < 0:
        return
    late = max(start, len(text) - _LATE)
    hits: set[int] = set()
    for words, begin in ((_FAR_STEMS, start), (_LATE_WORDS, late)):
        for word in words:
            if (last := text.rfind(word, begin)) >= 0:
                hits |= {hit for hit in (text.find(word, begin), last) if _tells(text, hit)}
    yield from {(text.rfind("\n", 0, hit) + 1, _line_end(text, hit)): None for hit in sorted(hits)}


def _tells(text: str, hit: int) -> bool:
    """Whether the word at a place tells of an error there, and is no part of the name of a file."""
    start, end = _word_start(text, hit), min(_line_end(text, hit), hit + _LONGEST_WORD)
    return text.startswith('"error"', hit) or _ERROR.search(text, start, end) is not None


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _lines_of(head: str) -> list[tuple[int, int]]:
    """The lines of the head that speak of errors; looked at closely only around the stems of such words."""
    letters = head.lower() if head.isascii() else head.encode("ascii", "ignore").decode("ascii").lower()
    stems = _ANY_STEM.within(letters)
    text = letters
    if len(letters) != len(head):
        text, stems = head, [form for stem in stems for form in (stem, *_CAPITAL_STEMS.get(stem, ()))]
    places: dict[int, int] = {}
    match = _ERROR.match
    for stem in stems:
        at = text.find(stem)
        end = -1
        while at >= 0 and len(places) < _MOST * 4:
            if at >= end:
                start, end = head.rfind("\n", 0, at) + 1, _line_end(head, at)
            if start not in places and (match(head, at, end) or match(head, _word_start(head, at), end)):
                places[start] = end
            at = text.find(stem, end if start in places else at + 1)
    return sorted(places.items())


def _word_start(text: str, at: int) -> int:
    """Where the word that stands at a place begins."""
    first = max(0, at - _LONGEST_WORD)
    while at > first and (text[at - 1].isalnum() or text[at - 1] == "_"):
        at -= 1
    return at


def say_findings(
    source: Source, facts: Facts, most: int = 5, rank: int = 2, known: frozenset[int] = frozenset()
) -> int:
    """Says the distinct error lines but those `known`, each with its count, and returns how many lines there are."""
    found = [finding for finding in findings(source) if finding.line not in known]
    groups: dict[bytes, list[Finding]] = {}
    for finding in found:
        groups.setdefault(template(finding.text), []).append(finding)
    exact = not source.partial and len(found) + len(known) < _MOST
    at_least = "" if exact else "at least "
    shown = list(groups.values())[:most]
    if len(groups) > most:
        shown[-1] = list(groups.values())[-1]
    for same in shown:
        first = same[0]
        last = f", last {source.number(same[-1].line)}" if exact else ""
        times = f" ({at_least}{len(same)} alike{last})" if len(same) > 1 else ""
        facts.notable(partial(_told, source, first, times), rank=rank)
        facts.anchor(first.text, first.offset, len(first.text), first.line)
    if len(groups) > most:
        others = _endings(source, found)
        if others:
            total = max(len(found), sum(number for number, _ in others))
            told = [f"{number} {one_line(ending, _ENDING)}" for number, ending in others]
            facts.dense("notable", told, lead=f"{at_least}{total} error lines, by how they end: ", rank=rank + 1)
        else:
            facts.notable(f"{at_least}{count(len(groups) - most, 'other kind')} of error lines", rank=rank + 1)
    status = exit_status(source)
    if status:
        facts.say(status, rank=rank)
    return len(found)


def _told(source: Source, finding: Finding, times: str) -> str:
    """`line 12: ValueError: no such desk (3 alike, last 80)`."""
    return f"line {source.number(finding.line)}: {one_line(finding.text, 200)}{times}"


def _endings(source: Source, found: list[Finding]) -> list[tuple[int, str]]:
    """372 times `Permission denied`: what stands behind the last colon, if that is the same for most of the lines.

    How many end so is counted in the whole text.
    """
    endings = Counter([finding.text.rpartition(": ")[2].strip() for finding in found if ": " in finding.text])
    if max(endings.values(), default=0) < 2:
        return []
    repeated = [(ending, number) for ending, number in endings.most_common(6) if number > 1 and len(ending) < _ENDING]
    if sum(number for _, number in repeated) <= len(found) // 2:
        return []
    text = source.clean
    return [
        (max(number, text.count(f": {ending}\n") + text.endswith(f": {ending}")), ending) for ending, number in repeated
    ]


def exit_status(source: Source) -> str:
    """The exit status that the last lines speak of, if any."""
    tail = source.clean[-1500:]
    if not holds(tail, *_EXIT_STEMS):
        return ""
    found = list(_EXIT.finditer(tail))
    return f"exit status {found[-1][1]}" if found else ""
