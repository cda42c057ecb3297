"""The summary of a diff, as `git diff --stat` prints it: the files, most changed first, and the total."""

from __future__ import annotations

from collections import Counter
from re import Match

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .shape import Shape, share

_FILE = Pattern(
    r" ?(?P<path>\S.{0,400}?) +\| +(?:(?P<changed>\d{1,9}) ?(?P<signs>[+-]{0,200})|(?P<note>Bin\b.{0,60}|Unmerged))\s*$"
)
_TOTAL = Pattern(r" ?\d{1,7} files? changed(?:, \d{1,9} (?:insertion|deletion)s?\([+-]\)){0,2}\s*$")
_MODE = Pattern(r" (?:create|delete|rename|copy|mode change) .{1,300}$")
_SHARE = 0.95


def _score(source: Source) -> float:
    seen = look(source)
    if not (seen.has("|") and seen.has(" | ")) or not any(map(_FILE.match, seen.few)):
        return 0.0
    told = share(seen.lines, lambda line: _FILE.match(line) or _TOTAL.match(line) or _MODE.match(line))
    signed = sum(1 for line in seen.lines if (file := _FILE.match(line)) and (file["signs"] or file["note"]))
    return 0.95 if told >= _SHARE and signed > len(seen.lines) // 2 else 0.0


def _change(file: Match[str]) -> str:
    """`12`, `12 only added`, `Bin 0 -> 120 bytes`."""
    if not file["changed"]:
        return one_line(file["note"], 60)
    signs = set(file["signs"])
    return file["changed"] + (" only added" if signs == {"+"} else " only removed" if signs == {"-"} else "")


def _tell(source: Source, facts: Facts) -> str:
    files: list[tuple[int, str, int, str]] = []
    totals: list[str] = []
    others: list[tuple[int, str]] = []
    for number, line in enumerate(source.lines, 1):
        if file := _FILE.match(line):
            files.append((number, file["path"], int(file["changed"] or 0), _change(file)))
        elif _TOTAL.match(line):
            totals.append(line.strip())
        elif line.strip():
            others.append((number, line.strip()))
    facts.say(f"summary of a diff: {totals[-1] if totals else count(len(files), 'file') + source.part}")
    facts.dense(
        "structure",
        files,
        rank=4,
        share=0.7,
        ranks=[-changed for _, _, changed, _ in files],
        of_head=True,
        lead="lines changed: ",
        tell=lambda file: f"{source.number(file[0])} {one_line(file[1], 100)} {file[3]}",
    )
    folders = Counter(path.rpartition("/")[0] or "./" for _, path, _, _ in files)
    if 1 < len(folders) < len(files):
        facts.dense(
            "structure",
            [f"{one_line(folder, 80)} {number}" for folder, number in folders.most_common()],
            rank=6,
            share=0.5,
            lead="files by folder: ",
        )
    facts.dense("notable", others, rank=8, tell=lambda each: f"{source.number(each[0])} {one_line(each[1], 120)}")
    for number, path, _, _ in sorted(files, key=lambda file: -file[2])[:12]:
        facts.anchor_line(path, number)
    return ""


shape = Shape("diff", _score, _tell, early=True)
