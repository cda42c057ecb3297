"""A traceback: what was raised, where, and through which of one's own files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern, holds
from ..wording import count, one_line
from .shape import Shape, share

_PYTHON = Pattern(r'\s*(?:\|\s*)?File "(?P<file>[^"\n]{1,400})", line (?P<line>\d+)(?:,? in (?P<where>.{1,200}))?')
_NODE = Pattern(
    r"\s{1,12}at (?:(?P<where>[\w$.<> \[\]]{1,200}) \()?"
    r"(?P<file>(?:node:|file:)?[^\s():]{1,300}(?::\\[^\s():]{1,300})?)"
    r":(?P<line>\d+)(?::\d+)?\)?$"
)
_JAVA = Pattern(r"\s{1,12}at (?P<where>[\w$.<>/]{1,300})\((?P<file>[\w$.-]{1,100})(?::(?P<line>\d+))?\)")
_GO = Pattern(r"\t(?P<file>/?[^\s:]{1,300}\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?$")
_RUST = Pattern(r"\s{8,20}at (?P<file>[^\s:]{1,300}\.rs):(?P<line>\d+)(?::\d+)?$")
_RUBY = Pattern(r"\s{0,12}(?:from )?(?P<file>[^\s:]{1,300}\.(?:rb|rake|erb)):(?P<line>\d+):in [`'](?P<where>.{1,200})'")
_PHP = Pattern(r"#\d+ (?P<file>/[^(:\n]{1,300})\((?P<line>\d+)\): (?P<where>[\w\\:>{}-]{1,200})")
_CSHARP = Pattern(r"\s{1,12}at (?P<where>[^\n]{1,300}?) in (?P<file>[^\n]{1,300}):line (?P<line>\d+)$")
_NATIVE = Pattern(
    r"\s{0,8}#\d+ +0x[0-9a-f]+ in (?P<where>[^\s(]{1,200})[^\n]{0,300}? (?:at )?"
    r"(?P<file>[^\s:()]{1,300}):(?P<line>\d+)(?::\d+)?$"
)
_GDB = Pattern(
    r"#\d+ {1,2}(?:0x[0-9a-f]+ in )?(?P<where>[^\s(]{1,200}) \([^\n]{0,200}\) at (?P<file>[^\s:]{1,300}):(?P<line>\d+)$"
)
_PERL = Pattern(r"\t(?P<where>[\w:]{1,200})\([^\n]{0,300}\) called at (?P<file>[^\n]{1,300}) line (?P<line>\d+)")
_LUA = Pattern(r"\t(?P<file>[^\s:]{1,300}):(?P<line>\d+): in (?P<where>.{1,200})")
_TCL = Pattern(r' {4}\((?:procedure|file) "(?P<file>[^"\n]{1,200})" line (?P<line>\d+)\)')
_ELIXIR = Pattern(
    r" {4}(?:\(\w{1,40} [\w.-]{1,20}\) )?(?P<file>[\w./-]{1,300}\.(?:exs?|erl)):(?P<line>\d+)"
    r": (?P<where>.{1,200})"
)
_VALGRIND = Pattern(
    r"==\d+== {4}(?:at|by) 0x[0-9A-F]+: (?P<where>[^\n]{1,200}) \((?P<file>[^\s:()]{1,200}):(?P<line>\d+)\)"
)
_RICH = Pattern(r"│ (?:(?P<file>[^\s:]{1,300}):(?P<line>\d+) )?in (?P<where>\w{1,100})")
_FRAMES = (
    _PYTHON, _JAVA, _NODE, _GO, _RUST, _RUBY, _PHP, _CSHARP, _NATIVE, _GDB, _PERL, _LUA, _TCL, _ELIXIR, _VALGRIND,
    _RICH,
)  # fmt: skip
_FRAMED = (" ", "\t", "|", "#", "=", "│")
"""How lines with a frame begin."""
_PLACED = Pattern(r":\d|line \d|\(\d|\sat [\w$.<>/]++\(|│")
"""What each frame holds, and few other lines that begin so."""
_CHECKED = Pattern(
    r"==\d+== (?:Invalid |Conditional jump |Use of uninit|Mismatched |Syscall param |Process terminating |Jump to "
    r"|[\d,]{1,20} (?:\([^)\n]{1,60}\) )?bytes in .{1,60} (?:definitely|indirectly) lost )"
)
"""What Valgrind finds."""
_RAISED = Pattern(
    r"(?:\|\s*)?(?:[\w.]{1,100}\.)?(?P<type>\w{0,60}(?:Error|Exception|Warning|Interrupt|Exit|Group|Failure|Fault"
    r"|Timeout|Iteration))(?:: ?(?P<message>.{0,400})|$)"
)
_JAVA_RAISED = Pattern(
    r"(?:Caused by: |Exception in thread .{1,80}? |Unhandled exception\. | ---> )"
    r"(?P<type>[\w.$]{1,200})(?:: (?P<message>.{0,400}))?"
)
_PANIC = Pattern(
    r"(?:panic: |thread '.{1,80}' panicked at |(?:PHP )?Fatal error:  ?Uncaught |=*\d{0,9}=*ERROR: AddressSanitizer: "
    r"|Program received signal |Fatal Python error: |\*\* \((?=[A-Z])"
    r"|\S{1,300}\.rb:\d+:in [`'].{1,200}': )(?P<message>.{1,400})"
)
_CLASSES = (_RAISED, _JAVA_RAISED, _PANIC)
_NAMES = (*_CLASSES, _CHECKED)
"""What the lines look like that say what was raised."""
_BELOW = ("stack traceback:", "while executing")
_SURE = 0.96
_FOREIGN = Pattern(
    r"site-packages|dist-packages|lib/python\d|node_modules|<frozen|node:internal|/rustc/|\bjava\.|\bjdk\.|/usr/lib"
    r"|/go/src/|/usr/local/go/"
)
_THROWN = Pattern(r"(?:Uncaught )?[\w.$]{0,100}(?:Error|Exception)(?: \[\w+\])?(?:: |$)")
_START = Pattern(
    r"\s*(?:[|+] ?|╭─+ |\+ Exception Group )?Traceback \(most recent call last\)|panic: |thread '.+' panicked"
    r"|Exception in thread |(?:Current t|T)hread 0x[0-9a-f]+ .{0,80}\(most recent call first\)"
)
_MARKS = (
    "Traceback", "panic:", "thread", "Exception", "Caused", "|", "+", "Unhandled", "#0", "Thread", "Fatal", "Current",
)  # fmt: skip
_ALONE = (
    " called at ", "stack traceback:", "\n    while executing", "\n    invoked from within", "\n    (stdlib ", "\n** (",
    "== Memcheck, ", "─ Traceback (most recent call last)",
)  # fmt: skip
"""What stands in traces of some languages, and hardly in anything else."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame: `file:line in where`, on which line of the text, and whether it is in a library."""

    text: str
    line: int
    foreign: bool


