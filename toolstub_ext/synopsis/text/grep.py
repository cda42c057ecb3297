"""A search result: how many hits in which files, most first."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from ..facts import Facts
from ..look import look
from ..model import Source
from ..patterns import Pattern
from ..wording import count, one_line
from .shape import Shape, share

_HIT = Pattern(
    r"(?P<path>(?:[A-Za-z]:[\\/])?[\w@.+~/\\()\[\]-]{0,300}?(?:/[\w@.+~()\[\]-]{1,120}|[\w@+~-]{1,120}\.\w{1,12}))(?P<mark>[:-])(?P<line>\d{1,7})(?P<again>[:-])(?P<text>.{0,400})"
)
_BARE = Pattern(
    r"(?P<path>(?:[\w@.+~-]{0,120}/){1,30}[\w@.+~-]{1,120}|[\w@+~-]{1,100}\.(?:py|js|ts|go|rs|c|h|cpp|java|rb|md|txt|json|ya?ml|toml|cfg|sh|html|css|rst|xml)):(?P<text>[^/:].{0,400})"
)
_LINED = Pattern(r"(?P<line>\d{1,7})(?P<again>[:-])(?P<text>.{0,400})")
_LEAST = 0.3
_PATH = Pattern(r"(?:[\w@.+~-]{0,120}/){0,30}[\w@.+~-]{1,120}\.\w{1,12}$")


@dataclass(slots=True)
class _File:
    """The hits in one file: their place here, the line in the file, the text."""

    hits: list[tuple[int, str, str]] = field(default_factory=list)


def _score(source: Source) -> float:
    if not _possible(source):
        return 0.0
    probe = [line for line in source.probe if line != "--"]
    found = share(probe, lambda line: (hit := _HIT.match(line)) is not None and hit["mark"] == hit["again"])
    bare = share(probe, _BARE.match) if found < 0.5 else 0.0
    if found < 0.5 and bare < 0.6:
        return 0.85 if _under_headings(probe) else 0.82 if _one_file(source) else 0.0
    return min(0.96, 0.55 + 0.4 * max(found, bare))


def _possible(source: Source) -> bool:
    """Whether lines begin with a path, and a few of them from all over have anything of a hit."""
    seen = look(source)
    if sum(1 for word in seen.firsts if word[0].isdigit() or "/" in word or "." in word) < _LEAST * len(seen.firsts):
        return False
    some = [*seen.few, *seen.lines[1:3]]  # the few may all be headings
    return any(_HIT.match(line) or _BARE.match(line) or _LINED.match(line) for line in some)


def _one_file(source: Source) -> bool:
    """Whether these are hits of `grep -n` in a single file: numbers that rise and are not a bare count."""
    hits = [hit for line in source.probe if (hit := _LINED.match(line))]
    if len(hits) < 3 or len(hits) < 0.95 * len([line for line in source.probe if line != "--"]):
        return False
    numbers = [int(hit["line"]) for hit in hits]
    rising = all(before < after for before, after in itertools.pairwise(numbers))
    return (
        rising and numbers[0] > 0 and not any(hit["text"].startswith("\t") and ": " in hit["text"] for hit in hits[:3])
    )


def _under_headings(probe: list[str]) -> bool:
    """Whether files stand on lines of their own, and numbered hits below them."""
    headings = [place for place, line in enumerate(probe) if _PATH.match(line)]
    lined = share(probe, _LINED.match)
    return len(headings) >= 1 and lined >= 0.45 and headings[0] == 0


def _files(source: Source) -> dict[str, _File]:
    files: dict[str, _File] = {}
    current = ""
    alone = False
    for number, line in enumerate(source.lines, 1):
        hit = _HIT.match(line)
        if hit and hit["mark"] == hit["again"]:
            entry = files.setdefault(hit["path"], _File())
            if hit["again"] == ":":
                entry.hits.append((number, hit["line"], hit["text"]))
        elif bare := _BARE.match(line):
            files.setdefault(bare["path"], _File()).hits.append((number, "", bare["text"]))
        elif _PATH.match(line):
            current = line
            files.setdefault(current, _File())
        elif (current or not files or alone) and (lined := _LINED.match(line)) and lined["again"] == ":":
            alone = alone or not current
            files.setdefault(current, _File()).hits.append((number, lined["line"], lined["text"]))
    return files


def shared_prefix(paths: list[str]) -> str:
    """The folders that all paths share."""
    low, high = min(paths), max(paths)
    same = next((place for place, pair in enumerate(zip(low, high)) if pair[0] != pair[1]), len(low))
    return low[: low.rfind("/", 0, same) + 1]


def _lead(source: Source) -> str:
    return f"{source.part.strip()}: " if source.partial else ""


def _told(path: str, line: str, text: str) -> str:
    """A hit, the first of a file with its path."""
    place = f"{one_line(path, 80) if path else ''}{':' + line if line else ''}"
    return f"{place} {one_line(text, 110)}" if place else one_line(text, 110)


def _tell(source: Source, facts: Facts) -> str:
    files = {path: entry for path, entry in _files(source).items() if entry.hits}
    hits = sum(len(entry.hits) for entry in files.values())
    paths = list(files)
    prefix = shared_prefix(paths) if len(paths) > 1 else ""
    under = f" under {one_line(prefix, 100)}" if prefix else ""
    ordered = sorted(files.items(), key=lambda pair: -len(pair[1].hits))
    where = "one file, which is not named" if paths == [""] else count(len(ordered), "file")
    facts.say(f"{count(hits, 'hit')} in {where}{under}{source.part}")
    if len(ordered) > 1 and len(ordered[0][1].hits) > hits // 2:
        facts.say(f"{len(ordered[0][1].hits)} of these in {one_line(ordered[0][0][len(prefix) :], 120)}")
    facts.dense(
        "structure",
        [pair for pair in ordered if pair[0]],
        rank=5,
        share=0.4,
        lead=_lead(source),
        of_head=True,
        tell=lambda pair: f"{one_line(pair[0][len(prefix) :], 100)} {len(pair[1].hits)}",
    )
    listed = [
        (path[len(prefix) :] if place == 0 else "", line, text)
        for path, entry in files.items()
        for place, (_, line, text) in enumerate(entry.hits)
    ]
    ranks = [place for entry in files.values() for place in range(len(entry.hits))]
    facts.dense("notable", listed, ranks=ranks, rank=8, of_head=True, tell=lambda hit: _told(*hit))
    for path, entry in ordered[:20]:
        facts.anchor_line(path or "first hit", entry.hits[0][0])
    return ""


shape = Shape("grep", _score, _tell, holds_code=True)
