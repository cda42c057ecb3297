"""Whether lines are source code, and in which language.

Comments and documentation are left out first: half of a well-documented file is prose.
"""

from __future__ import annotations

from ..patterns import Pattern
from .language import Language
from .languages import LANGUAGES
from .marks import MARKS

_COMMENT = Pattern(r"[ \t]{0,40}+(?://|/\*|\*(?:[ /]|$)|#(?![!a-z\[])|--(?:[ \t\[]|$)|;;|%|dnl |REM )")
_NEUTRAL = Pattern(r"[ \t]{0,40}+(?:[{}()\[\];,]{1,4}|end;?|else|\.\.\.)\s*$")
_SHEBANG = Pattern(r"#!.{0,40}\b(python|ruby|perl|node|bash|zsh|sh|dash|ksh|lua|tclsh|Rscript|php)")
_BY_SHEBANG = {"node": "javascript", "bash": "shell", "zsh": "shell", "sh": "shell", "dash": "shell", "ksh": "shell",
               "tclsh": "tcl", "Rscript": "r"}  # fmt: skip
_BY_NAME = {language.name: language for language in LANGUAGES}
_WEIGHTS = {"typescript": 1.35, "cpp": 1.1, "make": 0.8, "dockerfile": 0.9, "css": 0.95, "tcl": 0.75, "shell": 0.85}
_ENDS = frozenset(";{}()[],:\\\"'>=+|&`")
_MINIFIED = Pattern(r"\bfunction\b ?\w{0,40}\(|=>|\breturn\b|\bvar \w|\bconst \w|\blet \w|[!=]==")
_STYLED = Pattern(r"[{;][ ]?(?:--)?[a-z][a-z-]{1,40}:[^;{}\"]{1,200}(?=[;}])")
_PERL = Pattern(r"package \w{1,60}(?:::\w{1,60}){0,8};|use (?:strict|warnings)\b")
_OPENINGS = {
    "sql": Pattern(
        r"(?i:create(?: or replace)?(?: temp| unique| materialized)?"
        r" (?:table|view|function|index|type|schema|extension)\b"
        r"|alter (?:table|extension|function|operator)\b|insert into \w)"
    ),
    "tcl": Pattern(r"namespace eval [\w:]{1,60} \{|proc [\w:]{1,60} \{|package require \w"),
}
_FEW_HITS = 3
_UNSURE = 0.3
_TIMED = Pattern(
    r"\W{0,4}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|(?:INFO|DEBUG|WARN|ERROR)\b)"
)
_DIAGNOSED = Pattern(r":\d{1,7}: (?:fatal |internal )?(?:error|warning|note|info)\b|^(?:error|warning)(?:\[\w+\])?: ")
_OPENS_DATA = Pattern(
    r"(?:export )?(?:const |let |var |static |my |our "
    r"|set )*[\w$@%:.\[\]]{1,60}(?: ?: ?[\w\[\], ]{1,60})? ?=>? ?(?:dict|list|frozenset|Map)?[\[({]\s*$"
    r"|from [\w.]+ import |import [\w.{*]|#include |package [\w.]+;|use strict|'use strict'|module\.exports"
)
_MAPPING = Pattern(r"[\w-]{1,40}:(?: |$)")
_SYMBOL = Pattern(r"[(){}\[\];=<>$@#`\\]")
_POSSIBLE = Pattern(
    r"(?i:import|from|package|require|use|include|class|module|create|select|where|insert|return|raise|yield|assert"
    r"|pass|break|case|local|end|then|do|done|fi|echo|export|set|variable|[a-z-]+: )\b|.*(?::|['\"],)\s*$"
)
_FEW = 0.1
_TELLING = 45
_SEARCHED = 600
_MARKED = 120
_FIRST_LOOK = 12
_LIKELIEST = 3
_KIN = {
    "javascript": ("typescript",), "typescript": ("javascript",), "c": ("cpp",), "cpp": ("c",),
}  # fmt: skip
_MINIFIED_CHARS = 300
_TCL_SHARE = 0.6
_BRACED = frozenset(
    ("go", "rust", "java", "cpp", "c", "csharp", "php", "perl", "css", "tcl", "protobuf")
)  # fmt: skip


def code_lines(lines: list[str]) -> list[str]:
    """The first 45 lines that are neither blank nor comment nor documentation, each at most 300 characters."""
    found: list[str] = []
    closing = ""
    for line in lines[:_SEARCHED]:
        bare = line.strip()
        if closing:
            if closing in bare:
                closing = ""
            continue
        if not bare:
            continue
        closing = _opened(bare)
        if closing or _COMMENT.match(line):
            continue
        found.append(line[:300])
        if len(found) == _TELLING:
            break
    return found


def _opened(bare: str) -> str:
    """What will close the documentation that a line opens; nothing if it opens none, or closes it itself."""
    for quote in ('"""', "'''"):
        if quote in bare:
            return quote if bare.count(quote) % 2 else ""
    if bare.startswith("/*"):
        return "" if "*/" in bare else "*/"
    if bare.startswith(("=head", "=pod", "=over", "=item", "=begin")):
        return "=cut"
    return ""


def language_of(lines: list[str]) -> tuple[Language | None, float]:
    """The likeliest language of the lines of a text, and how sure it is, from 0.0 to 1.0.

    A part of a file may begin in the middle of a documentation, so that what closes it seems to open one.
    """
    language, sure = _judged(lines)
    if sure < _UNSURE:
        closing = next((n for n, line in enumerate(lines[:_SEARCHED]) if '"""' in line or line.strip() == "*/"), None)
        if closing is not None:
            again = _judged(lines[closing + 1 :])
            if again[1] > sure:
                return again
    return language, sure


