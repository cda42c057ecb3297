"""Diffs as `diff` alone prints them, with commands between the lines, and as `diff -c` does, with stars."""

from __future__ import annotations

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .shape import Shape, share

_COMMAND = Pattern(r"\d{1,9}(?:,\d{1,9})?[acd]\d{1,9}(?:,\d{1,9})?$")
_STARS = "***************"
_MARKS = ("< ", "> ", "<", ">")
_MARKED = 0.95
_SURE = 0.95


def _score(source: Source) -> float:
    probe = source.probe
    if not look(source).begins(_STARS, "<", ">"):
        return 0.0
    if any(line.startswith(_STARS) for line in probe):
        return _SURE if probe[0].startswith(("*** ", "diff ", "Index: ")) and any(map(_file, probe)) else 0.0
    if not _COMMAND.match(probe[0]) and not probe[0].startswith("diff "):
        return 0.0
    return _SURE if share(probe, _is_plain) > _MARKED and any(map(_COMMAND.match, probe)) else 0.0


def _is_plain(line: str) -> bool:
    return line[:2] in _MARKS or line == "---" or line.startswith(("diff ", "\\ No")) or bool(_COMMAND.match(line))


def _file(line: str) -> str:
    """The name of the newer file, where a line with dashes says it."""
    return line[4:].partition("\t")[0] if line.startswith("--- ") and not line.endswith(" ----") else ""


def _compared(line: str) -> str:
    """The name of the newer file, where a line is the command that compares two."""
    return line.rsplit(maxsplit=1)[-1] if line.startswith("diff ") else ""


def _tell(source: Source, facts: Facts) -> str:
    numbered = list(enumerate(source.lines, 1))
    starred = any(line.startswith(_STARS) for line in source.lines)
    named = _file if starred else _compared
    files = [(number, found) for number, line in numbered if (found := named(line))]
    hunks = [(number, line) for number, line in numbered if line.startswith(_STARS) or _COMMAND.match(line)]
    marks = [line[:2] for line in source.lines]
    added = marks.count("+ ") if starred else marks.count("> ")
    removed = marks.count("- ") if starred else marks.count("< ")
    changed = f", {marks.count('! ')} on either side changed" if starred else ""
    told = f"diff{' of ' + count(len(files), 'file') if files else ''}: {added} lines added, {removed} removed{changed}"
    facts.say(f"{told}, {count(len(hunks), 'hunk')}{source.part}")
    facts.dense(
        "structure", files, rank=3, of_head=True, tell=lambda each: f"{source.number(each[0])} {one_line(each[1], 120)}"
    )
    if not starred:
        facts.dense(
            "structure",
            hunks,
            rank=5,
            of_head=True,
            lead="hunks: ",
            tell=lambda each: f"{source.number(each[0])} {each[1]}",
        )
    for number, name in files[:20]:
        facts.anchor_line(name, number)
    facts.sample("\n".join(source.lines[:40]), 900)
    return ""


shape = Shape("diff", _score, _tell, early=True, holds_code=True)
