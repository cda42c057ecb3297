"""Whether lines are source code, and in which language.

Comments and documentation are left out first: half of a well-documented file is prose.
"""

from __future__ import annotations

import re

from .language import Language
from .languages import LANGUAGES

_COMMENT = re.compile(r"[ \t]{0,40}+(?://|/\*|\*(?:[ /]|$)|#(?![!a-z\[])|--[ \[]|;;|%|dnl |REM )")
_NEUTRAL = re.compile(r"[ \t]{0,40}+(?:[{}()\[\];,]{1,4}|end;?|else|\.\.\.)\s*$")
_SHEBANG = re.compile(r"#!.{0,40}\b(python|ruby|perl|node|bash|zsh|sh|dash|ksh|lua|tclsh|Rscript|php)")
_BY_SHEBANG = {"node": "javascript", "bash": "shell", "zsh": "shell", "sh": "shell", "dash": "shell", "ksh": "shell",
               "tclsh": "tcl", "Rscript": "r"}  # fmt: skip
_BY_NAME = {language.name: language for language in LANGUAGES}
_WEIGHTS = {"typescript": 1.35, "cpp": 1.1, "make": 0.8, "dockerfile": 0.9, "css": 0.95, "tcl": 0.75, "shell": 0.85}
_ENDS = frozenset(";{}()[],:\\\"'>=+|&`")
_MINIFIED = re.compile(r"\bfunction\b ?\w{0,40}\(|=>|\breturn\b|\bvar \w|\bconst \w|\blet \w|[!=]==")
_TIMED = re.compile(
    r"\W{0,4}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|(?:INFO|DEBUG|WARN|ERROR)\b)"
)
_OPENS_DATA = re.compile(
    r"(?:export )?(?:const |let |var |static |my |our "
    r"|set )*[\w$@%:.\[\]]{1,60}(?: ?: ?[\w\[\], ]{1,60})? ?=>? ?(?:dict|list|frozenset|Map)?[\[({]\s*$"
    r"|from [\w.]+ import |import [\w.{*]|#include |package [\w.]+;|use strict|'use strict'|module\.exports"
)
_MAPPING = re.compile(r"[\w-]{1,40}:(?: |$)")
_POSSIBLE = re.compile(
    r"[(){}\[\];=<>$@#`\\]|:\s*$|['\"],\s*$|^\s*(?i:import|from|package|require|use|include|class|module|create|select|where|insert"
    r"|return|raise|yield|assert|pass|break|case|local|end|then|do|done|fi|echo|export|set|variable|[a-z-]+: )\b"
)
_FEW = 0.1
_TELLING = 60
_SEARCHED = 600


def code_lines(lines: list[str]) -> list[str]:
    """The first 60 lines that are neither blank nor comment nor documentation, each at most 300 characters."""
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
        if bare.lstrip("rRuUbB").startswith(quote):
            return "" if bare.count(quote) > 1 else quote
    if bare.startswith("/*"):
        return "" if "*/" in bare else "*/"
    if bare.startswith(("=head", "=pod", "=over", "=item", "=begin")):
        return "=cut"
    return ""


def language_of(lines: list[str]) -> tuple[Language | None, float]:
    """The likeliest language of the lines of a text, and how sure it is, from 0.0 to 1.0."""
    first = next((line for line in lines[:20] if line.strip()), "")
    shebang = _SHEBANG.match(first)
    if shebang:
        return _BY_NAME[_BY_SHEBANG.get(shebang[1], shebang[1])], 0.95
    if first.startswith("<?php"):
        return _BY_NAME["php"], 0.95
    body = code_lines(lines)
    if not body:
        return None, 0.0
    if len(body) <= 6 and max(map(len, body)) == 300:
        return _minified(lines)
    telling = [line for line in body if not _NEUTRAL.match(line)]
    if not telling:
        return None, 0.0
    if sum(1 for line in telling if _POSSIBLE.search(line)) < _FEW * len(telling):
        return None, 0.0
    hits = {language.name: sum(1 for line in telling if language.cues.match(line)) for language in LANGUAGES}
    name = _corrected(max(hits, key=lambda each: hits[each] * _WEIGHTS.get(each, 1.0)), hits)
    share = hits[name] / len(telling)
    ends = sum(1 for line in telling if line.rstrip()[-1:] in _ENDS) / len(telling)
    sure = share * min(1.0, 0.4 + 0.15 * hits[name])
    if hits[name] >= 3 and ends > 0.45:
        sure = max(sure, 0.15 + 0.6 * share + 0.3 * ends)
    elif hits[name] >= 2 and ends > 0.6:
        sure = max(sure, 0.5 * share + 0.3 * ends)
    if ends > 0.6 and any(map(_OPENS_DATA.match, telling[:8])):
        sure = max(sure, 0.4)
    if any(line.startswith("```") for line in body) or _MAPPING.match(telling[0]):
        sure *= 0.5
    if sum(1 for line in telling if _TIMED.match(line)) > 0.2 * len(telling):
        sure *= 0.3
    return _BY_NAME[name], min(1.0, sure)


def _minified(lines: list[str]) -> tuple[Language | None, float]:
    """JavaScript in a few endless lines."""
    text = max(lines[:20], key=len)[:8000]
    marks = sum(text.count(mark) for mark in "(){};=,")
    if marks > 0.1 * len(text) and len(_MINIFIED.findall(text)) >= max(3, len(text) // 500):
        return _BY_NAME["javascript"], 0.8
    return None, 0.0


def _corrected(name: str, hits: dict[str, int]) -> str:
    """Languages that contain another share most cues with it; a few of their own decide."""
    if name in ("javascript", "typescript"):
        return "typescript" if hits["typescript"] >= max(2, hits["javascript"] * 0.12) else "javascript"
    if name in ("c", "cpp"):
        return "cpp" if hits["cpp"] >= max(2, hits["c"] * 0.15) else "c"
    return name
