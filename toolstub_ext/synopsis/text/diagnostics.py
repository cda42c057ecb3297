"""What compilers, checkers of types and linters find: how much by which rule, in which files, and each kind once.

desk.c:12:5: error: unused variable 'late' [-Wunused-variable]      desk.ts(3,42): error TS2322: Type 'late' is not ...
error[E0308]: mismatched types                                      In desk.sh line 20:
 --> desk.rs:3:65                                                     ^-- SC2006 (style): Use $(...) notation
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from re import Match

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern, holds
from ..wording import count, one_line
from .grep import shared_prefix
from .shape import Shape

_LEVEL = r"(?P<level>(?:fatal |internal )?[Ee]rror|[Ww]arning|note|info|style|hint)"
_CLOCK = r"[\w,/+ \[-]{0,30}(?<!\d)\d\d:\d\d:\d\d(?!\d)"
_ONE = Pattern(
    r"(?!" + _CLOCK + r")"
    r"(?P<path>[^\s:()][^:()\n]{0,300}?)(?::(?P<line>\d{1,7})(?::\d{1,7})?(?::| -)|\((?P<at>\d{1,7})(?:,\d{1,7})?\):) "
    r"(?:" + _LEVEL + r"(?:\[(?P<named>[\w:-]{1,60})\])?:? ?(?P<numbered>[A-Z]{1,6}\d{1,5}\b)?"
    r"|(?P<code>[A-Z]{1,6}\d{3,5}))(?::? |: )(?:\[\*\] )?(?P<text>\S.*)"
)
"""A finding and its place in one line, which is no time of day."""
_HEAD = Pattern(
    r"(?:" + _LEVEL + r"(?:\[(?P<named>[\w:-]{1,60})\])?: |(?P<code>[A-Z]{1,6}\d{3,5})(?: \[\*\])? )"
    r"(?P<text>\S.*)"
)
_ARROW = Pattern(r"\s{0,9}--> (?P<path>.{1,300}?):(?P<line>\d{1,7})(?::\d{1,7})?$")
"""A finding, and its place in the next line."""
_ITEM = Pattern(r"\s{1,9}(?P<line>\d{1,7}):\d{1,7}\s{1,9}" + _LEVEL + r"\s{1,9}(?P<text>\S.*)")
_UNDER = Pattern(r"[ ^-]{1,300} (?P<code>SC\d{4}) \((?P<level>\w{4,8})\): (?P<text>.+)")
_PLACE = Pattern(r"In (?P<path>\S{1,300}) line (?P<line>\d{1,7}):$")
"""Findings below the name of their file, or below what they find."""
_RULE = Pattern(
    r"(?<!\s)\s++(?:\[(?P<option>-?[\w/.=+-]{2,60})\]|\((?P<name>[\w/@-]{3,60})\)|(?<=\s\s)(?P<column>[\w/@-]{3,60}))$"
)
_RULE_CHARS = 100
"""A rule behind what is said: in brackets, or in a column of its own."""
_PLACED = ((":", Pattern(r":\d{1,7}(?:[:\s]|$)")), ("(", Pattern(r"\(\d{1,7}(?:,\d{1,7})?\):")))
_PLACED_ABOVE = Pattern(r"\nIn \S{1,300} line \d")
"""How the place of a finding ends, each with what is sooner looked for, or is told; hardly a source has anything like
it in its beginning."""
_MARKS = ("--> ", "\nIn ", " error ", " warning ", ": error", ": warning")
_START = 16
"""In so many lines there is one of the marks, where findings take several lines each."""
_LEAST = 3
_MOST_OF_LINES = 0.5
_MANY = 0.15
_SOME = 0.04
_ERRORS = ("error", "fatal error", "internal error")
_MOST_SHOWN = 12
_FIRST_SHOWN = 3
_STOPPED = Pattern(r"make(?:\[\d{1,4}\])?: \*\*\* \[")
_ENDS = Pattern(r"[A-Za-z✖].*[A-Za-z]{3}")


@dataclass(frozen=True, slots=True)
class _Finding:
    """What was found: its line here, the file and the line in it, how bad it is, the rule, and what it says."""

    number: int
    path: str
    line: str
    level: str
    rule: str
    text: str


def _findings(lines: list[str]) -> Iterator[_Finding]:
    """All there are; the line of one that takes several is that which says what is wrong."""
    path = place = ""
    for number, line in enumerate(lines, 1):
        first = line[:1]
        if one := _ONE.match(line):
            yield _finding(number, one["path"], one["line"] or one["at"], one)
        elif first == " " and path and ((under := _UNDER.match(line)) or (under := _ITEM.match(line))):
            yield _finding(number, path, under.groupdict().get("line") or place, under)
        elif first == "I" and (named := _PLACE.match(line)):
            path, place = named["path"], named["line"]
        elif (head := _HEAD.match(line)) and number < len(lines) and (arrow := _ARROW.match(lines[number])):
            yield _finding(number, arrow["path"], arrow["line"], head)
        elif first.strip() and number < len(lines) and _ITEM.match(lines[number]):
            path = line.strip()


def _finding(number: int, path: str, line: str, found: Match[str]) -> _Finding:
    said = found.groupdict()
    text = said["text"]
    rule = said.get("named") or said.get("numbered") or said.get("code") or ""
    if not rule and (last := _RULE.search(text, max(0, len(text) - _RULE_CHARS))):
        text, rule = text[: last.start()], last["option"] or last["name"] or last["column"]
    return _Finding(number, path, line, (said.get("level") or "").lower(), rule, text)


def _score(source: Source) -> float:
    seen = look(source)
    lines = seen.lines
    text = seen.text
    placed = any(opening in text and ending.search(text) for opening, ending in _PLACED)
    if not placed and not (seen.begins("In") and _PLACED_ABOVE.search(text)):
        return 0.0
    if not any(map(_ONE.match, seen.few)):
        start = "\n".join(["", *lines[:_START]])
        if not holds(start, *_MARKS):
            return 0.0
    found = sum(1 for _ in _findings(lines))
    if found < _LEAST or found < _SOME * len(lines):
        return 0.0
    return 0.97 if found >= _MOST_OF_LINES * len(lines) else 0.955 if found >= _MANY * len(lines) else 0.91


def _tell(source: Source, facts: Facts) -> str:
    found = list(_findings(source.lines))
    files = Counter(each.path for each in found)
    levels = Counter(each.level for each in found if each.level)
    told = ", ".join(count(number, level) for level, number in levels.most_common(4))
    prefix = shared_prefix(list(files))
    where = f" under {one_line(prefix, 100)}" if prefix else ""
    size = f"{count(len(found), 'finding')} in {count(len(files), 'file')}{where}{source.part}"
    facts.say(size + (f": {told}" if told else ""))
    last = next((line for line in reversed(source.clean[-2000:].split("\n")) if _ENDS.match(line)), "")
    if last and not _ONE.match(last):
        facts.say("ends: " + one_line(last, 160), rank=2)
    ordered = _tell_rules(source, facts, found)
    firsts = _firsts(found, _path)
    facts.dense(
        "structure",
        [path for path, _ in files.most_common()],
        rank=4,
        share=0.6,
        lead="by file: ",
        tell=lambda path: (
            f"{one_line(path[len(prefix) :], 80)} {files[path]} (from {source.number(firsts[path].number)})"
        ),
    )
    for place, each in enumerate(ordered[:_MOST_SHOWN]):
        line = source.lines[each.number - 1]
        where = "" if each.path in line else f" ({one_line(each.path, 80)}:{each.line})"
        rank = 2 if each.level in _ERRORS and place < _FIRST_SHOWN else 6
        facts.notable(f"line {source.number(each.number)}: {one_line(line, 200)}{where}", rank=rank)
        facts.anchor_line(each.text, each.number)
    for number, line in enumerate(source.lines, 1):
        if line.startswith("make") and _STOPPED.match(line):
            facts.notable(f"line {source.number(number)}: {one_line(line, 160)}", rank=3)
    return "log, diagnostics"


def _tell_rules(source: Source, facts: Facts, found: list[_Finding]) -> list[_Finding]:
    """How often each rule is broken; the first finding of each, errors before all else and the commonest first."""
    rules = Counter(map(_rule, found))
    firsts = _firsts(found, _rule)
    ordered = sorted(rules, key=lambda rule: (firsts[rule].level not in _ERRORS, -rules[rule]))
    facts.dense(
        "structure",
        ordered,
        rank=3,
        share=0.6,
        lead="by rule: ",
        tell=lambda rule: (
            f"{one_line(rule, 60)} {rules[rule]}"
            + (f" {one_line(firsts[rule].text, 60)}" if firsts[rule].rule else "")
            + f" (from {source.number(firsts[rule].number)})"
        ),
    )
    return [firsts[rule] for rule in ordered]


def _rule(finding: _Finding) -> str:
    return finding.rule or finding.text


def _path(finding: _Finding) -> str:
    return finding.path


def _firsts(found: list[_Finding], key: Callable[[_Finding], str]) -> dict[str, _Finding]:
    """The first finding of each rule, or in each file."""
    return {key(each): each for each in reversed(found)}


shape = Shape("log", _score, _tell, early=True)
