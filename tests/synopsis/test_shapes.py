"""Shapes of text that look like something else: what they are taken for, and what is said of them."""

from __future__ import annotations

import json

import pytest

from toolstub_ext.synopsis import Synopsis, render, synopsize


def stub_of(synopsis: Synopsis) -> str:
    """The stub as a model sees it."""
    return render(synopsis, sha256="0" * 64, ref="ts_0000000000000000", tool="t")


def workflow(job: str) -> str:
    """The log of one step, each line with a comma in it."""
    lines = [f"{job}2026-01-01T10:00:{n % 60:02}.1234567Z part {n}, of {n + 1}, done\n" for n in range(50)]
    return "".join([*lines, f"{job}2026-01-01T10:01:00.0000000Z ##[error]Process completed with exit code 2.\n"])


DIFFSTAT = (
    "".join(f" src/part_{n}.py | {n + 1:>3} {'+' * (n + 1)}\n" for n in range(12))
    + " 12 files changed, 78 insertions(+)\n"
)
PACKAGE = "Name    : {0}\nVersion : {1}\nRelease : 1\nLicense : MIT\nVendor  : none\nAbout   :\nWhat {0} does.\n"
COMPOSE = [f"{'web-1  | ' if n % 3 else 'db-1   | '}{json.dumps({'level': 'info', 'n': n})}" for n in range(30)]
PAYLOADS = [f"2026-01-01 10:00:{n % 60:02} INFO got {json.dumps({'level': 'info', 'n': n})}" for n in range(30)]
CODE = [line for n in range(10) for line in (f"def part_{n}(till):", f"    return till.coins[{n}]", "", "")]
BLAMED = [
    f"{'ab12cd34' if n % 3 else '99fe00aa'} (Ada Moss 2026-01-02 03:04:05 +0100 {n:>2}) {line}"
    for n, line in enumerate(CODE, 1)
]

TAKEN_FOR = {
    "the log of a workflow is no table of tabs": (workflow("build\tRun tests\t"), "text", "log"),
    "nor one of commas": (workflow(""), "text", "log"),
    "the summary of a diff is no table of bars": (DIFFSTAT, "text", "diff"),
    "packages one below the other are records": (
        "".join(PACKAGE.format(n, i) for i, n in enumerate("abcdef")),
        "text",
        "records",
    ),
    "settings of a kernel are no log": ("".join(f"net.info.{n} = {n}\n" for n in range(40)), "text", "records"),
    "names with colons are YAML": ("".join(f"key_{n}: {n}\n" for n in range(40)), "yaml", None),
    "settings with levels as values": (
        "debug: true\nhost: 0.0.0.0\nlog_level: info\nport: 80\nerror: none\nname: desk\n",
        "yaml",
        None,
    ),
    "settings with a sign and levels": (
        "debug = true\nlog_level = info\nport = 80\nwarn = 30\ntrace = off\n",
        "text",
        "records",
    ),
    "passed tests with commas": (
        "".join(f"t/a.py::test[a,{n}] PASSED, 0.{n}s, ok\n" for n in range(30)),
        "text",
        "test-report",
    ),
    "rows that begin with their number": ("".join(f"{n}|a|{n % 3}\n" for n in range(30)), "csv", "pipe"),
    "conditions of a build": ("if (A)\nset(b c)\nelse (A)\nset(b d)\nendif (A)\n" * 9, "code", "cmake"),
    "JSON behind the name of a service": ("\n".join(COMPOSE), "json", "ndjson"),
    "a log that holds JSON keeps its times": ("\n".join(PAYLOADS), "text", "log"),
    "code behind commits is code": ("\n".join(BLAMED), "code", "numbered"),
}


@pytest.mark.parametrize(("text", "kind", "variant"), TAKEN_FOR.values(), ids=TAKEN_FOR.keys())
def test_what_looks_like_something_else(text: str, kind: str, variant: str | None) -> None:
    """Kind and variant of a text that an easier rule gets wrong."""
    synopsis = synopsize(text)
    assert (synopsis.kind, synopsis.variant) == (kind, variant)


def test_a_workflow_says_which_step_failed_where() -> None:
    """Steps with their lines, and the error with its own."""
    stub = stub_of(synopsize(workflow("build\tInstall\t") + workflow("build\tRun tests\t")))
    assert "1-51 Install · 52-102 Run tests" in stub
    assert "line 51: ##[error]Process completed with exit code 2." in stub


def test_failures_in_the_middle_of_a_long_report_are_found() -> None:
    """Also where Go says what went wrong before it names the test."""
    runs = [f"=== RUN   Test{n}\n--- PASS: Test{n} (0.00s)\n" for n in range(9000)]
    runs[4500] = "=== RUN   Test4500\n    till_test.go:12: want 1, got 2\n--- FAIL: Test4500 (0.00s)\n"
    text = "".join(runs) + "FAIL\nFAIL\texample.com/till\t1.2s\n"
    assert "FAILED Test4500, line 9002: till_test.go:12: want 1, got 2" in synopsize(text).notable_items


def test_json_inside_of_text_is_told_with_its_lines() -> None:
    """Keys and lines of each value, and an anchor that is exactly the value."""
    value = json.dumps({"id": 7, "body": "why does this round down?"}, indent=1)
    text = f"two comments\n{value}\nand\n{value}\n"
    synopsis = synopsize(text)
    assert synopsis.structure[0] == "JSON in it: lines 2-5 object {id, body} · lines 7-10 object {id, body}"
    assert [text[each.offset : each.offset + each.length] for each in synopsis.anchors] == [value, value]


def test_the_last_line_counts_where_it_is_but_a_number() -> None:
    """A reader prints the number of an empty line too."""
    text = "\n".join(f"{n:6}\t{'x = 1' if n < 30 else ''}" for n in range(1, 31))
    assert "30 lines" in synopsize(text).summary[0]
    assert synopsize(text).title.endswith("numbered 1-30")


ASKED = {
    "code": ("import os\n\n\ndef first(a):\n    return os.path.join(a)\n\n\n" * 9, 'toolstub_query(ref, "first")'),
    "Markdown": ("# All\n\nSome words of it.\n\n" + "## Part\n\n- one\n- two\n\n" * 9, 'toolstub_query(ref, "Part")'),
    "a table": ("a,b\n" + "1,2\n" * 40, 'toolstub_query(ref, "rows 1:20")'),
    "a log": ("".join(f"2026-01-01 10:00:{n:02} INFO x\n" for n in range(50)), ""),
}


@pytest.mark.parametrize(("text", "asked"), ASKED.values(), ids=ASKED.keys())
def test_explore_names_a_query_that_works(text: str, asked: str) -> None:
    """One for what query knows, none for the rest."""
    stub = stub_of(synopsize(text))
    assert asked in stub
    assert bool(asked) == ("toolstub_query" in stub)
