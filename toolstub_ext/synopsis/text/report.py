"""A test report: the verdict, then each failure with its line and its message."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..facts import Facts
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .findings import exit_status
from .shape import Shape
from .trace import frames

_SIGN = Pattern(
    r"=+ (?:test session starts|FAILURES|ERRORS|short test summary info|warnings summary|\d+ (?:passed|failed|error"
    r"|skipped).{0,120}) =+"
    r"|(?:FAILED|PASSED|ERROR|SKIPPED|XFAIL) \S+::|\S+::\S+ (?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)"
    r"|\S+\.py [.FEsxX]{3,}"
    r"|Ran \d+ tests? in |(?:FAIL|ERROR): \w+ \(|(?:OK|FAILED) ?(?:\((?:failures|errors|skipped)=|$)"
    r"|\w+ \(\w+(?:\.\w+)+\)(?: \.\.\. |$)|.{0,200} \.\.\. (?:ok|FAIL|ERROR|FAILED|skipped|ignored)\b"
    r"|=== RUN |\s*--- (?:PASS|FAIL|SKIP): |(?:ok|FAIL|PASS)\s+[\w./-]+(?:\s+[\d.]+s|\s+\(cached\)|\s*$)"
    r"|test \S+ \.\.\. |test result: |running \d+ tests?"
    r"|(?:PASS|FAIL)\s+\S+\.(?:test|spec)\.|Tests?(?: Suites| Files)?:?\s+\d+ |\s+[✓✔✕✗×] |\s+\d+ (?:passing|failing"
    r"|pending)|\d+ examples?, \d+ failures?|\s*(?:not )?ok \d+ (?![=!<>])|\s*# (?:Subtest: |(?:tests|pass|fail) \d)"
    r"|rspec \./\S+:\d+ # |\s+Failure/Error: |PHPUnit \d|Tests: \d+, Assertions: \d"
    r"|OK \(\d+ tests?, |[.FEWRSI]{10,80} +\d+ / \d+ |There (?:was|were) \d+ (?:failure|error)s?:$"
    r"|(?:Passed|Failed)! +- Failed: "
    r"|\s+(?:Failed|Passed) [\w.]+(?:\(.{0,200}\))? \[[\d.,< ]+ ?m?s\]$|\s+Error Message:$"
    r"|\d+\.\d\ds (?:call|setup|teardown) +\S+::"
    r"|Testing against Django|System check identified"
)
_VERDICT = Pattern(
    r"=+ (?P<a>(?:\d+ \w+(?:, )?)+ in [\d.:() ]{1,30}s?.{0,20}?) =+$|(?P<b>Ran \d+ tests? in [\d.]+s)|(?P<c>(?:OK"
    r"|FAILED)(?: \([\w=, ]{1,80}\))?)$"
    r"|(?P<d>test result: .{1,120})|(?P<e>Tests?(?: Suites| Files)?:?\s+\d+ .{1,80})|(?P<f>\s+\d+ (?:passing|failing"
    r"|pending)\b.{0,20})|(?P<g>\d+ examples?, \d+ failures?.{0,40})"
    r"|(?P<h>(?:FAIL|ok)\s+[\w./-]+\s+[\d.]+s)"
    r"|(?P<k>Tests: \d+, Assertions: .{1,100})|(?P<l>(?:Passed|Failed)! +- Failed: .{1,120})"
    r"|# (?P<j>(?:tests|pass|fail) \d{1,9})$"
    r"|(?P<i>(?:\d{1,9} (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun)(?:, )?){1,9}"
    r" in [\d.]+s.{0,40})$"
)
_FAILED = Pattern(
    r"(?:FAILED|ERROR) (?P<a>\S+::.{1,300})|(?P<b>(?:FAIL|ERROR): \w+ \(.{1,200}\))|\s*--- FAIL: (?P<c>\S+)"
    r"|test (?P<d>\S+) \.\.\. FAILED|\s*not ok (?:\d+ (?:- )?)?(?P<e>\S.{0,200})"
    r"|FAIL\s+(?P<f>\S+\.(?:test|spec)\.\S+)|\s+[✕✗×] (?P<g>.{1,200})|(?P<h>\S+::\S+) (?:FAILED|ERROR)\b"
    r"|(?P<i>\w+ \([\w.]+\)(?: \[.{0,200}\])?) \.\.\. (?:FAIL|ERROR)\b"
    r"|_{4,} (?P<j>(?:ERROR at \w+ of )?[\w.\[\]-]{1,200}) _{4,}|\s+\d+\) (?P<k>[A-Z].{1,160})"
    r"|rspec (?P<m>\./\S+:\d+ # .{1,200})|\s+Failed (?P<n>[\w.]+(?:\(.{0,200}\))?) \[[\d.,< ]+ ?m?s\]$"
    r"|\d+\) (?P<o>[\w\\]+::\w.{0,200})|\s+● (?P<l>\S.{0,160} › .{1,160})"
)
_MESSAGE = Pattern(
    r"E  +(?P<a>\S.{0,300})|(?P<b>\w*(?:Error|Exception|Failure)(?:: .{0,300})?$)"
    r"|\s+(?P<c>\w+_test\.go:\d+: .{1,300})|thread '.{1,80}' panicked at (?P<d>.{1,300})"
    r"|\s*(?P<e>(?:Assertion)?Error: .{1,300})|\s+(?P<f>expect\(\S.{1,300})"
    r"|\s+Failure/Error: (?P<i>.{1,300})|(?P<j>Failed asserting .{1,300})|\s+(?P<k>Assert\.\w.{1,300})"
    r"|\s+(?:error|message): (?P<g>[^|>\s].{0,300})|\s+(?P<h>Expected values .{1,300})"
)
_OF_OTHERS = Pattern(r"'?\d{1,7} subtests? failed")
"""What failed only because of tests that are named as well."""
_PASSED = Pattern(r"^\S+::\S+.{0,200} PASSED\b|^PASSED \S+::| \.\.\. ok$|^\s*--- PASS: |^test \S+ \.\.\. ok$")
_GO_NEXT = ("=== RUN", "--- PASS", "--- SKIP")
_GO_LOGGED = Pattern(r"\s+(?P<text>\w+_test\.go:\d+: .{1,300})")
_SECTION = Pattern(r"=+ (?P<name>[A-Za-z][\w ]{2,60}) =+$")
_MOST = 200
_NAMING = ("FAILED ", " FAILED", "FAIL: ", "... FAIL", "not ok ", " ✕ ", " ✗ ", " × ", "  ● ", "\nFAIL ")
"""How failures begin; what is between the head and the last part of a long report is searched for these alone."""
_TAIL_CHARS = 1 << 16
_WINDOW_CHARS = 2_000
_BEFORE_CHARS = 500


@dataclass(slots=True)
class _Failure:
    """A failed test, where it is first named in full, and the message given there."""

    name: str
    line: int
    message: str = ""
    places: list[int] = field(default_factory=list)


def _score(source: Source) -> float:
    tail = source.clean[-2000:]
    last = [line for line in tail.split("\n")[-12:] if line.strip()]
    if not any(_SIGN.match(line[:300]) for line in source.probe[::3] + last):
        return 0.0
    probe = source.probe + [line[:300] for line in tail.split("\n")[1:] if line.strip()]
    hits = sum(1 for line in probe if _SIGN.match(line))
    verdict = any(map(_VERDICT.match, probe[-12:]))
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
    for name in _NAMING:
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
    if "›" in name or ("/" in name and "::" not in name) or (" " in name and "(" not in name):
        return name
    bare, bracket, parameters = name.rpartition("::")[2].partition("[")
    if "(" in bare:
        return bare.partition(" ")[0]
    return bare.rpartition(".")[2] + bracket + parameters


def _failures(lines: list[tuple[int, str]]) -> list[_Failure]:
    found: dict[str, _Failure] = {}
    current: _Failure | None = None
    before: tuple[int, str] | None = None  # Go says what went wrong first, and then which test it was
    for number, line in lines:
        failed = _FAILED.match(line)
        if failed:
            full = next(filter(None, failed.groups()))
            name, _, message = full.partition(" - ")
            current = found.setdefault(_key(name), _Failure(name, number))
            current.name = max(current.name, name, key=len)
            current.message = message or current.message
            if failed["c"] and before and not current.message:
                current.line, current.message = before
            current.places.append(number)
            if len(found) > _MOST:
                break
        if failed or line.startswith(_GO_NEXT):
            before = None
            current = current if failed else None
        elif not before and (logged := _GO_LOGGED.match(line)):
            before = number, logged["text"]
        if not failed and current and not current.message and (told := _MESSAGE.match(line)):
            current.message = next(filter(None, told.groups()))
            current.line = number
    return [failure for failure in found.values() if not _OF_OTHERS.match(failure.message)]


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
        if (m := _VERDICT.match(line))
    ]
    failures = _failures(lines)
    status = exit_status(source)
    shown = " · ".join(dict.fromkeys(text for _, text in verdicts[-3:]))
    ends = " as far as found" if source.partial else ""
    named = f"test report, {count(len(failures), 'failure')} named{ends}"
    passed = 0 if shown else sum(1 for line in source.lines if _PASSED.search(line))
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
    own = [frame for frame in frames([line for _, line in lines]) if not frame.foreign]
    if own:
        facts.say(
            f"first frame of one's own: {one_line(own[0].text, 140)} (line {source.number(lines[own[0].line - 1][0])})",
            rank=5,
        )
    sections = [f"{source.number(number)} {m['name']}" for number, line in lines if (m := _SECTION.match(line))]
    facts.dense("structure", sections, lead="sections: ", rank=7, share=0.5)
    if not failures:
        tail = [line for _, line in lines[-12:] if line.strip()]
        facts.sample("\n".join(tail), 700)
    return ""


shape = Shape("test-report", _score, _tell, holds_code=True)
