"""How long a synopsis takes, against what it takes to parse or only to count."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

import orjson

from toolstub_ext.synopsis import render, synopsize

from . import inputs
from .inputs import KINDS, MB
from .measuring import Figure, milliseconds, ratio

_SMALL = 20_000


def figures(*, full: bool) -> Iterator[Figure]:
    """All of the table's first half."""
    yield _against("json", orjson.loads, "orjson.loads", 0.3)
    yield _speed("csv", 600)
    yield _speed("tsv", 2000)
    yield _rows_told(300 if full else 60)
    yield Figure("yaml, 1 MB", milliseconds(_fresh("yaml", MB), stub, rounds=15), "ms", 15)
    yield _against("xml", ET.fromstring, "ElementTree.fromstring", 0.42)
    yield _against("code", lambda text: text.count("\n"), 'str.count("\\n")', 3)
    yield _speed("log", 300)
    yield _speed("text", 300)
    yield _speed("chinese", 150)
    for kind in KINDS:
        measured = milliseconds(_fresh(kind, _SMALL), stub, rounds=61)
        yield Figure(f"{kind}, 20 KB", measured, "ms", 2.5 if kind == "yaml" else 0.8)


def stub(text: str) -> str:
    """A text as the model would see it."""
    return render(synopsize(text), sha256="0" * 64, ref="ts_0000000000000000", tool="fetch")


def _fresh(kind: str, size: int) -> Callable[[], str]:
    """Makes copies of one text, so that nothing a string remembers about itself helps."""
    data = KINDS[kind](size).encode()
    return data.decode


def _against(kind: str, theirs: Callable[[str], object], name: str, goal: float) -> Figure:
    measured = ratio(_fresh(kind, 10 * MB), stub, theirs, rounds=7 if kind in ("json", "xml") else 21)
    return Figure(f"{kind}, 10 MB, against {name}", measured, "x", goal)


def _speed(kind: str, goal: float) -> Figure:
    make = _fresh(kind, 10 * MB)
    size = len(make().encode()) / MB
    return Figure(f"{kind}, 10 MB", size / milliseconds(make, stub, rounds=11) * 1e3, "MB/s", goal, at_least=True)


def _rows_told(tables: int) -> Figure:
    """How often the number of rows in the synopsis is not what `csv.reader` counts."""
    texts = [KINDS["csv"](10 * MB), *inputs.tables_with_traps(tables)]
    wrong = sum(_told(text) != sum(1 for _ in csv.reader(io.StringIO(text, newline=""))) - 1 for text in texts)
    return Figure(f"csv rows told wrong, of {len(texts)} tables", wrong, "", 0)


def _told(text: str) -> int | None:
    synopsis = synopsize(text)
    found = re.search(r"(?<![\d,~≥=])([\d,]+) rows", " ".join((synopsis.title, *synopsis.summary)))
    return int(found[1].replace(",", "")) if found else None