def _judged(lines: list[str]) -> tuple[Language | None, float]:
    first = next((line for line in lines[:20] if line.strip()), "")
    shebang = _SHEBANG.match(first)
    if shebang:
        return _BY_NAME[_BY_SHEBANG.get(shebang[1], shebang[1])], 0.95
    if first.startswith("<?php"):
        return _BY_NAME["php"], 0.95
    body = code_lines(lines)
    if len(body) <= 6 and max(map(len, body), default=300) == 300:
        return _minified(lines)
    telling = [line.lstrip() for line in body if not _NEUTRAL.match(line)]
    if not telling or _hardly_possible(telling):
        return None, 0.0
    hits = _hits(telling)
    if not hits:
        return None, 0.0
    name = _corrected(max(hits, key=lambda each: hits[each] * _WEIGHTS.get(each, 1.0)), hits)
    if name not in ("perl", "java") and any(map(_PERL.match, telling[:12])):
        return _BY_NAME["perl"], 0.8
    for other, opening in _OPENINGS.items():
        if hits.get(other, 0) >= _FEW_HITS and any(map(opening.match, telling[:8])):
            return _BY_NAME[other], 0.8
    both = hits[name] + sum(hits.get(kin, 0) for kin in _KIN.get(name, ()))
    return _BY_NAME[name], _sureness(name, min(both, len(telling)), telling, body)


def _hardly_possible(telling: list[str]) -> bool:
    """Whether hardly a line has anything that code has."""
    few = _few(telling)
    return sum(1 for line in few if _SYMBOL.search(line) or _POSSIBLE.match(line)) < _FEW * len(few)


def _few(telling: list[str]) -> list[str]:
    """The first lines and some from further down: not at equal distances alone, as statements may have them too."""
    return telling[:_FIRST_LOOK] + telling[_FIRST_LOOK::5]


def _hits(telling: list[str]) -> dict[str, int]:
    """How many lines tell of each language whose marks are there; all lines only for the likeliest."""
    words = frozenset([word for line in telling for word in line.split(None, 1)[:1]])
    text = "\n".join([line[:_MARKED] for line in _few(telling)]) + "\n"
    possible = [each for each in LANGUAGES if MARKS[each.name].stand_in(words, text)]
    few = _few(telling)
    first = {each.name: sum(1 for line in few if each.cues.match(line)) for each in possible}
    if len(few) == len(telling):
        return first
    ranked = sorted(first, key=lambda name: -first[name] * _WEIGHTS.get(name, 1.0))
    likeliest = [name for name in ranked[:_LIKELIEST] if first[name]]
    likeliest += [kin for name in likeliest[:2] for kin in _KIN.get(name, ()) if kin in first and kin not in likeliest]
    match = {name: _BY_NAME[name].cues.match for name in likeliest}
    return {name: sum(1 for line in telling if matches(line)) for name, matches in match.items()}


def _sureness(name: str, hits: int, telling: list[str], body: list[str]) -> float:
    """How sure it is that lines of which `hits` look like one language are source code."""
    share = hits / len(telling)
    last = [line.rstrip()[-1:] for line in telling]
    ends = sum(1 for end in last if end in _ENDS) / len(telling)
    sure = share * min(1.0, 0.4 + 0.15 * hits)
    if hits >= 3 and ends > 0.45:
        sure = max(sure, 0.15 + 0.6 * share + 0.3 * ends)
    elif hits >= 2 and ends > 0.6:
        sure = max(sure, 0.5 * share + 0.3 * ends)
    if (ends > 0.6 or (share > 0.2 and hits >= 3)) and any(map(_OPENS_DATA.match, telling[:8])):
        sure = max(sure, 0.4)
    if any(line.startswith("```") for line in body) or _MAPPING.match(telling[0]):
        sure *= 0.5
    if sum(1 for line in telling if _TIMED.match(line)) > 0.2 * len(telling):
        sure *= 0.3
    few = telling[: _TELLING // 2]
    if sum(1 for line in few if ": " in line and _DIAGNOSED.search(line)) > _FEW * len(few):
        sure *= 0.3
    if name in _BRACED and sum(1 for line in body if _closes(line)) < 0.1 * len(body):
        sure *= 0.4
    return min(1.0, sure)


def _closes(line: str) -> bool:
    """Whether a line ends or opens something, as the languages with braces have them all over."""
    return ";" in line or "{" in line or "}" in line or line[:1] == "#"


def _minified(lines: list[str]) -> tuple[Language | None, float]:
    """JavaScript or style sheets in a few endless lines."""
    text = max(lines[:20], key=len, default="")[:8000]
    if len(text) < _MINIFIED_CHARS:
        return None, 0.0
    if text.startswith(('"use strict"', "'use strict'", "!function", "(function", "(()=>")):
        return _BY_NAME["javascript"], 0.8
    marks = sum(text.count(mark) for mark in "(){};=,")
    if marks > 0.1 * len(text) and len(_MINIFIED.findall(text)) >= max(3, len(text) // 500):
        return _BY_NAME["javascript"], 0.8
    if len(_STYLED.findall(text)) >= max(3, len(text) // 200):
        return _BY_NAME["css"], 0.8
    return None, 0.0


def _corrected(name: str, hits: dict[str, int]) -> str:
    """Languages that contain another share most cues with it; a few of their own decide."""
    for small, large, share in (("javascript", "typescript", 0.12), ("c", "cpp", 0.15)):
        if name in (small, large) and small in hits:
            return large if hits.get(large, 0) >= max(2, hits[small] * share) else small
    if name == "shell" and hits.get("tcl", 0) >= max(4, _TCL_SHARE * hits["shell"]):
        return "tcl"
    return name
