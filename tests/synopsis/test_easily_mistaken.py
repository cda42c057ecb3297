"""What tools print in forms that are easily taken for source code, tables, prose or another form."""

from __future__ import annotations

import json

import pytest

from toolstub_ext.synopsis import render, synopsize

ROWS = [(n, f"late{n * 7 % 40:02}", n * 37 % 101) for n in range(40)]
OLD = [f"desk_{n} = order({n})" for n in range(40)]
NEW = [line.replace("order", "paid") if n % 5 == 2 else line for n, line in enumerate(OLD)]
BESIDE = [f"{old:40}{' ' if old == new else '|'} {new}" for old, new in zip(OLD, NEW)]
BESIDE[30:30] = [f"{'':40}> import late", f"{'':40}> import due"]
TAP = "TAP version 13\n" + "".join(
    f"# Subtest: {name}\n{'not ' if n % 9 == 4 else ''}ok {n + 1} - {name}\n  ---\n  duration_ms: 0.{n}\n"
    + ("  error: 'the order is late'\n" if n % 9 == 4 else "")
    + "  ...\n"
    for n, name, _ in ROWS
)
BYTES = "order\0" * 40

PRINTED = {
    "diff -y": ("\n".join(BESIDE), "text", "diff"),
    "TAP": (TAP + "1..40\n# tests 40\n# pass 35\n# fail 5\n", "text", "test-report"),
    "TOML of long lists": (
        "[project]\nname = 'desk'\n"
        + "".join(f"late{n} = [\n  \"desk{n}>=1; python < '3'\",\n  {{ group = 'a' }},\n]\n" for n in range(9)),
        "text",
        "settings",
    ),
    "od -c": (
        "".join(
            f"{at:07o}" + "".join(f"{repr(c)[1:-1] if c != chr(0) else chr(92) + '0':>4}" for c in BYTES[at : at + 16]) + "\n"
            for at in range(0, len(BYTES), 16)
        ),
        "text",
        "hexdump",
    ),
    "find -ls": (
        "".join(f"  {n + 4000}    8 -rw-r--r--   1 ada      ada   {m:8} Mar  1 10:{n:02} desk/{w}.py\n" for n, w, m in ROWS),
        "text",
        "listing",
    ),
    "ls -R of a folder": ("desk:\nlate\nnext\n\ndesk/late:\n" + "".join(f"{w}.py\n" for _, w, _ in ROWS), "text", "listing"),
    "ls": ("".join(f"{w}\n" for _, w, _ in ROWS), "text", "listing"),
    "pip freeze": ("".join(f"{w}=={n}.{m}\n" for n, w, m in ROWS), "text", "listing"),
    "a series": ("".join(f"{w}    {m:3}\n" for _, w, m in ROWS) + "Name: late, dtype: int64\n", "text", "table"),
    "percentiles": (
        "       count  mean   25%   50%   max\n" + "".join(f"{w}  40.0  {m}.5  {n}.1  {n}.2  {m}.9\n" for n, w, m in ROWS),
        "text",
        "table",
    ),
    "cmake": (
        "".join(f"-- Looking for {w}\n-- Looking for {w} - found\n" for _, w, _ in ROWS) + "-- Generating done\n",
        "text",
        "log",
    ),
    "an error in Node": (
        "desk.js:3\n  throw new TypeError('late')\n  ^\n\nTypeError: late\n"
        + "".join(f"    at {w} (/desk/{w}.js:{n}:{m})\n" for n, w, m in ROWS),
        "text",
        "traceback",
    ),
    "what Node prints": (
        "[\n" + "".join(f"  {{\n    id: {n},\n    call: [Function: {w}],\n    n: {m}\n  }},\n" for n, w, m in ROWS) + "]\n",
        "text",
        "repr",
    ),
    "JSON below a warning": (
        "warning: the desk is old\n" + json.dumps([{"id": n, "name": w} for n, w, _ in ROWS], indent=1),
        "json",
        None,
    ),
    "a manual with letters struck over": (
        "DESK(1)          Desks          DESK(1)\n\nN\bNA\bAM\bME\bE\n     desk - tells orders\n\nO\bOP\bPT\bTI\bIO\bON\bNS\bS\n"
        + "".join(f"     -\b-{w[-1]}\b{w[-1]}{' tells the orders' * (n % 4)} of _\bd_\be_\bs_\bk {n}\n" for n, w, _ in ROWS),
        "text",
        "manual",
    ),
    "rspec": (
        "".join(f"  {w} is told{' (FAILED - 1)' if n == 9 else ''}\n" for n, w, _ in ROWS)
        + "\nFailures:\n\n  1) Desk is told\n     Failure/Error: expect(late).to eq(1)\n\n       expected: 1\n            got: 2\n\n"
        + "Finished in 0.5 seconds\n40 examples, 1 failure\n\nrspec ./spec/desk_spec.rb:10 # Desk is told\n",
        "text",
        "test-report",
    ),
    "phpunit": (
        "PHPUnit 10.5.1 by others.\n\n" + "." * 58 + "F" + " 59 / 59 (100%)\n\nThere was 1 failure:\n\n1) Tests\\DeskTest::testLate\n"
        + "Failed asserting that 1 matches expected 2.\n\n/desk/tests/DeskTest.php:20\n\nFAILURES!\n"
        + "Tests: 59, Assertions: 80, Failures: 1.\n",
        "text",
        "test-report",
    ),
    "dotnet test": (
        "Test run for Desk.dll\n"
        + "".join(
            f"  Failed Desk.Tests.{w}.Adds [{n} ms]\n  Error Message:\n   Assert.Equal() Failure\n  Stack Trace:\n     at {w}\n"
            for n, w, _ in ROWS
        )
        + "\nFailed!  - Failed:    40, Passed:    90, Skipped:     1, Total:   131, Duration: 3 s\n",
        "text",
        "test-report",
    ),
    "an error in Ruby": (
        "desk.rb:44:in `total': undefined method `late' for nil (NoMethodError)\n"
        + "".join(f"\tfrom app/{w}.rb:{n}:in `{w}'\n" for n, w, _ in ROWS),
        "text",
        "traceback",
    ),
    "an error in PHP": (
        "PHP Fatal error:  Uncaught TypeError: late in /desk/order.php:44\nStack trace:\n"
        + "".join(f"#{n} /desk/{w}.php({m}): Desk->{w}()\n" for n, w, m in ROWS),
        "text",
        "traceback",
    ),
    "an error in C#": (
        "Unhandled exception. System.InvalidOperationException: late\n"
        + "".join(f"   at Desk.{w}.Run(String[] args) in /desk/{w}.cs:line {n}\n" for n, w, _ in ROWS),
        "text",
        "traceback",
    ),
    "properties": ("# desk\n" + "".join(f"desk.{w}.url=http://{w}:{m}\n" for _, w, m in ROWS), "text", "settings"),
    "INI with values over lines": (
        "[tox]\nenvlist = late\n\n" + "".join(f"[testenv:{w}]\ndeps =\n    {w}>={n}\n    desk=={m}\n" for n, w, m in ROWS),
        "text",
        "settings",
    ),
    "a desktop entry": ("[Desktop Entry]\n" + "".join(f"Name[d{w[-2:]}]={w}\n" for _, w, _ in ROWS), "text", "settings"),
    "npm ls": ("desk@1.0.0 /desk\n" + "".join(f"├─┬ {w}@{n}.0\n│ └── {w}-a@{m}.1 deduped\n" for n, w, m in ROWS), "text", "listing"),
    "npm ls with some missing": (
        "desk@1.0.0 /desk\n" + "".join(f"├── {'UNMET DEPENDENCY ' if n % 10 == 2 else ''}{w}@{n}.0\n" for n, w, _ in ROWS),
        "text",
        "listing",
    ),
    "dir": (
        " Directory of C:\\desk\n\n"
        + "".join(f"03/01/2026  10:{n:02} AM    {'<DIR>         ' if n % 4 else f'{m:14}'} {w}\n" for n, w, m in ROWS),
        "text",
        "listing",
    ),
    "a model in PyTorch": (
        "Desk(\n" + "".join(f"  ({w}): Linear(in_features={n}, out_features={m}, bias=True)\n" for n, w, m in ROWS) + ")\n",
        "text",
        "repr",
    ),
    "XML that ends behind an element": ("<?xml version='1.0'?>\n<desk>\n" + "<late><due>1</due></late>\n" * 40, "xml", "truncated"),
    "rg with headings": (
        "".join(f"desk/{w}.py\n{n + 1}:def late(a):\n{n + 60}:    return late(1)\n\n" for n, w, _ in ROWS),
        "text",
        "grep",
    ),
    "flags between bars": (
        "".join(f'[pid {m}] openat(AT_FDCWD, "/{w}.so", O_RDONLY|O_CLOEXEC) = {n}\n' for n, w, m in ROWS),
        "text",
        None,
    ),
    "what a package requires": ("# desk\n" + "".join(f"{w}>={n},<{n + 2} # via desk\n" for n, w, _ in ROWS), "text", None),
    "what documentation is built by": (
        "extensions = [\n    'sphinx.ext.late',\n]\n\ntemplates_path = ['_templates']\nsource_suffix = '.rst'\n\n"
        "project = 'desk'\ncopyright = '2026'\n\nexclude_patterns = []\n\nhtml_theme = 'late'\nhtml_static_path = ['a']\n",
        "code",
        "python",
    ),
}


