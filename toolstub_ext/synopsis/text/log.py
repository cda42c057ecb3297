"""A log: when, how many of each level, which lines repeat or what figures they hold, and what went wrong where."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, partial
from operator import itemgetter

from ..checked import CHECKED
from ..facts import Facts
from ..look import look, sample
from ..model import Source
from ..patterns import holds
from ..wording import count, one_line
from . import series
from .embedded import say_embedded
from .findings import HEXADECIMAL, say_findings
from .levels import LEVEL, LEVEL_STEMS, levels_in, tell_warnings
from .shape import Shape, share, spread

_TIME = re.compile(
    r"(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ,_]{1,2}\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} \d\d:\d\d:\d\d"
    r"|\d{1,2}/(?:\d\d|[A-Z][a-z]{2})/\d{2,4}[: ]\d\d:\d\d:\d\d|\d\d:\d\d:\d\d(?:[.,]\d{1,6})?|\d{9,10}\.\d{3,6}(?= )"
    r"| {0,8}\d{1,7}\.\d{6}(?=\]))"
)
_STEP = re.compile(
    r"(?:Collecting|Downloading|Installing|Requirement already|Successfully|Building|Get:\d+|Hit:\d+|Fetched|Reading"
    r"|Unpacking|Setting up|Preparing|Selecting|Processing"
    r"|-- (?:The|Detecting|Check|Looking|Performing|Found|Could NOT|Configuring|Generating|Build files"
    r"|Installing:|Up-to-date:)"
    r"|Started (?:GET|POST|PUT|PATCH|DELETE) |Processing by |Completed \d{3} |Rendered "
    r"|Compiling|Finished|Running|Cloning|remote:|Receiving|Resolving|npm |added \d+|yarn |Step \d+|#\d+ |--->"
    r"|Epoch \d+|\[\d+/\d+\]|make(?:\[\d+\])?:|gcc |g\+\+ |cc |checking |configure:"
    r"|WARNING:|ERROR:|INFO:|DEBUG:|(?:C|LE)EF:\d|\w+: (?:warning|error|note):|time=|level="
    r"|\[[\w:./-]{1,30}\] |(?:train|val|test)\w* ?(?:loss|acc)|[Ii]ter(?:ation)?[ :]\d|[Ll]oss[ :=]|Epoch:? "
    r"|(?:Mini)?[Bb]atch:? \d|\d{1,8}:\s+learn:)"
)
_WARNED = re.compile(
    r"\S{0,300}\w: ?\w{0,30}Warning:|ls: |cp: |rm: |\w+: cannot |tar: |bash: "
    r"|\w{1,30}: [^\n]{1,200}?: (?:No such file|Permission denied|Input/output error|Is a directory|Not a directory"
    r"|Operation not permitted|Invalid argument|command not found)"
)
_DIAGNOSED = re.compile(r":\d{1,7}: (?:fatal |internal )?(?:error|warning|note)\b|^(?:error|warning)(?:\[\w+\])?: ")
_CLOCK = re.compile(
    r"[0-9](?:[0-9]:[0-9][0-9](?:(?=:\d\d)|(?<=\d[T ,_]\d\d:\d\d)|(?<=\d[T ,_][T ,_]\d\d:\d\d))|[0-9]{8,9}\.\d{3,6} )"
)
"""What of a time is sooner looked for than the whole."""
_COLUMNS = re.compile(
    r"\s{0,9}(?:[A-Z#%][A-Za-z#%/()-]{0,20}\s+){3,20}[A-Z][A-Za-z#%/()-]{0,20}\s*$|[-=]{3}"
    r"|\d\d:\d\d:\d\d(?: [AP]M)? +(?:[A-Za-z]{1,20} +){1,4}%[a-z]"
)
"""Names of columns, also behind a time, or the rule below them."""
_SAMPLED = 40
_STAMPS = frozenset("0123456789[JFMASOND")
_STAMPED = 0.9
_STAMPED_SCORE = 0.95
_FOLLOWS = 0.9
"""How sure a log is whose lines are of one form, or say what was checked."""
_LEAST_CHECKED = 3
_FORM_CHARS = 200
_SPEAKS = re.compile(r"(?:[\W_]*+[^\W_]){3}")
_LEAST_STAMPED = 5
_LEAST_BARS = 3
_NOT_BEFORE = frozenset("'0123456789:")
"""What stands in front of a time is none of these."""
_SETTING = re.compile(r"[ \t]{0,8}(?P<name>[A-Za-z][\w.-]{0,60})[ \t]{0,20}[:=][ \t]{0,20}\S{0,200}[ \t]*$")
_SETTINGS = 0.75
_NO_FORM = HEXADECIMAL + " \t"
_RARE = 0.1
_MEMBERS = frozenset('"{}[]')
"""How the lines of a value begin that is printed over several."""
_MEMBER = re.compile(rf'\n[{_NO_FORM}]*+["{{}}\[\]]')
_MOST_MEMBERS = 0.1
_TAGGED = 0.6
_LEAST_TAGGED = 10


def stamped(source: Source) -> bool:
    """Whether nearly all lines begin with a time, as those of nothing else do."""
    seen = look(source)
    if seen.first[:1] not in _STAMPS or len(seen.firsts) < _LEAST_STAMPED:
        return False
    if sum(1 for word in seen.firsts if word[0] in _STAMPS) < _STAMPED * len(seen.firsts) or _in_cells(seen.few):
        return False
    timed = sum(1 for line in seen.few if _TIME.match(line) or _TIME.match(line, 1))
    return timed >= _STAMPED * len(seen.few) and not _COLUMNS.match(seen.lines[0])


def _score(source: Source) -> float:
    if stamped(source):
        return _STAMPED_SCORE
    lines = sample(look(source).lines, _SAMPLED)
    if len(lines) < 3:
        return 0.0
    starts = [line[:80] for line in lines[::2]]
    size = len(starts)
    timed = sum(1 for start in starts if _time(start))
    levels = sum(1 for start in starts if LEVEL.search(start)) if look(source).has(*LEVEL_STEMS) else 0
    if levels and not timed and _settings(lines):
        return 0.0
    steps = sum(1 for line in lines if _STEP.match(line.lstrip()) or _warned(line)) * size / len(lines)
    if timed and (any(map(_COLUMNS.match, look(source).lines[:3])) or _in_cells(starts)):
        timed = 0  # it is in a column
    best = max(timed + levels / 2, levels, steps * 0.9) / size
    both = sum((timed > 0.3 * size, levels > 0.3 * size))
    if best < 0.25 and ("\x1b[" in source.text[:20_000] and best >= 0.08):
        return 0.5
    if look(source).has(": error", ": warning", "\nerror", "\nwarning: "):
        best = max(best, 4 * share(lines, _DIAGNOSED.search))
    if look(source).begins("--") and sum(map(bool, map(CHECKED.match, look(source).lines))) >= _LEAST_CHECKED:
        return _FOLLOWS  # what CMake says before it compiles anything
    score = min(0.95, 0.42 + 0.4 * best + 0.1 * both) if best >= 0.25 else 0.0
    if series.dominant(source):
        return max(score, _FOLLOWS)
    return max(score, 0.66) if _tagged(look(source).firsts, lines) else score


def _in_cells(lines: list[str]) -> bool:
    """Whether times are a column of these: each line has the same bars or tabs, and no level stands in a cell."""
    for bar in "|\t":
        bars = lines[0].count(bar)
        if bars >= _LEAST_BARS and all(line.count(bar) == bars for line in lines):
            return not any(map(LEVEL.search, lines))
    return False


def _settings(lines: list[str]) -> bool:
    """Whether these are names, each once, with a short value: `debug: true` and `log_level = info` are no messages."""
    found = [match["name"] for line in lines if (match := _SETTING.match(line))]
    return len(found) >= _SETTINGS * len(lines) and len(set(found)) == len(found)


def _tagged(firsts: list[str], lines: list[str]) -> bool:
    """Whether these are records of a few kinds, named by their first word and followed by figures."""
    if sum(map(str.isalpha, firsts)) < _TAGGED * len(firsts):
        return False
    tags = [parts for line in lines if len(parts := line[:80].split(None, 2)) > 1 and parts[0].isalpha()]
    named = Counter(parts[0] for parts in tags)
    figures = sum(1 for parts in tags if parts[1][:1].isdigit())
    enough = len(tags) >= max(_LEAST_TAGGED, _TAGGED * len(lines))
    return enough and figures >= 0.9 * len(tags) and 2 <= len(named) <= 10


def _warned(line: str) -> bool:
    return (": " in line or "Warning:" in line) and _WARNED.match(line) is not None


def _time(line: str) -> str | None:
    """The time at the beginning of a line, neither in quotes nor in a number; most lines have not even a clock."""
    clock = _CLOCK.search(line, 0, 100)
    found = clock and _TIME.search(line, max(0, clock.start() - 12), 100)
    return found["time"] if found and line[max(0, found.start() - 1) : found.start()] not in _NOT_BEFORE else None


def _forms(source: Source) -> list[bytes]:
    """The lines without blanks and digits, hexadecimal ones too, so that repetitions fall together."""
    data = source.head.removesuffix("\n").encode("utf-8", "surrogatepass")
    forms = data.translate(None, _NO_FORM.encode()).split(b"\n")
    return [form[:_FORM_CHARS] for form in forms] if max(map(len, forms)) > _FORM_CHARS else forms


def _tell(source: Source, facts: Facts) -> str:
    lines = source.lines
    last_lines = source.clean[-3000:].rstrip("\n").split("\n")[-30:]
    facts.say(f"log, {count(source.line_index.count, 'line')}{_span(lines, last_lines)}")
    named = [word for word in ("error", "warning") if holds(source.head, f": {word}: ")]
    told = [count(source.clean.count(f": {word}: "), word) for word in named]
    if told:
        facts.say(f"diagnostics: {' and '.join(told)}", rank=1)
    elif levels := levels_in(source.head):
        shown = [f"{name} {number}" for name, number in levels.most_common(6)]
        facts.say(f"levels: {', '.join(shown)}{source.part}", rank=1)
        if 0 < levels["WARNING"] <= _RARE * len(lines):
            tell_warnings(source, facts)
    form = series.dominant(source)
    known = series.tell(source, facts, form) if form else None
    say_findings(source, facts, most=6, rank=2, known=known or frozenset())
    if known is None:
        _tell_forms(source, facts)
    for name, ends, rank in (("first", lines[:40], 9), ("last", last_lines[::-1], 5)):
        end = next(filter(_says, ends), None)
        if end is not None:
            facts.notable(partial(_told_end, name, end), rank=rank)
    facts.anchor_line("last line", source.line_index.count)
    return ""


def _told_end(name: str, line: str) -> str:
    return f"{name}: {one_line(line, 200)}"


def _span(lines: list[str], last_lines: list[str]) -> str:
    """From when to when."""
    first = next(filter(None, map(_time, lines[:50])), None)
    last = next(filter(None, map(_time, reversed(last_lines))), None)
    return f", {first} to {last}" if first and last and first != last else ""


def _tell_forms(source: Source, facts: Facts) -> None:
    """The commonest lines with how often they come, and those that come once; looked for if there is room for them."""
    lines = source.lines
    members = _MEMBER.findall("\n" + source.head)
    embeds = len(members) > _MOST_MEMBERS * len(lines)
    if embeds:
        say_embedded(source, facts, rank=7)
    alike = cache(partial(_alike, source, members=not embeds))
    facts.dense(
        "structure",
        lambda: sorted([each for each in alike() if each[1] > 1], key=itemgetter(1), reverse=True)[:30],
        lead=f"most frequent{source.part}: ",
        of_head=True,
        rank=8,
        share=0.55,
        tell=lambda each: f"{each[1]}× {one_line(_untimed(lines[each[0]]), 110)}",
    )
    facts.dense(
        "structure",
        lambda: [place for place, number in alike() if number == 1],
        lead=f"once each{source.part}: ",
        of_head=True,
        rank=12,
        ranks=spread,
        tell=lambda place: f"{source.number(place + 1)} {one_line(lines[place], 110)}",
    )


def _alike(source: Source, *, members: bool) -> list[tuple[int, int]]:
    """Of each form that lines have the place of the first, and how many there are; `members` of a value if asked."""
    forms = _forms(source)
    firsts = dict(zip(reversed(forms), reversed(range(len(forms)))))
    return [
        (place, number)
        for form, number in Counter(forms).items()
        if _says(source.lines[place := firsts[form]]) and (members or form[:1].decode("latin-1") not in _MEMBERS)
    ]


def _says(line: str) -> bool:
    """Whether a line is more than a border, brackets or blanks."""
    return (line[:3].isalnum() and len(line) > 2) or _SPEAKS.match(line, 0, _FORM_CHARS) is not None


def _untimed(line: str) -> str:
    """The line without the time it begins with, which is another one each time."""
    found = _TIME.search(line[:40])
    return line[found.end() :].lstrip(" ]:,-") if found and found.start() < 4 else line


shape = Shape("log", _score, _tell, holds_code=True)
