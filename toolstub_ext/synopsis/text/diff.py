"""A diff: which files, how much in each, and in which functions."""

from __future__ import annotations

from dataclasses import dataclass

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .shape import Shape

_HUNK = Pattern(r"@@@? -\d+(?:,\d+)?(?: -\d+(?:,\d+)?)? \+\d+(?:,\d+)? @@@? ?(?P<context>.{0,200})")
_FILE = Pattern(r"diff --git (?:\"?a/)?(?P<old>\S{1,300}) (?:\"?b/)?(?P<new>[^\"\n]{1,300})")
_COMBINED = Pattern(r"diff --(?:cc|combined) (?P<new>.{1,300})")
"""Of a merge, against both of its sides: lines have a sign for each."""
_MAILED = Pattern(r"From [0-9a-f]{40} [A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}\d{1,2} ")
"""How `git format-patch` begins; what the change is about may be longer than a probe."""
_CONFLICT = ("++<<<<<<< ", "+<<<<<<< ", " +<<<<<<< ")
_PLAIN = Pattern(r"\+\+\+ (?:b/)?(?P<new>[^\t\n]{1,300})")


@dataclass(slots=True)
class _Change:
    """One file of the diff."""

    path: str
    line: int
    added: int = 0
    removed: int = 0
    hunks: int = 0
    note: str = ""


def _score(source: Source) -> float:
    probe = source.probe
    if _MAILED.match(probe[0]) and "\ndiff --git " in source.head:
        return 0.97
    if not look(source).begins("diff", "---", "+++") or probe[0].startswith("#!"):  # a script may hold patches
        return 0.0
    if any(line.startswith(("diff --git ", "diff --cc ", "diff --combined ")) for line in probe):
        if not any(map(_HUNK.match, source.lines[:4000])):
            return 0.6
        return 0.97 if probe[0].startswith(("diff --git ", "index ", "commit ")) else 0.86
    signed = sum(1 for line in probe if line.startswith(("--- ", "+++ ")))
    return 0.95 if signed >= 2 and any(map(_HUNK.match, probe)) else 0.0


def _changes(lines: list[str]) -> tuple[list[_Change], list[tuple[int, str]]]:
    """The files in order, and the functions that the hunks stand in with their lines."""
    changes: list[_Change] = []
    contexts: list[tuple[int, str]] = []
    in_hunk, width = False, 1
    for number, line in enumerate(lines, 1):
        first = line[:1]
        if in_hunk and first in ("+", "-", " ", "\\") and not line.startswith(("--- a/", "+++ b/")):
            signs = line[:width]
            if "+" in signs:
                changes[-1].added += 1
            elif "-" in signs:
                changes[-1].removed += 1
        elif first == "@" and changes and (hunk := _HUNK.match(line)):
            in_hunk = True
            changes[-1].hunks += 1
            if hunk["context"]:
                contexts.append((number, hunk["context"]))
        elif named := _FILE.match(line) or _COMBINED.match(line):
            in_hunk, width = False, 1 if line.startswith("diff --git") else 2
            changes.append(_Change(named["new"], number))
        elif (plain := _PLAIN.match(line)) and (not changes or changes[-1].hunks):
            changes.append(_Change(plain["new"], max(1, number - 1)))
        elif changes and line.startswith(("new file", "deleted file", "rename to", "Binary files")):
            changes[-1].note = " " + {"n": "new", "d": "deleted", "r": "renamed", "B": "binary"}[line[0]]
    return changes, contexts


def _tell(source: Source, facts: Facts) -> str:
    changes, contexts = _changes(source.lines)
    files = source.clean.count("\ndiff --git ") + source.clean.startswith("diff --git ") or len(changes)
    conflicts = [number for number, line in enumerate(source.lines, 1) if line.startswith(_CONFLICT)]
    added = sum(change.added for change in changes)
    removed = sum(change.removed for change in changes)
    part = f" in the first {count(len(changes), 'file')}" if source.partial else ""
    facts.say(
        f"diff of {count(files, 'file')}: {added} lines added, {removed} removed, "
        f"{count(sum(c.hunks for c in changes), 'hunk')}{part}"
    )
    if conflicts:
        shown = [str(source.number(number)) for number in conflicts]
        facts.dense("notable", shown, rank=1, share=0.3, lead="merge conflicts at line ", of_head=True)
    facts.dense(
        "structure",
        changes,
        ranks=[-change.added - change.removed for change in changes],
        rank=5,
        share=0.8,
        of_head=True,
        tell=lambda change: (
            f"{source.number(change.line)} {one_line(change.path, 120)} +{change.added} -{change.removed}{change.note}"
        ),
    )
    seen = dict.fromkeys(context for _, context in contexts)
    facts.dense(
        "notable", [one_line(context, 80) for context in seen], lead="hunks in: ", rank=8, share=0.6, of_head=True
    )
    for change in sorted(changes, key=lambda each: -each.added - each.removed)[:20]:
        facts.anchor_line(change.path, change.line)
    body = next((number for number, line in enumerate(source.lines) if line.startswith("@@")), 0)
    facts.sample("\n".join(source.lines[body : body + 40]), 900)
    return ""


shape = Shape("diff", _score, _tell, early=True, holds_code=True)