@pytest.mark.parametrize(("text", "kind", "variant"), PRINTED.values(), ids=PRINTED.keys())
def test_what_tools_print_is_told(text: str, kind: str, variant: str | None) -> None:
    """Kind and variant, which decide how much of it is kept and what the stub says."""
    synopsis = synopsize(text)
    assert (synopsis.kind, synopsis.variant) == (kind, variant)


SAID = {
    "diff -y": ("8 lines changed, 2 only on the right, 0 only on the left", "3 · 8 ·", "31-32"),
    "TAP": ("fail 5", "FAILED late28, line 26: 'the order is late'"),
    "od -c": ("hex dump of 240 bytes", "40 bytes zero"),
    "ls": ("40 entries", "1 late00", "33 late"),
    "JSON below a warning": ("1 line above the JSON: warning: the desk is old", "array of 40 objects with 2 keys"),
    "rspec": ("40 examples, 1 failure", "FAILED ./spec/desk_spec.rb:10 # Desk is told, line 45: expect(late).to eq(1)"),
    "phpunit": ("Tests: 59, Assertions: 80, Failures: 1", "FAILED Tests\\DeskTest::testLate, line 8: Failed asserting"),
    "dotnet test": ("Failed: 40, Passed: 90", "FAILED Desk.Tests.late00.Adds, line 4: Assert.Equal() Failure"),
    "an error in Ruby": ("line 1: desk.rb:44:in `total': undefined method", "app/late00.rb:0 in late00"),
    "an error in PHP": ("Uncaught TypeError: late", "/desk/late00.php:0"),
    "an error in C#": ("line 1: Unhandled exception. System.Invalid", "/desk/late00.cs:0 in Desk.late00"),
    "npm ls with some missing": ("4 lines unmet", "line 4: UNMET DEPENDENCY late14@2.0"),
    "properties": ("settings, 41 lines: 40 settings\n", "2 desk.late00.url = http://late00:0"),
    "an error in Node": ("line 5: TypeError: late", "40 frames"),
}


