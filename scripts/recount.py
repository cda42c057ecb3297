"""Counts what stubs say of a folder of outputs once more, in the simplest way there is, and compares.

    python scripts/recount.py CORPUS [--python INTERPRETER ...] [--budget N]

For every output listed in CORPUS/index.jsonl: the stub is within the cap and smaller than the output, if that is longer
than a stub; it is the same in processes with another hash seed, locale, time zone and, with `--python`, another Python;
what it counts is what is there, by csv, json, xml.etree, ast and str.split; and its anchors and line numbers lead to
what they name. What is marked as an estimate (`~`, `>=`, "at least", "in the first") is not recounted. The status is 1
if anything differs.
"""

from __future__ import annotations

import argparse
import ast
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from toolstub_ext.synopsis import Synopsis, render, synopsize  # noqa: E402

CAP = 2_300
DELIMITERS = {"comma": ",", "tab": "\t", "semicolon": ";", "pipe": "|"}
_INDEXED = re.compile(r"(?:^|· )(\d+) ((?:(?! · ).){3,})")
_FRAME = re.compile(r"<\w+>|Exit code|.{0,80}(?:cat -n|returncode|exit code)", re.IGNORECASE)
_CLIPPED = "…"

csv.field_size_limit(1 << 30)


def outputs(corpus: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each."""
    for line in (corpus / "index.jsonl").read_text(encoding="utf-8").splitlines():
        name = json.loads(line)["file"]
        yield name, (corpus / name).read_bytes().decode("utf-8", "replace")


def stub_of(text: str, synopsis: Synopsis) -> str:
    """As it stands in place of a tool result."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return render(synopsis, sha256=digest, ref=f"ts_{digest[:16]}", tool="tool", reason="over")


def digests(corpus: Path, budget: int) -> dict[str, str]:
    """Of the stub of each output, with all that its anchors say."""
    made = {}
    for name, text in outputs(corpus):
        synopsis = synopsize(text, budget=budget)
        said = f"{stub_of(text, synopsis)}{[(a.label, a.offset, a.length, a.line) for a in synopsis.anchors]}"
        made[name] = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
    return made


def elsewhere(corpus: Path, budget: int, interpreters: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The digests of other processes."""
    worlds = [("1", "C", "UTC"), ("4242", "tr_TR.UTF-8", "Pacific/Apia"), ("7", "de_DE.UTF-8", "Asia/Kolkata")]
    for number, (seed, locale, zone) in enumerate(worlds):
        python = ([*interpreters, sys.executable] * len(worlds))[number]
        world = os.environ | {"PYTHONHASHSEED": seed, "LC_ALL": locale, "LANG": locale, "TZ": zone}
        done = subprocess.run(
            [python, __file__, str(corpus), "--budget", str(budget), "--digests"],
            env=world, capture_output=True, text=True, encoding="utf-8", check=True)
        yield f"{python}, hash seed {seed}, {locale}", json.loads(done.stdout)


def table(text: str, said: str) -> Iterator[tuple[str, object, object]]:
    """Rows, columns and rows of another width, by csv.reader over the whole text."""
    match = re.match(r"(\d+) rows?, (\d+) columns?, (comma|tab|semicolon|pipe)$", said.split("\n", maxsplit=1)[0])
    if match is None:
        return
    rows = [row for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""),
                                      delimiter=DELIMITERS[match[3]]) if any(cell.strip() for cell in row)]
    width = len(rows[0])
    if width == 1:  # a line of its own stands above the table
        ((width, _),) = Counter(map(len, rows)).most_common(1)
    yield "rows", int(match[1]), len(rows) - 1
    yield "columns", int(match[2]), width
    odd = re.search(r"^(\d+) rows? of another width \(([\d, ]+) fields?\)", said, re.MULTILINE)
    other = [len(row) for row in rows if len(row) != width]
    yield "rows of another width", int(odd[1]) if odd else 0, len(other)
    if odd:
        yield "their widths", [int(n) for n in odd[2].split(",")], sorted(set(other))
    elif "in the first" not in said:
        yield from _columns(rows, said)


def _columns(rows: list[list[str]], said: str) -> Iterator[tuple[str, object, object]]:
    """How many different values a column has, between which numbers, and whether all differ, where it is said."""
    for number, name in enumerate(rows[0]):
        values = [row[number].strip() for row in rows[1:] if row[number].strip()]
        told = re.search(rf"(?:^|· ){re.escape(name)} (string|int)(?: (\d+) values| (-?\d+)\.\.(-?\d+))?( unique)?",
                         said, re.MULTILINE)
        if told is None or not name or rows[0].count(name) > 1:
            continue
        if told[2]:
            yield f"values of {name}", int(told[2]), len(set(values))
        if told[3]:
            whole = [int(value) for value in values if re.fullmatch(r"[+-]?\d+", value)]
            yield f"range of {name}", (int(told[3]), int(told[4])), (min(whole), max(whole))
        if told[5]:
            yield f"unique {name}", len(values), len(set(values))


def tree(text: str, said: str) -> Iterator[tuple[str, object, object]]:
    """Items and keys, by json.loads."""
    if told := re.match(r"(\d+) records?, one a line", said):
        yield "records", int(told[1]), sum(map(_is_json, text.split("\n")))
        return
    try:
        value = json.loads(text.removeprefix("\ufeff"), strict=False)
    except ValueError:
        return
    if told := re.match(r"an envelope: (\S+) is a text of (\d+) characters?; ", said):
        inner = _at(value, told[1])
        yield "characters inside", int(told[2]), len(inner)
        yield from tree(inner, re.sub(r"\A.*\n(?:beside it: .*\n)?", "", said))
        return
    if told := re.search(r"^array of (\d+)", said):
        yield "items", int(told[1]), len(value)
    if told := re.search(r"^object of (\d+) keys?", said, re.MULTILINE):
        yield "keys", int(told[1]), len(value)
        for name, count in re.findall(r"(?:: |· )([\w-]+) array of (\d+)", said.split("\n", maxsplit=1)[0]):
            yield f"items of {name}", int(count), len(value.get(name, ()))
    if told := re.search(r"^Jupyter notebook, (\d+) cells?", said):
        yield "cells", int(told[1]), len(value["cells"])
    for path, shown in re.findall(r"(?:examples: |· )((?:[\w-]+|\[\d+\])(?:\.[\w-]+|\[\d+\])*) = (\S[^·]*?)(?= · |$)",
                                  said, re.MULTILINE):
        if _CLIPPED not in shown and "****" not in shown:
            yield path, json.loads(shown), _at(value, path)


def _at(value: Any, path: str) -> Any:
    """What stands at `a.b[0].c`."""
    for step in re.findall(r"[\w-]+", path):
        value = value[int(step)] if isinstance(value, list) else value.get(step)
    return value


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def elements(text: str, said: str) -> Iterator[tuple[str, object, object]]:
    """Elements, attributes and children of the root, by xml.etree."""
    told = re.match(r"root (\S+), (\d+) attributes?; (\d+) elements?", said)
    if told is None:
        return
    root = ET.fromstring(text.strip())  # noqa: S314
    yield "elements", int(told[3]), sum(1 for _ in root.iter())
    children = Counter(re.sub(r"\{.*\}", "", child.tag) for child in root if isinstance(child.tag, str))
    for name, count in re.findall(r"(?:^children: |· )([\w:.-]+): (\d+)", said, re.MULTILINE):
        yield f"children {name}", int(count), children[name.rpartition(":")[2]]


def program(text: str, said: str) -> Iterator[tuple[str, object, object]]:
    """Functions and classes of Python, by ast."""
    told = re.search(r"^python, \d+ lines?; (.*)$", said, re.MULTILINE)
    if told is None:
        return
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError):
        return
    kinds = {"function": (ast.FunctionDef, ast.AsyncFunctionDef), "class": (ast.ClassDef,)}
    for count, name in re.findall(r"(\d+) (function|class)", told[1]):
        yield name, int(count), sum(isinstance(node, kinds[name]) for node in nodes)


def difference(text: str, said: str) -> Iterator[tuple[str, object, object]]:
    """Lines added and removed and hunks, by what lines begin with inside hunks."""
    told = re.search(r"^diff of (\d+) files?: (\d+) lines? added, (\d+) removed, (\d+) hunks?", said, re.MULTILINE)
    if told is None:
        return
    added = removed = hunks = old = new = 0
    for line in text.replace("\r\n", "\n").split("\n"):
        if old > 0 or new > 0:
            added += line[:1] == "+"
            removed += line[:1] == "-"
            old -= line[:1] in ("-", " ", "")
            new -= line[:1] in ("+", " ", "")
        elif head := re.match(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@", line):
            hunks += 1
            old, new = (1 if part is None else int(part) for part in head.groups())
    yield "lines added, removed, hunks", tuple(map(int, told.groups()[1:])), (added, removed, hunks)


def prose(text: str, said: str) -> Iterator[tuple[str, object, object]]:
    """Characters, words and lines, by len and str.split."""
    if told := re.search(r"^(\d+) characters, (\d+) words?, (\d+) lines?$", said, re.MULTILINE):
        yield "characters, words, lines", tuple(map(int, told.groups())), (
            len(text), len(text.split()), text.count("\n") + (not text.endswith("\n")))
    if told := re.search(r"^Markdown, (\d+) lines?, (\d+) words?", said, re.MULTILINE):
        yield "lines, words", tuple(map(int, told.groups())), (
            text.count("\n") + (not text.endswith("\n")), len(text.split()))
    if told := re.search(r"^(\d+) commits?, ", said, re.MULTILINE):
        commits = re.findall(r"^[*|/\\ ]*commit [0-9a-f]{7,40}\b", text, re.MULTILINE)
        yield "commits", int(told[1]), len(commits) or int(told[1])
    if told := re.search(r"; (\d+) NULs?", said):
        yield "NULs", int(told[1]), text.count("\0")
    if told := re.search(r"^(\d+) hits? in (\d+) files?$", said, re.MULTILINE):
        hits = [found[1] for line in text.split("\n") if (found := re.match(r"(.+?):\d+:", line))]
        yield "hits, files", tuple(map(int, told.groups())), (len(hits), len(set(hits)))
    if told := re.search(r"^log, (\d+) lines?", said, re.MULTILINE):
        yield "lines", int(told[1]), text.count("\n") + (not text.endswith("\n"))


RECOUNTS: dict[str, Sequence[Callable[[str, str], Iterator[tuple[str, object, object]]]]] = {
    "csv": (table,), "tsv": (table,), "json": (tree,), "xml": (elements,), "code": (program,),
    "text": (prose, difference), "unknown": (prose,),
}


def miscounted(text: str, synopsis: Synopsis) -> Iterator[str]:
    """Each figure that is not what there is."""
    if (synopsis.chars, synopsis.lines) != (len(text), text.count("\n") + (bool(text) and not text.endswith("\n"))):
        yield f"{synopsis.chars} characters, {synopsis.lines} lines"
    if "\x1b" in text or "\r" in text.replace("\r\n", "") or "numbered" in synopsis.title or _FRAME.match(text):
        return  # what is counted then is what a terminal shows, or what the tool put a frame or numbers around
    said = "\n".join([*synopsis.summary, *synopsis.structure, *synopsis.notable_items])
    for recount in RECOUNTS.get(synopsis.kind, ()):
        for what, told, found in recount(text, said):
            if told != found:
                yield f"{what}: told {told!r}, found {found!r}"


def misplaced(text: str, synopsis: Synopsis) -> Iterator[str]:
    """Each anchor and each `12 name` of an index that does not lead to what it names."""
    lines = text.split("\n")
    for anchor in synopsis.anchors:
        if anchor.line != text.count("\n", 0, anchor.offset) + 1 or anchor.offset + anchor.length > len(text):
            yield f"{anchor} has another line"
    if synopsis.kind not in ("code", "text", "yaml") or (synopsis.variant or "").endswith("numbered"):
        return
    for place, name in (found for line in synopsis.structure for found in _INDEXED.findall(line)):
        words = re.findall(r"\w+", name.replace(_CLIPPED, " ").partition(" (×")[0])[:1]
        near = "\n".join(lines[max(0, int(place) - 1):int(place) + 1])
        is_name = words and words[0] not in ("columns", "keys") and int(place) <= len(lines)
        if is_name and words[0] not in near:
            yield f"line {place} does not hold {words[0]!r} of {name[:60]!r}"


def main() -> int:
    """Prints what differs, and how much was looked at."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--python", action="append", default=[], help="another Python that has what toolstub needs")
    parser.add_argument("--budget", type=int, default=1_000)
    parser.add_argument("--digests", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.digests:
        print(json.dumps(digests(given.corpus, given.budget)))
        return 0
    wrong: list[str] = []
    for name, text in outputs(given.corpus):
        synopsis = synopsize(text, budget=given.budget)
        stub = stub_of(text, synopsis)
        if len(stub) > CAP or CAP < len(text) <= len(stub):
            wrong.append(f"{name}: a stub of {len(stub)} characters for {len(text)}")
        wrong += [f"{name}: {line}" for line in (*miscounted(text, synopsis), *misplaced(text, synopsis))]
    here = digests(given.corpus, given.budget)
    for where, others in elsewhere(given.corpus, given.budget, given.python):
        wrong += [f"{name}: another stub in {where}" for name in here if here[name] != others.get(name)]
    print("\n".join([*wrong, f"{len(here)} outputs, {len(wrong)} findings"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
