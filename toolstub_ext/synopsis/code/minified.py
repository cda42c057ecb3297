"""JavaScript and style sheets in a few endless lines, which have no lines to tell them by."""

from __future__ import annotations

from ..patterns import Pattern

_MINIFIED = Pattern(r"\bfunction\b ?\w{0,40}\(|=>|\breturn\b|\bvar \w|\bconst \w|\blet \w|[!=]==")
_IN_MINIFIED = ("function", "=>", "return", "var ", "const ", "let ", "==")
"""Whatever _MINIFIED finds holds one of these, which are sooner counted."""
_STYLED = Pattern(r"[{;][ ]?(?:--)?[a-z][a-z-]{1,40}:[^;{}\"]{1,200}(?:\"[^\";{}]{0,150}\"[^;{}\"]{0,99})?(?=[;}])")
_MINIFIED_OPENINGS = ('"use strict"', "'use strict'", "!function", "(function", "(()=>")
_MINIFIED_CHARS = 300


def minified_language(lines: list[str]) -> str | None:
    """The language that the longest line is in, if it is endless and minified; else None."""
    text = max(lines[:20], key=len, default="")[:8000]
    if len(text) < _MINIFIED_CHARS:
        return None
    if text.startswith(_MINIFIED_OPENINGS):
        return "javascript"
    marks, least = sum(map(text.count, "(){};=,")), max(3, len(text) // 500)
    if (
        marks > 0.1 * len(text)
        and sum(map(text.count, _IN_MINIFIED)) >= least
        and len(_MINIFIED.findall(text)) >= least
    ):
        return "javascript"
    least = max(3, len(text) // 200)
    return "css" if text.count(":") >= least and len(_STYLED.findall(text)) >= least else None
