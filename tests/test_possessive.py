r"""Possessive repeats of a group, as in `(?:[^"\\]++|\\.|(?!))*+`, end with an alternative that never matches.

CPython before 3.11.5 goes on from where the last, failed try of such a group gave up, and not from where it began
(python/cpython#106052), unless its last alternative fails at once. Debian 12 has such a Python.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import toolstub_ext
import toolstub_proxy
from toolstub_ext.store.pointer import end_of
from toolstub_ext.synopsis import synopsize

_REPEATED = re.compile(r"(?<![\\(])\)(?:[*?+]|\{\d*,?\d*\})\+")
_SOURCES = [path for package in (toolstub_ext, toolstub_proxy)
            for path in sorted(Path(package.__path__[0]).rglob("*.py"))]


def _unguarded(source: str) -> list[str]:
    return [line.strip() for line in source.splitlines() for found in _REPEATED.finditer(line)
            if not line[:found.start()].endswith("|(?!)")]


@pytest.mark.parametrize(("source", "found"), [
    (r"'(?:a|b)*+'", 1), (r"'(?:a|b|(?!))*+'", 0), (r"'(?:a)?+ (?:b)++ (?:c){2,}+'", 1), (r"'[^a]*+ b?+'", 0),
    (r"'\)*+'", 0),
])
def test_what_is_looked_for_is_found(source: str, found: int) -> None:
    """The check itself."""
    assert len(set(_unguarded(source))) == found


def test_every_such_group_is_guarded() -> None:
    """In all modules."""
    wrong = {path.name: lines for path in _SOURCES if (lines := _unguarded(path.read_text("utf-8")))}
    assert not wrong
    assert sum(source.read_text("utf-8").count("|(?!))") for source in _SOURCES) > 5


def test_texts_that_give_up_within_a_group_are_read_alike_by_every_python() -> None:
    """Brackets that nest deeper than a pattern sees, a string that a window cuts, a tag with attributes."""
    assert end_of("[" * 50 + "]" * 50, 0) == 100
    assert end_of('["' + "x" * (1 << 21) + '"]', 0) == (1 << 21) + 4
    page = "<items>" + '<item id="1">one</item>' * 3 + "</items>"
    assert "children: item: 3" in synopsize(page).summary
