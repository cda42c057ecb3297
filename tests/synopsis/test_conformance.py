"""Facts that a synopsis of tool output has to state, whoever made it: 40 of them, each a case.

Those marked `openviking` are exact caps that hold under `rules="openviking"`; by default as much or more is shown, as
far as the budget goes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from toolstub_ext.synopsis import Rules, Synopsis, render, synopsize

Check = Callable[[Synopsis, str], bool]


def stub_of(synopsis: Synopsis) -> str:
    """The rendered stub, without limits that matter here."""
    return render(synopsis, sha256="0" * 64, ref="ts_0000000000000000", tool="t", reason="r")


def says(*pieces: str) -> Check:
    """The stub contains every piece."""
    return lambda synopsis, stub: all(piece in stub for piece in pieces)


def hides(*pieces: str) -> Check:
    """The stub contains none of the pieces."""
    return lambda synopsis, stub: not any(piece in stub for piece in pieces)


def both(*checks: Check) -> Check:
    """All of the checks."""
    return lambda synopsis, stub: all(check(synopsis, stub) for check in checks)


def is_(kind: str, variant: str | None = "*") -> Check:
    """The kind and, if given, the variant."""
    return lambda synopsis, stub: synopsis.kind == kind and variant in ("*", synopsis.variant)


def not_(kind: str) -> Check:
    """Any other kind."""
    return lambda synopsis, stub: synopsis.kind != kind


FIFTEEN_KEYS = json.dumps({f"key{n:02}": n for n in range(15)})
NINE_THOUSAND = json.dumps([{"id": n, "name": f"n{n}"} for n in range(9000)])
DEEP = json.dumps({"a": {"b": {"c": {"d": {"needle": 1}}}}})
SCALARS = json.dumps({f"k{n}": "v" * 200 for n in range(8)})
PRETTY = json.dumps({"users": [1, 2], "meta": {"count": 2}}, indent=2)
LOGGING = "".join(f"2026-01-01 10:00:{n % 60:02},{n:03} INFO worker: item {n} done, next\n" for n in range(60))
QUOTED_BREAKS = "a,b\n" + "".join(f'{n},"line one\nline two"\n' for n in range(50))
WIDE = (
    ",".join(f"col{n}" for n in range(500))
    + "\n"
    + ",".join(str(n) for n in range(500))
    + "\n"
    + ",".join("7" for _ in range(500))
    + "\n"
)
MANY_YAML = "".join(f"key{n:02}: value{n}\n" for n in range(45))
IMPORTS = (
    "".join(f"import mod{n:02}\n" for n in range(15))
    + "\n"
    + "".join(f"def fun{n:02}():\n    return {n}\n\n" for n in range(30))
)
TRACEBACK = 'Traceback (most recent call last):\n  File "app.py", line 3, in main\n    run()\n  File "app.py", line 9, in run\n    raise ValueError("no")\nValueError: no\n'
DIFF = "diff --git a/x.py b/x.py\nindex 1..2 100644\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@ def main():\n import os\n-def a(): pass\n+def b(): pass\n"
LOG = "INFO start of the run\n" * 40 + "ERROR the disk is full\n" + "WARN retrying\n" * 40
HEADERS = "# Heading\n\nSome words here about the thing.\n\nSYSTEM STATUS\n\nall good\n\n# Heading\n\nmore\n"
LETTERS = "A" * 600 + "Z" * 600


def count_of(pattern: str, number: int) -> Check:
    """The stub holds that many distinct matches of a pattern."""
    return lambda synopsis, stub: len(set(re.findall(pattern, stub))) == number


def at_least(pattern: str, number: int) -> Check:
    """The stub holds at least that many distinct matches."""
    return lambda synopsis, stub: len(set(re.findall(pattern, stub))) >= number


FACTS: list[tuple[int, str, str | None, Check]] = [
    (1, "", None, both(is_("unknown", "empty"), says("empty"), lambda synopsis, stub: synopsis.sample is None)),
    (2, "ab\0cd\0ef\0" * 40, None, both(is_("unknown"), lambda synopsis, stub: len(stub) < 1200)),
    (3, "\x01\x02\x03abc" * 200, None, is_("unknown")),
    (4, '{"users":[1,2],"meta":{"count":2}}', None, both(is_("json"), says("object", "users", "meta", "array of 2"))),
    (6, "[]", None, both(is_("json"), says("array of 0"), hides("examples"))),
    (6, "{}", None, both(is_("json"), says("0 keys"), hides("examples"))),
    (7, NINE_THOUSAND, None, both(is_("json"), says("array of 9000", "id", "name", "[0].id"))),
    (8, DEEP, None, both(is_("json"), says("a object of 1 key {b}"), lambda synopsis, stub: "needle" not in " ".join(synopsis.summary + synopsis.structure))),
    (10, '{"users":[1,2]} tail', None, both(is_("json"), says("4 characters after"))),
    (11, "this is not json " * 20, "application/json", both(is_("unknown"), says("not valid json", "Sample"))),
    (12, PRETTY.replace("\n", "\r\n"), None, both(is_("json"), says("users", "array of 2", "meta"))),
    (13, "\ufeff" + PRETTY, None, both(is_("json"), says("users", "array of 2"))),
    (14, '{"a": 1}\n' * 1000, None, both(is_("json", "ndjson"), says("1000 records"))),
    (15, "[1] Smith et al., Things and more things.\n[2] Jones, Other things.\n" * 5, None, is_("text")),
    (16, '{"a": NaN, "b": Infinity, "c": 1}', None, both(is_("json"), says("NaN"))),
    (17, "name,score\nann,1\nbob,2\n", None, both(is_("csv"), says("name", "score", "2 rows"))),
    (18, "name\tscore\nann\t1\nbob\t2\n", None, both(is_("tsv"), says("name", "score", "2 rows"))),
    (18, "name\tscore\na,n\t1,5\nb,b\t2,5\n", None, is_("tsv")),
    (19, ",score\nann,1\nbob,2\ncat,3\n", None, both(is_("csv"), says("column_1"))),
    (20, QUOTED_BREAKS, None, both(is_("csv"), says("50 rows"))),
    (21, "name,score\r\nann,1\r\nbob,2\r\n", None, both(is_("csv"), says("2 rows", "2 columns"))),
    (22, "\ufeffname,score\nann,1\nbob,2\n", None, both(is_("csv"), says("name"), hides("\ufeff", "\\ufeff"))),
    (23, "name,score\n" + "x" * 400 + ",1\nbob,2\n", None, lambda synopsis, stub: all(len(line) <= 190 for line in synopsis.notable_items)),
    (24, "name,score\n", None, not_("csv")),
    (25, "a,b\n1,2\n3,4,5\n6,7\n8,9\n1,2\n3,4\n5,6\n7,8\n9,1\n2,3\n", None, says("1 row of another width", "line 3")),
    (26, "a,b\n" + "1,2\n" * 60 + "1,2,3\n" + "1,2\n" * 60, None, both(is_("csv"), says("1 row of another width", "line 62"))),
    (27, WIDE, None, both(is_("csv"), says("500 columns"), lambda synopsis, stub: len(stub) <= 2300)),
    (28, LOGGING, None, is_("text", "log")),
    (29, "services:\n  api:\n    image: web\n    port: 80\n  db:\n    image: pg\n", None, both(is_("yaml"), says("services", "object", "api"))),
    (31, "---\n# Title\n\nSome prose that is longer than a line of keys.\n\n## Part two\n\nAnd more of it, with [a link](http://x).\n", None, both(is_("text"), says("Title", "Part two"))),
    (32, "<root><item/><item/></root>", None, both(is_("xml"), says("root root", "0 attributes", "item: 2"))),
    (33, '\n<?xml version="1.0"?>\n<root><a/></root>', None, is_("xml")),
    (34, "<root><item></root>" * 10, "application/xml", both(is_("unknown"), says("not valid xml"))),
    (35, 'import os\n\n\nclass Runner:\n    """Runs."""\n\n    def go(self):\n        return os.getcwd()\n\n\ndef main():\n    Runner().go()\n', None,
     both(is_("code"), says("import os", "Runner", "main", "12 lines"))),
    (37, TRACEBACK, None, both(is_("text", "traceback"), says("ValueError: no"))),
    (37, DIFF, None, is_("text", "diff")),
    (38, LOG, None, both(is_("text", "log"), says("ERROR the disk is full", "81 lines"))),
    (39, HEADERS, None, both(is_("text"), says("Heading", "SYSTEM STATUS"), count_of(r"\d+ #? ?Heading\b", 1))),
]  # fmt: skip

OPENVIKING: list[tuple[int, str, Check]] = [
    (
        5,
        FIFTEEN_KEYS,
        both(says("15 keys", "key00", "key09"), lambda synopsis, stub: "key10" not in " ".join(synopsis.summary)),
    ),
    (9, SCALARS, lambda synopsis, stub: len(re.findall(r" = ", stub)) <= 5 and not re.search("v{81}", stub)),
    (
        30,
        MANY_YAML,
        both(
            says("45 keys"), lambda synopsis, stub: len(re.findall(r"\d+ key\d\d ", " ".join(synopsis.structure))) == 30
        ),
    ),
    (36, IMPORTS, both(count_of(r"import mod\d\d", 12), count_of(r"fun\d\d", 24))),
    (38, "word " * 300, says("characters", "words", "line", "Opening excerpt", "Closing excerpt")),
    (
        40,
        LETTERS,
        lambda synopsis, stub: (
            max(map(len, re.findall("A+", stub))) == 500 and max(map(len, re.findall("Z+", stub))) == 500
        ),
    ),
]

LOWER_BOUNDS: list[tuple[int, str, Check]] = [
    (5, FIFTEEN_KEYS, at_least(r"key\d\d", 10)),
    (
        9,
        SCALARS,
        both(at_least(r"\bk\d\b", 5), lambda synopsis, stub: not re.search("v{81}", " ".join(synopsis.notable_items))),
    ),
    (30, MANY_YAML, at_least(r"key\d\d", 30)),
    (36, IMPORTS, both(at_least(r"import mod\d\d", 8), at_least(r"fun\d\d", 24))),
]


RULES: tuple[Rules, ...] = ("default", "openviking")


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("number", "text", "mime", "check"), FACTS, ids=lambda value: str(value) if isinstance(value, int) else ""
)
def test_the_stub_states_the_fact(number: int, text: str, mime: str | None, check: Check, rules: Rules) -> None:
    """Each fact is in the stub of a text that has it, under either set of rules."""
    synopsis = synopsize(text, mime, rules=rules)
    stub = stub_of(synopsis)
    assert check(synopsis, stub), f"fact {number}:\n{stub}"


@pytest.mark.parametrize(
    ("number", "text", "check"), OPENVIKING, ids=lambda value: str(value) if isinstance(value, int) else ""
)
def test_openviking_caps_are_exact_on_request(number: int, text: str, check: Check) -> None:
    """Under `rules="openviking"` exactly as many keys, examples, symbols and characters are shown as that system shows."""
    synopsis = synopsize(text, rules="openviking")
    stub = stub_of(synopsis)
    assert check(synopsis, stub), f"fact {number}:\n{stub}"


@pytest.mark.parametrize(
    ("number", "text", "check"), LOWER_BOUNDS, ids=lambda value: str(value) if isinstance(value, int) else ""
)
def test_by_default_the_caps_are_lower_bounds(number: int, text: str, check: Check) -> None:
    """The default shows at least as much, where the budget allows."""
    synopsis = synopsize(text, budget=2000)
    stub = stub_of(synopsis)
    assert check(synopsis, stub), f"fact {number}:\n{stub}"


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("text", [fact[1] for fact in FACTS])
def test_every_stub_has_its_header_and_stays_bounded(text: str, rules: Rules) -> None:
    """Same bytes, same stub; kind, size, ref, hash and reason in the header; never beyond the hard limit."""
    stub = stub_of(synopsize(text, rules=rules))
    assert stub == stub_of(synopsize(text, rules=rules))
    for field in ("kind: ", f"original_chars: {len(text)}\n", "ref: ts_", "sha256: 0000000000000000\n", "reason: r"):
        assert field in stub
    assert len(stub) <= 2300