@pytest.mark.parametrize("name", SAID)
def test_its_stub_says_what_is_in_it_and_where(name: str) -> None:
    """Counts, names and the lines they stand in."""
    stub = render(synopsize(PRINTED[name][0]), sha256="0" * 64, ref="ts_0000000000000000", tool="t")
    assert [said for said in SAID[name] if said not in stub] == []


@pytest.mark.parametrize("above", ["", "const desk =\n"], ids=["nothing", "a statement"])
def test_what_ends_in_a_bracket_is_no_json_for_that(above: str) -> None:
    """A value has to be whole, to its end."""
    assert synopsize(above + '\n{\n "late": x => { return x }, // due\n "paid": y }\n' * 20).kind != "json"


RARE = {
    "warnings": (
        "".join(f"2026-03-01 10:00:{n:02} {'WARNING' if n in (4, 30) else 'INFO'} desk {w} of {n}\n" for n, w, _ in ROWS),
        "line 5: 2026-03-01 10:00:04 WARNING desk late28 of 4",
    ),
    "states": (
        "UNIT       LOAD       ACTIVE     SUB\n"
        + "".join(
            f"desk{n:<5}  {'not-found' if n == 4 else 'loaded':9}  {'active':8}  {'dead' if n % 2 else 'running'}\n"
            for n in range(40)
        ),
        "line 6: desk4 not-found active running",
    ),
    "bytes": ("[" + " ".join(map(str, b"\x89PNG\r\n" * 20)) + "]", "120 numbers, 10..137: bytes of a PNG image"),
}


@pytest.mark.parametrize(("text", "told"), RARE.values(), ids=RARE.keys())
def test_what_is_rare_is_told_with_its_line(text: str, told: str) -> None:
    """Warnings where they are few, a state where only one thing is in it, and what a list of bytes is."""
    synopsis = synopsize(text)
    assert told in "\n".join((*synopsis.summary, *synopsis.notable_items))


COURSE = {
    "blocks, one below the other": (
        "".join(f"/desk/{w}:\n\tlib{n}.so => /lib{m}.so\n\tlate.so => not found\n" for n, w, m in ROWS[:9]),
        ("blocks: 1 /desk/late00: · 4 /desk/late07:", "line 3: late.so => not found (9 alike, last 27)"),
    ),
    "lines that begin alike": (
        "".join(f"{'read' if n % 3 else 'open'}({n}, {w!r}{' x' * (n % 5)}) = {m}\n" for n, w, m in ROWS),
        ("lines begin with: read 26 · open 14", "2 read(1, 'late07' x) = 37", "21 read(20, 'late20') = 33"),
    ),
    "paragraphs": (
        "".join(f"The {w} order\nis due on {m}, says desk\nand so it is.\n\n" for _, w, m in ROWS),
        ("81 The late20 order",),
    ),
}


@pytest.mark.parametrize(("text", "told"), COURSE.values(), ids=COURSE.keys())
def test_what_has_no_shape_is_told_by_lines_from_all_over(text: str, told: tuple[str, ...]) -> None:
    """Heads of blocks, what lines begin with, and lines with their numbers, so that a part of it can be read."""
    synopsis = synopsize(text)
    said = "\n".join((*synopsis.structure, *synopsis.notable_items))
    assert synopsis.variant is None
    assert [each for each in told if each not in said] == []
