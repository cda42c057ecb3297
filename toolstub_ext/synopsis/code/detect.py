"""Whether a few lines are source code, and in which language."""

from __future__ import annotations

import re

from .languages import LANGUAGES, Language

_COMMENT = re.compile(r"[ \t]{0,40}+(?://|/\*|\*(?:[ /]|$)|#(?![!a-z\[])|--[ \[]|;;|%|dnl |\"\"\"|'''|REM )")
_NEUTRAL = re.compile(r"[ \t]{0,40}+(?:[{}()\[\];,]{1,4}|end;?|else|\.\.\.)\s*$")
_SHEBANG = re.compile(r"#!.{0,40}\b(python|ruby|perl|node|bash|zsh|sh|dash|ksh|lua|tclsh|Rscript|php)")
_BY_SHEBANG = {"node": "javascript", "bash": "shell", "zsh": "shell", "sh": "shell", "dash": "shell", "ksh": "shell",
               "tclsh": "tcl", "Rscript": "r"}  # fmt: skip
_BY_NAME = {language.name: language for language in LANGUAGES}
_STRONG = {"typescript": 1.35, "cpp": 1.1, "make": 0.8, "dockerfile": 0.9, "css": 0.95, "tcl": 0.75, "shell": 0.85}


def language_of(lines: list[str]) -> tuple[Language | None, float]:
    """The likeliest language of lines that are not blank, and how sure it is, from 0.0 to 1.0."""
    if not lines:
        return None, 0.0
    shebang = _SHEBANG.match(lines[0])
    if shebang:
        return _BY_NAME[_BY_SHEBANG.get(shebang[1], shebang[1])], 0.95
    if lines[0].startswith("<?php"):
        return _BY_NAME["php"], 0.95
    body = [line for line in lines if not _COMMENT.match(line)]
    telling = [line for line in body if not _NEUTRAL.match(line)]
    if not telling:
        return None, 0.0
    hits = {language.name: sum(1 for line in telling if language.cues.match(line)) for language in LANGUAGES}
    weighed = sorted(((count * _STRONG.get(name, 1.0), name) for name, count in hits.items()), reverse=True)
    name = _corrected(weighed[0][1], hits)
    share = hits[name] / len(telling)
    sure = min(1.0, share * min(1.0, 0.4 + 0.15 * hits[name]))
    return _BY_NAME[name], sure


def _corrected(name: str, hits: dict[str, int]) -> str:
    """Superset languages share most cues with the smaller ones; a few of their own decide."""
    if name in ("javascript", "typescript"):
        return "typescript" if hits["typescript"] >= max(2, hits["javascript"] * 0.12) else "javascript"
    if name in ("c", "cpp"):
        return "cpp" if hits["cpp"] >= max(2, hits["c"] * 0.15) else "c"
    return name
