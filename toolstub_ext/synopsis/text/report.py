"""A test report: the verdict, then each failure with its line and its message."""

from __future__ import annotations

from dataclasses import dataclass

from ..facts import Facts
from ..model import Source
from ..patterns import Pattern, holds
from ..wording import count, one_line
from .findings import exit_status
from .reporters import FAILED, LOGGED, LOGGED_MARKS, MESSAGE, NAMING, NEXT, SELDOM, SELDOM_MARKS, SIGN, VERDICT
from .shape import Shape
from .trace import frames

_OF_OTHERS = Pattern(r"'?\d{1,7} subtests? failed")
"""What failed only because of tests that are named as well."""
_PASSED = Pattern(r"(?>\S+?::)\S++.{0,200} PASSED\b|PASSED \S+::|\s*+--- PASS: ")
_PASSED_END = " ... ok"
_SECTION = Pattern(r"=+ (?P<name>[A-Za-z][\w ]{2,60}) =+$")
_MOST = 200
_TAIL_CHARS = 1 << 16
_DEEPER = " " * 7
_MOST_LINES = 8
_TAP = "TAP version "
_SAID = 0.93
"""How sure a first line makes it that says what the report is."""
_WINDOW_CHARS = 2_000
_BEFORE_CHARS = 500


@dataclass(slots=True)
class _Failure:
    """A failed test, where it is first named in full, and the message given there."""

    name: str
    line: int
    message: str = ""


def _score(source: Source) -> float:
    tail = source.clean[-2000:]
    last = [line for line in tail.split("\n")[-12:] if line.strip()]
    if not any(SIGN.match(line[:300]) for line in source.probe[::3] + last):
        return 0.0
    probe = source.probe + [line[:300] for line in tail.split("\n")[1:] if line.strip()]
    hits = sum(1 for line in probe if SIGN.match(line))
    if hits >= 2 and probe[0].startswith(_TAP):
        return _SAID
    verdict = any(map(VERDICT.match, probe[-12:]))
    return min(0.96, 0.4 + 0.1 * hits + 0.2 * verdict) if hits >= 2 and hits >= 0.04 * len(probe) else 0.0


def _lines(source: Source) -> list[tuple[int, str]]:
    """The numbered lines of the head, of the last 64 Ki characters, and of what is around failures in between."""
    lines = list(enumerate(source.lines, 1))
    if source.partial:
        text, start = source.clean, max(len(source.head), len(source.clean) - _TAIL_CHARS)
        for begin, end in [*_windows(text, len(source.head), start), (start, len(text))]:
            window = text[begin:end].removesuffix("\n").split("\n")
            lines += enumerate(window, source.clean_index.line_of(begin))
    return lines


