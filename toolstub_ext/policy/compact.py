"""What stays whole loses what carries nothing: the padding of line numbers, paths said again, terminal codes.

        88→    return total          88→    return total
    src/app.py:12:import os          src/app.py
    src/app.py-13-                   12:import os
    src/app.py:14:import sys         13-
                                     14:import sys

Measured on recorded conversations this saves more tokens than characters: a run of blanks is a token. Blanks at the end
of a line stay: they are worth nothing, and an edit that has to quote the line needs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..settings import Settings
from ..store.base import ref_of, sha256_of
from ..transcript import Change, Decision, Outcome, ToolResult, Transcript, literal
from .externalize import untouchable
from .history import COMPACTED, SHORTEST
from .sources import may_be_numbered
from .stubs import takes_less

MOST_LEFT = 0.97
"""Of its original a compacted text is at most that part."""
MOSTLY = 0.9
"""The part of the lines that have to be alike."""
PROBE_CHARS = 2_000

_NUMBERED = re.compile(r" {0,7}[0-9]{1,9}(?:→|\t)")
_PADDING = re.compile(r"^ {1,7}(?=[0-9]{1,9}(?:→|\t))", re.MULTILINE)
_HIT = re.compile(r"((?:[A-Za-z]:[\\/])?[^\s:]{1,300}):([0-9]{1,9}:)")
_BEGINS_WITH_HIT = re.compile(f"^{_HIT.pattern}", re.MULTILINE)
_BESIDE = re.compile(r"-(?=[0-9]{1,9}-)")
_LIKE_HIT = re.compile(r"[0-9]{1,9}[:-]")
_LONGEST_PATH = 300
_BETWEEN = "--"
_TERMINAL = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]")


def compact(turn: Transcript, settings: Settings) -> Transcript:
    """One turn, in which what was kept is said more shortly where it can be."""
    if not settings.compact.enabled:
        return turn
    return turn.with_outcomes([_judged(result, outcome, settings) for result, outcome in turn.pairs])


def compacted(text: str) -> tuple[str, str]:
    """The text without what carries nothing, and what that was; the text itself and nothing if there is none."""
    if may_be_numbered(text) and _mostly(_NUMBERED, text):
        return _PADDING.sub("", text), "line numbers without padding"
    if (grouped := _grouped(text)) is not None:
        return grouped, "each path once"
    return (_TERMINAL.sub("", text), "without terminal codes") if "\x1b[" in text else (text, "")


def _mostly(form: re.Pattern[str], text: str) -> bool:
    """Whether the lines are of that form, but for an empty one at the end; a look at the first ones often says no."""
    for part in (text[:PROBE_CHARS].rpartition("\n")[0] or text, text):
        lines = part.split("\n")
        if sum(1 for line in lines if form.match(line)) < MOSTLY * (len(lines) - (not lines[-1])):
            return False
    return True


def _grouped(text: str) -> str | None:
    """Hits, and the lines around them, under the path they are in; None if the text is no such list.

    Some tools print the path of a hit from the working directory and that of the lines around it from the root: the
    longer one is shown.
    """
    if not _BEGINS_WITH_HIT.search(text[:PROBE_CHARS]):
        return None
    lines = text.split("\n")
    paths = _paths(lines)
    out: list[str] = []
    shown, found = "", 0
    for line in lines:
        path, at = _path(line, paths)
        found += bool(path) or line in ("", _BETWEEN)
        if path and path != shown:
            out.append(path)
        if _LIKE_HIT.match(path or line):
            return None
        out.append(line[at:])
        shown = path or (shown if line == _BETWEEN else "")
    return "\n".join(out) if found >= MOSTLY * len(lines) else None


def _paths(lines: list[str]) -> dict[str, str]:
    """The paths of the hits, each with the way it is shown."""
    paths = {hit[1]: hit[1] for line in lines if (hit := _HIT.match(line))}
    for line in lines:
        for beside in _BESIDE.finditer(line, 0, _LONGEST_PATH):
            path = line[:beside.start()]
            end = next((end for end in _ends(path) if end in paths), None)
            if end is not None:
                paths[end] = paths[path] = max(path, paths[end], key=len)
                break
    return paths


def _ends(path: str) -> Iterator[str]:
    """The path, and what is left of it in each of its folders."""
    yield path
    at = path.find("/")
    while at >= 0:
        yield path[at + 1:]
        at = path.find("/", at + 1)


def _path(line: str, paths: dict[str, str]) -> tuple[str, int]:
    """The path in front of a line as it is to be shown, and where the line number begins; nothing and 0 without one."""
    if hit := _HIT.match(line):
        return paths[hit[1]], hit.start(2)
    for beside in _BESIDE.finditer(line, 0, _LONGEST_PATH):
        if shown := paths.get(line[:beside.start()]):
            return shown, beside.end()
    return "", 0


def _judged(result: ToolResult, outcome: Outcome | None, settings: Settings) -> Outcome | None:
    """A change in place of an outcome that keeps the text, if it is worth it."""
    if (isinstance(outcome, Change) and outcome.replaces) or result.is_argument or len(result.text) < SHORTEST:
        return outcome
    text, what = compacted(result.text)
    if len(text) > MOST_LEFT * len(result.text) or untouchable(result, settings):
        return outcome
    written = literal(text)
    if not takes_less(text, written, result.text):
        return outcome
    sha256 = sha256_of(result.text)
    kept = outcome.decision if isinstance(outcome, Change) else outcome
    reason = f"{kept.reason}; {what}" if kept else what
    decision = Decision(result.slot, result.tool, COMPACTED, reason, ref_of(sha256), len(result.text), len(text))
    return Change(result, text, written, decision, None, sha256)
