"""A listing of files: how many, where most of them are, and their names by folder."""

from __future__ import annotations

from collections import Counter

from ..facts import Facts
from ..look import Look, look
from ..model import PROBE_CHARS, Source
from ..patterns import Pattern, holds
from ..wording import count, one_line
from .shape import Shape, mostly, share, spread

_LONG = Pattern(
    r"(?:\s{0,12}\d{1,12}\s{1,12}\d{1,12}\s{1,4})?"  # inode and blocks, as `find -ls` has them
    r"(?P<type>[-dlcbpsh])[-rwxsStTl]{9}[.+@]?\s+(?:\d+\s+\S+\s+\S+|\S+/\S+)\s+(?P<size>[\d.,]+[KMGT]?)\s+"
    r"(?:\d{4}-\d\d-\d\d \d\d:\d\d\S*(?: [+-]\d{4})?|\S+\s+\S+\s+\S+)\s+(?P<name>.{1,300})"
)
_TREE = Pattern(r"(?:[│|├└─`\s+-]|\xa0){0,200}?(?:├──|└──|├─┬|└─┬|\|--|`--|\+--) ?(?P<name>.{1,300})")
_DIR = Pattern(
    r"(?:\d\d[/.-]){2}\d{4} +\d\d:\d\d(?: [AP]M)? +"
    r"(?:<(?P<type>D|J|S)\w{2,9}>|(?P<size>[\d,.]{1,20})) +(?P<name>\S.{0,300})"
)
_GIT = Pattern(r"\d{6} (?:blob|tree|commit) [0-9a-f]{40,64}\s+(?:\S+\s+)?(?P<name>.{1,400})")
_ZIP = Pattern(
    r"\s{0,12}(?P<size>\d{1,15}) +(?:[A-Z]\w{2,5}(?::\w)? +\d{1,15} +-?\d{1,3}% +)?"
    r"\d{2,4}-\d\d-\d{2,4} \d\d:\d\d +(?:[0-9a-f]{8} +)?(?P<name>\S.{0,300})"
)
"""An entry of an archive as `unzip -l` and `unzip -v` print it."""
_PATH = Pattern(
    r"\s{0,12}(?:[MADRCU?! ]{1,2} ++|- )?(?P<name>(?:[A-Za-z]:)?[\w@.+~,=$()\[\] -]{0,120}?(?:[/\\][\w@.+~,=$()\[\]{} "
    r"-]{0,160}){1,40}|[\w@+~-]{1,120}\.\w{1,10}|\.\w{1,40}|[\w-]{1,60}/?)$"
)
_ENTRIES = (_LONG, _GIT, _TREE, _DIR, _ZIP)
_NAME = Pattern(r"\S[^\t=;(){}:]{0,120}:?$")
_HEADING = Pattern(r"(?P<folder>\S.{0,300}):$")
_NO_NAME = Pattern(r"[ :\\\t\xa0]")
"""What does not stand in a line that is a name and nothing else."""
_NO_SIZES = ("", "0", "4096")
_TOGETHER = 8
_LAST = 1000
_LEAST_NAMES = 12
_WORD = Pattern(r"[\w.@~$+][\w.@~$+:/,'*=-]{0,80}$")
_DULL = frozenset((
    "docs", "doc", "tests", "test", "testing", "locale", "locales", "static", "__pycache__", "node_modules", ".git",
    "dist", "build", "vendor", "fixtures", "migrations", "examples", "assets", "images", "testdata", ".github",
))  # fmt: skip
_AMISS = ("UNMET ", "invalid: ", "extraneous", "missing: ")
"""What `npm ls` says of packages that are not as they should be."""
_MOST_AMISS = 3
_GOES_ON = (" \\", "\t\\")
"""How lines of recipes end that name files one below the other."""
_NOT_FOUND = Pattern(r"\w{1,20}: (?:cannot access|cannot open) .{1,300}: ")