def _windows(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where failures are named between two places, with the lines around each that may say why; apart, in order."""
    hits: list[int] = []
    for name in NAMING:
        at = text.find(name, start, end)
        while at >= 0 and len(hits) < _MOST:
            hits.append(at)
            at = text.find(name, at + _WINDOW_CHARS // 4, end)
    found: list[tuple[int, int]] = []
    for hit in sorted(hits):
        begin = text.rfind("\n", start, max(start, hit - _BEFORE_CHARS)) + 1 or start
        if found:
            begin = max(begin, found[-1][1])
        stop = text.find("\n", min(hit + _WINDOW_CHARS, end - 1), end) + 1 or end
        if begin < stop:
            found.append((begin, stop))
    return found


def _key(name: str) -> str:
    """What is the same however a report names a test: here by its class, there with its file."""
    name = name.partition(" # ")[2] or name
    if "›" in name or " > " in name or ("/" in name and "::" not in name) or (" " in name and "(" not in name):
        return name
    bare, bracket, parameters = name.rpartition("::")[2].partition("[")
    if "(" in bare:
        return bare.partition(" ")[0]
    return bare.rpartition(".")[2] + bracket + parameters


def _continued(name: str, below: list[tuple[int, str]]) -> str:
    """The name with what it goes on with in the lines below, as of a test within groups; the last part ends in `:`."""
    parts = [name]
    for _, line in below:
        if not line.startswith(_DEEPER):
            break
        parts.append(line.strip())
        if line.endswith(":"):
            return " › ".join(parts).removesuffix(":")
    return name


def _failures(lines: list[tuple[int, str]], *, seldom: bool, logs: bool) -> list[_Failure]:
    found: dict[str, _Failure] = {}
    current: _Failure | None = None
    before: tuple[int, str] | None = None  # some say what went wrong first, and then which test it was
    for place, (number, line) in enumerate(lines):
        failed = FAILED.match(line) or (SELDOM.match(line) if seldom else None)
        if failed:
            sort = failed.lastgroup or ""
            full = failed[sort].strip()
            full = _continued(full, lines[place + 1 : place + _MOST_LINES]) if sort == "goes_on" else full
            name, _, message = full.partition(" - ")
            current = found.setdefault(name if sort == "tap" else _key(name), _Failure(name, number))
            current.name = max(current.name, name, key=len)
            current.message = message or current.message
            if before and not current.message and sort.startswith("before"):
                current.line, current.message = before
            if len(found) > _MOST:
                break
        if failed or line.startswith(NEXT):
            before = None
            current = current if failed else None
        elif logs and not before and any(map(line.__contains__, LOGGED_MARKS)) and (logged := LOGGED.match(line)):
            before = number, logged["text"]
        if not failed and current and not current.message and (told := MESSAGE.match(line)):
            current.message = next(filter(None, told.groups()))
            current.line = number
    named = {failure.name.rpartition("› ")[2] for failure in found.values() if "› " in failure.name}
    return [
        failure
        for failure in found.values()
        if not _OF_OTHERS.match(failure.message) and (failure.message or _untimed(failure.name) not in named)
    ]


def _untimed(name: str) -> str:
    """The name without how long the test took."""
    return name.partition(" (")[0] if name.endswith("s)") else name


def _packages(source: Source) -> str:
    """How many packages of a Go test run passed and failed, of all the text."""
    text = "\n" + source.clean
    passed, failed = text.count("\nok  \t"), text.count("\nFAIL\t")
    return f"{count(passed, 'package')} ok, {failed} FAIL" if passed + failed > 1 else ""


def _tell(source: Source, facts: Facts) -> str:
    lines = _lines(source)
    verdicts = [
        (number, one_line(next(filter(None, m.groups())).strip(), 140))
        for number, line in lines
        if (m := VERDICT.match(line))
    ]
    failures = _failures(
        lines, seldom=holds(source.clean, *SELDOM_MARKS), logs=holds(source.clean, *LOGGED_MARKS)
    )
    status = exit_status(source)
    shown = " · ".join(dict.fromkeys(text for _, text in verdicts[-3:]))
    ends = " as far as found" if source.partial else ""
    named = f"test report, {count(len(failures), 'failure')} named{ends}"
    passed = 0 if shown else sum(1 for line in source.lines if line.endswith(_PASSED_END) or _PASSED.match(line))
    named += f", {count(passed, 'test')} passed{source.part}" if passed else ""
    packages = _packages(source)
    if packages:
        facts.say(packages)
    facts.say((shown or named) + (f"; {status}" if status else ""))
    for failure in failures[:8]:
        where = source.number(failure.line)
        facts.notable(
            f"FAILED {one_line(failure.name, 140)}, line {where}"
            + (f": {one_line(failure.message, 160)}" if failure.message else ""),
            rank=1,
        )
        facts.anchor_line(failure.name, failure.line)
    if len(failures) > 8:
        facts.dense(
            "notable",
            [one_line(f"{f.name} {source.number(f.line)}", 120) for f in failures[8:]],
            lead=f"{len(failures) - 8} more failures{ends}: ",
            rank=4,
            share=0.5,
        )
    own = next((frame for frame in frames([line for _, line in lines]) if not frame.foreign), None)
    if own:
        facts.say(
            f"first frame of one's own: {one_line(own.text, 140)} (line {source.number(lines[own.line - 1][0])})",
            rank=5,
        )
    sections = [f"{source.number(number)} {m['name']}" for number, line in lines if (m := _SECTION.match(line))]
    facts.dense("structure", sections, lead="sections: ", rank=7, share=0.5)
    if not failures:
        tail = [line for _, line in lines[-12:] if line.strip()]
        facts.sample("\n".join(tail), 700)
    return ""


shape = Shape("test-report", _score, _tell, holds_code=True)
