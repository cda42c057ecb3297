"""Every figure holds for the whole text, or says for which part: what comes behind that part can be anything.

Two texts begin alike; far behind, one of them goes on with other values, other keys and new extremes. A line of both
stubs in which a figure stays the same can only be right if it says where the figure comes from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from toolstub_ext.synopsis import Synopsis, synopsize

MARKED = re.compile(
    r"in the first|from the first|of the first|all of the first|at least|as far as|≥|>=|~|about |types of|checked in"
    r"|both ends|the whole text"
)
PLACE = re.compile(
    r"(?:sections: )?(?:line )?\d+[: ]|line \d+|row 1:|first:|last:|begins|ends|opens with|text begins|examples: |\[\d+\]|item \d+"
    r"|failure, line|record 1|\S+ = "
)
FIGURE = re.compile(r"\d")


def lines_of(form: Callable[[int], str], size: int = 30_000) -> str:
    """Lines of one form."""
    return "".join(form(n) for n in range(size))


def _array(far: bool) -> str:
    items: list[object] = [{"id": n, "name": f"name {n}", "state": "open"} for n in range(8_000)]
    more: list[object] = [{"id": -5, "other": True, "state": "gone"} for _ in range(500)]
    return json.dumps(items + (more if far else items[:499]) + items[:1])


def _scalars(far: bool) -> str:
    items: list[object] = list(range(40_000))
    return json.dumps([*items, *(["word", 10**7] if far else [1]), 5])


def _events(far: bool) -> str:
    event = "event: {}\ndata: {}\n\n"
    more = event.format("strange", '{"id": -7, "y": 1}') if far else event.format("token", '{"id": 3}')
    return lines_of(lambda n: event.format("token", json.dumps({"id": n})), 6_000) + more * (40 + far)


TEXTS: dict[str, Callable[[bool], str]] = {
    "array": _array,
    "array of scalars": _scalars,
    "array in an object": lambda far: json.dumps({"total": "five", "items": json.loads(_array(far))}),
    "events": _events,
    "lines of JSON": lambda far: lines_of(lambda n: json.dumps({"id": n, "k": n % 3}) + "\n")
    + ('{"id": -9, "z": [1]}\n' if far else '{"id": 5, "k": 1}\n') * (9 + 3 * far),
    "values one behind the other": lambda far: lines_of(lambda n: json.dumps({"id": n, "k": n % 3}, indent=1) + "\n", 9_000)
    + ('{\n"id": -9, "z": [1]}\n' if far else '{\n"id": 5, "k": 1}\n') * (9 + 3 * far),
    "CSV that is read by row": lambda far: "id,size,tag\n" + lines_of(lambda n: f"{n},{n % 7},x{n % 3}\n", 4_100)
    + ("-7,900,new\n" if far else "7,3,x1\n") * (9 + 3 * far),
    "CSV": lambda far: "id,size,tag\n" + lines_of(lambda n: f"{n},{n % 7},x{n % 3}\n")
    + ("-7,many,\n" if far else "7,3,x1\n") * (9 + 3 * far),
    "TSV": lambda far: "id\tsize\ttag\n" + lines_of(lambda n: f"{n}\t{n % 7}\tx{n % 3}\n")
    + ("-7\tmany\t\n" if far else "7\t3\tx1\n") * (9 + 3 * far),
    "YAML": lambda far: lines_of(lambda n: f"- name: a{n}\n  size: {n}\n", 9_000)
    + ("- name: z\n  other: -5\n" if far else "- name: z\n  size: 5\n") * (9 + 3 * far),
    "XML": lambda far: "<list>\n" + lines_of(lambda n: f'<item id="{n}"><name>n{n}</name></item>\n', 9_000)
    + ("<other><x/></other>\n" if far else "<item><name>n</name></item>\n") * (9 + 3 * far) + "</list>\n",
    "HTML": lambda far: "<html><body>\n" + lines_of(lambda n: f"<h2>Part {n}</h2><p>Words.</p>\n", 9_000)
    + ("<h1>End</h1>\n" if far else "<h2>End</h2>\n") * (9 + 3 * far) + "</body></html>\n",
    "code": lambda far: lines_of(lambda n: f"def run_{n}(a):\n    return a + {n}\n\n\n", 6_000)
    + ("class Other:\n    pass\n\n\n" if far else "def run(a):\n    return a\n\n\n") * (9 + 3 * far),
    "numbers": lambda far: lines_of(lambda n: f"{n}\n", 40_000) + ("-5\n" if far else "5\n") * (9 + 3 * far) + "1\n",
    "a log": lambda far: lines_of(lambda n: f"2026-01-01 10:00:{n % 60:02} INFO step {n} done\n", 9_000)
    + ("2026-01-01 10:00:00 DEBUG quite another thing\n" if far else "2026-01-01 10:00:00 INFO step 3 done\n") * (99 + 3 * far)
    + "2026-01-01 10:00:59 INFO step 1 done\n",
    "a run": lambda far: lines_of(lambda n: f"step {n % 100} loss {n % 7}.5 rate {n % 3}\n", 12_000)
    + ("step 900 loss 99.5 rate 7\n" if far else "step 9 loss 3.5 rate 1\n") * (9 + 3 * far)
    + lines_of(lambda n: f"step {n % 100} loss {n % 7}.5 rate {n % 3}\n", 12_000),
    "hits": lambda far: lines_of(lambda n: f"src/a{n % 9}.py:{n + 1}:def f(a):\n", 9_000)
    + ("src/z.py:3:def f(b):\n" if far else "src/a1.py:3:def f(a):\n") * (9 + 3 * far),
    "a listing": lambda far: lines_of(lambda n: f"src/part{n % 9}/file{n}.py\n", 9_000)
    + ("doc/z.rst\n" if far else "src/part1/file.py\n") * (9 + 3 * far),
    "commits": lambda far: lines_of(lambda n: f"commit {n:040x}\nAuthor: A <a@b.c>\nDate:   Mon\n\n    Do {n}\n\n", 3_000)
    + (f"commit {7:040x}\nAuthor: {'Z' if far else 'A'} <a@b.c>\nDate:   Tue\n\n    Do\n\n") * (9 + 3 * far),
    "a diff": lambda far: lines_of(
        lambda n: f"diff --git a/f{n} b/f{n}\n--- a/f{n}\n+++ b/f{n}\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n", 3_000)
    + (f"diff --git a/z b/z\n--- a/z\n+++ b/z\n@@ -1,2 +1,2 @@\n-a\n{'+' if far else ' '}b\n c\n") * (9 + 3 * far),
    "Markdown": lambda far: lines_of(lambda n: f"## Part {n}\n\nSome words and [a link](u).\n\n- one\n\n", 4_000)
    + ("# Other\n\n```\nx\n```\n\n" if far else "words\n\n\nwords\n\n\n") * (9 + 3 * far),
    "settings": lambda far: lines_of(lambda n: f"[part{n}]\nsize = {n}\n", 9_000)
    + ("other = 1\nmore = 5\n" if far else "[x]\nsize = 3\n") * (9 + 3 * far),
    "a table with blanks": lambda far: "NAME      SIZE   AGE\n" + lines_of(lambda n: f"web-{n:05} {n % 7:4}   {n % 50:3}d\n", 9_000)
    + ("web-00001  900   900d\n" if far else "web-00001    3    12d\n") * (9 + 3 * far),
    "a drawn table": lambda far: "| id | size |\n|----|------|\n" + lines_of(lambda n: f"| {n} | {n % 7} |\n", 12_000)
    + ("| -5 | 900 |\n" if far else "| 5 | 3 |\n") * (9 + 3 * far),
    "a test report": lambda far: "=== test session starts ===\n" + lines_of(lambda n: f"tests/test_a.py::test_{n} PASSED\n", 9_000)
    + ("tests/test_z.py::test_z FAILED\n" if far else "tests/test_a.py::test_z PASSED\n") * (2 + far)
    + lines_of(lambda n: f"tests/test_a.py::test_{n} PASSED\n", 4_000),
    "a traceback": lambda far: "Traceback (most recent call last):\n"
    + lines_of(lambda n: f'  File "a.py", line {n}, in run\n    run()\n', 5_000)
    + ('  File "z.py", line 1, in other\n' if far else "    run()\n") * (9 + 3 * far) + "ValueError: no\n",
    "a printed value": lambda far: "[" + lines_of(lambda n: f"{{'id': {n}, 'tag': 'x'}}, ", 9_000)
    + ("{'other': 5}" if far else "{'id': 5}") + "]",
    "progress": lambda far: lines_of(lambda n: f"{n % 100:3}%|#####     | {n}/9000 [00:01<00:02, 5.0it/s]\n", 5_000)
    + ("quite another thing\n" if far else " 50%|#####     | 5/9000 [00:01<00:02, 5.0it/s]\n") * (9 + 3 * far)
    + lines_of(lambda n: f"{n % 100:3}%|#####     | {n}/9000 [00:01<00:02, 5.0it/s]\n", 500),
    "prose": lambda far: lines_of(lambda n: f"PART NUMBER {n} OF ALL\n\nIt was said that nobody knew.\n\n", 4_000)
    + ("Words without end. " if far else "Words, and no end of it.\n") * (9 + 3 * far),
}  # fmt: skip


def figures(synopsis: Synopsis) -> set[str]:
    """The lines with figures in them that name neither a part nor a place."""
    every = (*synopsis.summary, *synopsis.structure, *synopsis.notable_items)
    return {line for line in every if FIGURE.search(line) and not MARKED.search(line) and not PLACE.match(line)}


@pytest.mark.parametrize("made", TEXTS.values(), ids=TEXTS.keys())
def test_a_figure_that_does_not_follow_the_text_says_where_it_is_from(made: Callable[[bool], str]) -> None:
    """Counts, ranges, commonest values, keys: exact for the whole text, or marked."""
    alike, other = figures(synopsize(made(False))), figures(synopsize(made(True)))
    assert not alike & other


@pytest.mark.parametrize("text", ["\ufeff" + "Words and words.\r\n" * 900, "\x1b[1mWords\x1b[0m and words.\n" * 900])
def test_there_is_one_count_of_characters(text: str) -> None:
    """The original's, whatever is cleaned for reading."""
    assert any(f"{len(text)} characters" in line for line in synopsize(text).summary)


def test_how_often_a_line_comes_is_exact_or_at_least() -> None:
    """Where not all lines are looked at, no line is called the last."""
    run = lines_of(lambda n: f"epoch {n} cost {n % 7}.25 rate {n % 3}\n" * 9 + f"Time elapsed: {n}.5 min\n", 90)
    assert any("(90 alike; last, line 900: Time elapsed: 89.5 min)" in line for line in synopsize(run).notable_items)
    errors = lines_of(lambda n: f"ERROR: disk {n} full\n", 9_000)
    assert any("(at least 400 alike)" in line for line in synopsize(errors).notable_items)


def test_items_that_are_too_long_to_read_have_their_type() -> None:
    """They are strings and objects, not nulls."""
    long = "x" * 200_000
    assert synopsize(json.dumps([long, "a", "b"])).summary == ("array of 3: string (in the first 1 and the last)",)
    objects = synopsize(json.dumps([{"a": long, "b": 1}] * 3))
    assert objects.summary == ("array of 3 objects with 2 keys: a, b (in the first 1)",)
    assert not any("null" in line for line in objects.structure)