def frames(lines: list[str]) -> Iterator[Frame]:
    """The frames of any of the known forms, in order."""
    for number, line in enumerate(lines, 1):
        if line[:1] not in _FRAMED or not _PLACED.search(line):
            continue
        match = next((each for form in _FRAMES if (each := form.match(line))), None)
        if match:
            groups = match.groupdict()
            file = groups["file"] or ""
            where = f" in {groups['where']}" if groups.get("where") else ""
            place = f":{groups['line']}" if groups.get("line") else ""
            yield Frame(f"{file}{place}{where}".strip(), number, _FOREIGN.search(line) is not None)


def raised(lines: list[str]) -> list[tuple[int, str]]:
    """The lines that name what was raised."""
    found = []
    for number, line in enumerate(lines, 1):
        shown = line.lstrip(" |") if "| " in line[:40] else line  # of a group of exceptions
        if shown[:1] not in (" ", "\t", "") and any(form.match(shown) for form in _NAMES):
            found.append((number, shown))
    return found or _above(lines)


def _above(lines: list[str]) -> list[tuple[int, str]]:
    """The lines right above the traces of languages that put no class in front of a message, each message once."""
    found: dict[str, int] = {}
    for number, (line, below) in enumerate(pairwise(lines), 1):
        if line[:1].strip() and (below.strip() in _BELOW or _PERL.match(below)):
            found.setdefault(line, number)
    return [(number, line) for line, number in found.items()]


