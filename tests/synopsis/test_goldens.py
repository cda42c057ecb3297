"""Whole stubs as they read, one file each: `tests/goldens/KIND/*.txt` with `---input---` and `---stub---`.

`UPDATE_GOLDENS=1 pytest tests/synopsis/test_goldens.py` writes the stubs anew; look at the difference before
you keep it. What must hold of any stub is checked even then. `---input escaped---` holds Python escapes.
"""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from toolstub_ext.synopsis import Synopsis, render, synopsize

FOLDER = Path(__file__).parents[1] / "goldens"
FILES = sorted(FOLDER.glob("*/*.txt"))
LARGE = 1500
PARTS = re.compile(r"---input(?P<escaped> escaped)?---\n(?P<input>.*)\n---stub---\n(?P<stub>.*)\n\Z", re.DOTALL)
LINED = re.compile(r"(?:^|, )line (?P<line>\d+): (?P<text>.{8,})")
INDEXED = re.compile(r"(?P<line>\d+) (?:[a-z]+ )?\.?(?P<name>[\w$]+)$")


@dataclass(frozen=True)
class Golden:
    """One file, taken apart."""

    path: Path
    mark: str
    raw: str
    stub: str

    @property
    def text(self) -> str:
        """The input as the tool printed it."""
        return self.raw.encode("latin-1", "backslashreplace").decode("unicode_escape") if self.mark else self.raw


def opened(path: Path) -> Golden:
    """Reads a golden file."""
    parts = PARTS.match(path.read_text(encoding="utf-8"))
    assert parts, f"{path} is not of the form ---input--- ... ---stub--- ..."
    return Golden(path, parts["escaped"] or "", parts["input"], parts["stub"])


def stub_of(synopsis: Synopsis, text: str) -> str:
    """The stub with the real digest of the text."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return render(synopsis, sha256=digest, ref=f"ts_{digest[:16]}", tool="shell", reason=f"{len(text)} > 1000 chars")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_stub_reads_as_agreed(path: Path) -> None:
    """The stub of the input is the one in the file, and holds what every stub must."""
    golden = opened(path)
    synopsis = synopsize(golden.text)
    stub = stub_of(synopsis, golden.text)
    assert synopsis.kind == path.parent.name
    check_invariants(golden.text, synopsis, stub)
    if os.environ.get("UPDATE_GOLDENS"):
        path.write_text(f"---input{golden.mark}---\n{golden.raw}\n---stub---\n{stub}\n", encoding="utf-8")
        return
    assert stub == golden.stub


def check_invariants(text: str, synopsis: Synopsis, stub: str) -> None:
    """Smaller than a large input; places and counts are those of the text, counted again in another way."""
    if len(text) > LARGE:
        assert len(stub) < len(text)
    lines = text.split("\n")
    for anchor in synopsis.anchors:
        assert anchor.line == text.count("\n", 0, anchor.offset) + 1
        assert text[anchor.offset : anchor.offset + anchor.length]
    for item in synopsis.notable_items:
        for found in LINED.finditer(item):
            shown = re.sub(r"\W", "", found["text"])[:12]
            assert shown in re.sub(r"\W", "", re.sub(r"\x1b\[[\d;]*m", "", lines[int(found["line"]) - 1]))
    recount(text, synopsis)


def recount(text: str, synopsis: Synopsis) -> None:
    """Counts of rows, items, files and definitions, by the plainest means there are."""
    said = " ".join(synopsis.summary)
    if synopsis.kind in ("csv", "tsv"):
        delimiter = ";" if synopsis.variant == "semicolon" else "\t" if synopsis.kind == "tsv" else ","
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(row)]
        above = len(list(itertools.takewhile(lambda row: row[0].startswith("#"), rows))) or 1
        assert f"{len(rows) - above} rows" in said
    if synopsis.kind == "json" and synopsis.variant is None:
        assert str(len(json.loads(text))) in said
    if synopsis.kind == "code":
        for item in synopsis.structure[0].split(" · "):
            indexed = INDEXED.match(item)
            if indexed and synopsis.variant != "numbered":
                assert indexed["name"] in text.split("\n")[int(indexed["line"]) - 1]


def test_there_is_a_golden_for_every_kind() -> None:
    """Each of the eight kinds has at least one."""
    assert {path.parent.name for path in FILES} == {"json", "csv", "tsv", "yaml", "xml", "code", "text", "unknown"}