def _score(source: Source) -> float:
    probe = source.probe
    if len(probe) < 3:
        return 0.0
    seen = look(source)
    if seen.first.startswith("-----BEGIN"):
        return 0.0
    git = share(probe, _GIT.match) if seen.begins("100644", "100755", "040000", "120000", "160000") else 0.0
    long = share(probe, _of_long) if _shows_rights(seen) else 0.0
    tree = share(probe, _TREE.match) if seen.begins("├──", "├─┬", "│", "└──", "|--", "|", "`--", "+--") else 0.0
    failed = share(probe, _NOT_FOUND.match) if any(word.endswith(":") for word in seen.words) else 0.0
    headed = probe[0].endswith(":") and (any(map(_is_folder, probe)) or _descends(source))
    if headed and share(probe, _NAME.match) > 0.9:
        return 0.8
    windows = share(probe, _DIR.match) if seen.has(" <DIR> ") else 0.0
    packed = share(probe, _ZIP.match) if seen.first == "Archive:" else 0.0
    if max(git, tree, failed, windows, packed) > 0.5 or (long > 0.6 and any(map(_LONG.match, probe))):
        return 0.95
    if _names_alone(source):
        return 0.6
    if share(probe, lambda line: "/" in line or "\\" in line) < 0.5:
        return 0.0
    paths = share(
        probe,
        lambda line: (
            line.count(" ") - line.count("\t") <= 4 and len(line) < 260 and "://" not in line
            and not line.endswith(_GOES_ON) and _PATH.match(line)
        ),
    )
    return 0.5 + 0.4 * paths if paths > 0.75 else 0.0


def _shows_rights(seen: Look) -> bool:
    """Whether lines begin with what may be done with a file or, behind numbers, hold it."""
    begun = any(len(word) > 9 and word[0] in "-dlcbps" and word[1] in "-r" for word in seen.words)
    return begun or (seen.has(" -rw", " drw", " lrw") and any(map(str.isdigit, seen.words)))


def _of_long(line: str) -> bool:
    """Whether it is a line of `ls -l`."""
    return bool(_LONG.match(line) or line.startswith("total ") or (line.endswith(":") and _HEADING.match(line)))


def _is_folder(line: str) -> bool:
    """Whether it is the path of a folder above what is in it."""
    return line.endswith(":") and line.startswith(("/", "./", "../"))


def _names_alone(source: Source) -> bool:
    """Whether each line is a name and nothing else, hardly one of them twice: files in a folder, or words."""
    probe = source.probe
    if len(probe) < _LEAST_NAMES or not _WORD.match(probe[0]) or not mostly(look(source).few, _WORD.match, 0.8):
        return False
    if len(set(probe)) < 0.9 * len(probe):
        return False
    lettered = sum(1 for line in probe if any(map(str.isalpha, line)))
    return lettered > 0.9 * len(probe) and mostly(probe, _WORD.match, 0.97)


def _descends(source: Source) -> bool:
    """Whether a folder inside the one that the first line names is listed below it."""
    start = source.clean[:PROBE_CHARS]
    within = start.find(f"\n{source.probe[0][:-1]}/")
    return within > 0 and source.clean[within + 1 : within + 400].partition("\n")[0].endswith(":")


def _entries(lines: list[str]) -> list[tuple[int, str, str, str]]:
    """Line, folder, name and size of each entry."""
    found: list[tuple[int, str, str, str]] = []
    folder = ""
    forms = (_ZIP,) if lines[0].startswith("Archive:") else _ENTRIES
    for number, line in enumerate(lines, 1):
        if forms is _ENTRIES and not _NO_NAME.search(line):
            if "/" not in line and line:
                found.append((number, folder, line, ""))
            elif line:
                head, slash, tail = line.rstrip("/").rpartition("/")
                found.append((number, folder + head + slash, tail + ("/" if line[-1] == "/" else ""), ""))
            continue
        if not line.strip() or line.startswith("total "):
            continue
        match = next((each for form in forms if (each := form.match(line))), None)
        if match:
            name = match["name"].strip().partition(" -> ")[0]
            groups = match.groupdict()
            mark = "/" if groups.get("type") in ("d", "D") or name.endswith("/") else ""
            head, slash, tail = name.rstrip("/").rpartition("/")
            found.append((number, folder + head + slash, tail + mark, groups.get("size") or ""))
        elif forms is not _ENTRIES:
            continue
        elif (heading := _HEADING.match(line)) and "/" in line + "/":
            folder = heading["folder"].rstrip("/") + "/"
        elif path := _PATH.match(line):
            name = path["name"].strip().replace("\\", "/")
            head, slash, tail = name.rstrip("/").rpartition("/")
            found.append((number, folder + head + slash, tail + ("/" if name.endswith("/") else ""), ""))
    return found