def _score(source: Source) -> float:
    probe = source.probe
    if not probe or not (_announced(source) or _raised_first(probe) or (look(source).begins("at") and _thrown(probe))):
        return 0.0
    part = share(probe, lambda line: line[:1] in _FRAMED or _RAISED.match(line))
    framed = share(probe, lambda line: any(form.match(line) for form in _FRAMES))
    if framed == 0:
        return 0.0
    if probe[0][:1] == "╭":
        return _SURE
    first = 0.2 if _PANIC.match(probe[0]) or _START.match(probe[0]) or _raised_first(probe) else 0.0
    return min(_SURE, 0.25 + 0.45 * part + 0.6 * framed + first) if framed > 0.12 else 0.3


def _announced(source: Source) -> bool:
    """Whether a line says that a trace or an error follows."""
    seen, probe = look(source), source.probe
    if seen.has(*_ALONE):
        return True
    marked = seen.begins(*_MARKS)
    if not marked and not (seen.begins("from") and holds(seen.text, ".rb:")):  # so do imports begin, too
        return False
    return any(map(_PANIC.match, probe[:3])) or any(_START.match(line) or _JAVA_RAISED.match(line) for line in probe)


def _raised_first(probe: list[str]) -> bool:
    """Whether the first line names what was raised."""
    return any(form.match(probe[0]) for form in (_RAISED, _JAVA_RAISED))


def _thrown(probe: list[str]) -> bool:
    """Whether what was thrown is named right above the first frame, wherever that is."""
    return any(
        below.lstrip().startswith("at ") and _THROWN.match(line) and (_NODE.match(below) or _JAVA.match(below))
        for line, below in pairwise(probe)
    )


def _tell(source: Source, facts: Facts) -> str:
    lines = source.lines
    found = [*frames(lines)]
    errors = raised(lines)
    if errors:
        number, line = errors[-1]
        facts.say(f"line {source.number(number)}: {one_line(line, 300)}")
        facts.anchor_line(line, number)
    raised_last = any(form.match(line) for _, line in errors[-1:] for form in _CLASSES)
    several = "exceptions chained" if raised_last else "errors"
    facts.say(f"{count(len(found), 'frame')}{source.part}" + (f", {len(errors)} {several}" if len(errors) > 1 else ""))
    own = [frame for frame in found if not frame.foreign] or found
    shown = [f"{source.number(frame.line)} {one_line(frame.text, 120)}" for frame in own]
    inner_last = bool(found) and _PYTHON.match(lines[found[0].line - 1]) is not None
    ranks = [len(own) - place if inner_last else place for place in range(len(own))]
    facts.dense(
        "structure",
        shown,
        lead="own frames: " if len(own) < len(found) else "frames: ",
        ranks=ranks,
        rank=3,
        share=0.6,
        of_head=True,
    )
    for frame in reversed(own[-12:]) if inner_last else own[:12]:
        facts.anchor_line(frame.text, frame.line)
    for number, line in errors[:-1][:3]:
        facts.notable(f"line {source.number(number)}: {one_line(line, 200)}", rank=6)
    inner = own[-1 if inner_last else 0].line if own else 1
    facts.sample("\n".join(lines[inner - 1 : inner + 12]), 700)
    return ""


shape = Shape("traceback", _score, _tell, early=True, holds_code=True)
