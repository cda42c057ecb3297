"""Regular expressions of RE2: in linear time whatever they are, and with errors that say what is wrong and where."""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import Any

from ..phrases import clipped

REGEX_CHARS = 10_000
"""The longest pattern: RE2 takes linear time to search, but not to read one."""

_LINE_MODE = "(?m)"
_MOST_TRIED = 50
_TOKEN = re.compile(r"(?s)\\Q.*?(?:\\E|\Z)|\\.|\[\^?\]?(?:\[:\^?\w{1,9}:\]|\\.|[^\]\\]|(?!))*+(?:\]|\Z)|[()]")


def compiled(pattern: str, *, ignore_case: bool) -> Any:
    """The pattern, whose `^` and `$` match at lines. Raises ValueError, in one line, for one that is none."""
    import re2  # type: ignore[import-untyped]

    if len(pattern) > REGEX_CHARS:
        raise ValueError(f"the regex has {len(pattern):,} chars; at most {REGEX_CHARS:,} are read")
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    try:
        return re2.compile(_LINE_MODE + pattern, options)
    except UnicodeEncodeError:
        raise ValueError("a regex cannot hold half of a surrogate pair; search for it without regex") from None
    except re2.error as error:
        said = _told(_said(error), pattern, options)
        raise ValueError(f"bad regex: {said}; the syntax is RE2's, without look-around and \\1") from None


def _said(error: Exception) -> str:
    said = error.args[0] if error.args else b""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return text.replace(f": {_LINE_MODE}", ": ", 1)


def _told(said: str, pattern: str, options: Any) -> str:
    """What is wrong, at which character, counted from 0, and the piece at fault."""
    problem, _, piece = said.partition(": ")
    if problem in ("missing )", "unexpected )"):
        at, piece = _unmatched(pattern), ""
    elif piece:
        at = _place(problem, piece, pattern, options)
    else:
        at = len(pattern) - 1 if problem.startswith("trailing") else None
    where = "" if at is None else f" at character {at}"
    return clipped(problem) + where + (f": {clipped(piece, 60)}" if piece else "")


def _unmatched(pattern: str) -> int | None:
    """Where the parenthesis stands that closes nothing, or that is never closed."""
    opened: list[int] = []
    for token in _TOKEN.finditer(pattern):
        if token[0] == "(":
            opened.append(token.start())
        elif token[0] == ")":
            if not opened:
                return token.start()
            opened.pop()
    return opened[-1] if opened else None


def _place(problem: str, piece: str, pattern: str, options: Any) -> int | None:
    """RE2 names a piece and not its place: it stands where the pattern, up to the next such piece, fails alike."""
    places = [found.start() for found in islice(re.finditer(re.escape(piece), pattern), _MOST_TRIED)]
    for at, following in pairwise(places):
        if _fault(pattern[:following], options).startswith(problem):
            return at
    return places[-1] if 0 < len(places) < _MOST_TRIED else None


def _fault(pattern: str, options: Any) -> str:
    import re2

    try:
        re2.compile(pattern, options)
    except re2.error as error:
        return _said(error)
    return ""