def _tell(source: Source, facts: Facts) -> str:
    found = _entries(source.lines)
    folders = Counter([folder for _, folder, _, _ in found])
    endings = Counter(
        ending
        for _, _, name, _ in found
        if "." in name[1:] and (ending := name.rpartition(".")[2])[:1].isalpha() and not name.endswith("/")
    )
    where = f" in {count(len(folders), 'folder')}" if len(folders) > 1 else ""
    facts.say(f"{count(len(found), 'entry', 'entries')}{where}{source.part}; {count(source.line_index.count, 'line')}")
    missing = sum(1 for line in source.lines if _NOT_FOUND.match(line)) if holds(source.head, ": cannot ") else 0
    if missing:
        facts.say(f"{count(missing, 'line')} say that something could not be found")
    _tell_amiss(source, facts)
    if len(endings) > 1 and any(number > 1 for number in endings.values()):
        facts.dense(
            "summary",
            [f".{one_line(ending, 12)} {number}" for ending, number in endings.most_common(8)],
            rank=3,
            share=0.3,
            lead=f"{source.part.strip()}: " if source.partial else "",
        )
    shared = _shared(list(folders))
    if shared:
        facts.say(f"all under {one_line(shared, 120)}", rank=4)
    if len(folders) > 1:
        facts.dense(
            "structure",
            folders.most_common(),
            lead=f"folders{source.part}: ",
            of_head=True,
            rank=6,
            share=0.25,
            tell=lambda pair: f"{one_line(pair[0][len(shared) :] or './', 80)} {pair[1]}",
        )
    if len(folders) == 1:
        _tell_flat(source, facts, found)
    else:
        _tell_names(facts, found, shared)
    first_of = {folder: number for number, folder, _, _ in reversed(found)}
    for folder, _ in folders.most_common(12):
        facts.anchor_line(folder or "./", first_of[folder])
    if not found:
        facts.sample(source.head, 600)
    return ""


def _tell_amiss(source: Source, facts: Facts) -> None:
    """How many packages are not as they should be, and the first of them with their lines."""
    if not holds(source.head, *_AMISS):
        return
    amiss = [
        (number, line)
        for number, line in enumerate(source.lines, 1)
        if _TREE.match(line) and any(map(line.__contains__, _AMISS))
    ]
    for number, line in amiss[:_MOST_AMISS]:
        facts.notable(f"line {source.number(number)}: {one_line(line.strip('│├└─┬ '), 160)}", rank=2)
    if len(amiss) > _MOST_AMISS:
        facts.say(f"{count(len(amiss), 'line')} unmet, invalid, missing or extraneous{source.part}", rank=1)


def _tell_flat(source: Source, facts: Facts, found: list[tuple[int, str, str, str]]) -> None:
    """The names with their sizes, a few together behind the line of the first: from all over, where not all fit."""
    named = [(number, name if size in _NO_SIZES else f"{name} {size}") for number, _, name, size in found]
    between = ", " if any(" " in name for _, name in named) else " "
    facts.dense(
        "notable",
        [named[place : place + _TOGETHER] for place in range(0, len(named), _TOGETHER)],
        ranks=spread,
        rank=9,
        of_head=True,
        tell=lambda part: (
            f"{source.number(part[0][0])} {one_line(between.join(name for _, name in part), _TOGETHER * 140)}"
        ),
    )


def _tell_names(facts: Facts, found: list[tuple[int, str, str, str]], shared: str) -> None:
    """The names with their sizes by folder: the shallowest folders first, what others rarely ask for last."""
    names: dict[str, list[str]] = {folder: [] for _, folder, _, _ in found}
    for _, folder, name, size in found:
        names[folder].append(name if size in _NO_SIZES else f"{name} {size}")
    parts = [
        (folder[len(shared) :], listed[place : place + _TOGETHER])
        for folder, listed in names.items()
        for place in range(0, len(listed), _TOGETHER)
    ]
    between = ", " if any(" " in "\n".join(listed) for listed in names.values()) else " "
    facts.dense(
        "notable",
        parts,
        ranks=[_depth(folder) for folder, _ in parts],
        rank=9,
        of_head=True,
        lead="upper folders first: ",
        tell=lambda part: _lead(part[0]) + one_line(between.join(part[1]), _TOGETHER * 140),
    )


def _lead(folder: str) -> str:
    """`src/core/: `, nothing for the folder that all share."""
    return f"{one_line(folder.rstrip('/'), 100)}/: " if folder else ""


def _depth(folder: str) -> int:
    """How soon a folder is listed: by its depth, those that hold no sources after all others."""
    parts = folder.strip("/").split("/")
    return len(parts) + (_LAST if not _DULL.isdisjoint(parts) else 0) if folder else 0


def _shared(folders: list[str]) -> str:
    if len(folders) < 2:
        return folders[0] if folders and folders[0] else ""
    low, high = min(folders), max(folders)
    same = next((place for place, pair in enumerate(zip(low, high)) if pair[0] != pair[1]), min(len(low), len(high)))
    return low[: low.rfind("/", 0, same) + 1]


shape = Shape("listing", _score, _tell)
