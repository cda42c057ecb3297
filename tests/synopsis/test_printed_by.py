"""What tools print, each in the form of that tool: kind, variant, and what the stub has to say of it."""

from __future__ import annotations

import json

import pytest

from toolstub_ext.synopsis import render, synopsize

WORDS = ("late", "due", "paid", "open", "gone", "kept", "lost", "sent", "torn", "read")
ROWS = [(n, f"{WORDS[n % 10]} {WORDS[n // 3 % 10]}", n * 37 % 101) for n in range(40)]
PACKAGE = (
    "Package: {0}\nVersion: 2.{1}\nPriority: extra\nSection: desks\nMaintainer: None\nSize: {1}00\nDepends: {0}-data"
    "\nHomepage: none\nSource: {0}\nEssential: no\nDescription: orders of desk {1}\n" + " They come first.\n" * 30
)
CHART = """{{- if .Values.desk.enabled }}
kind: Deployment
metadata:
  name: {{ include "desk.name" . }}
  labels:
    {{- include "desk.labels" . | nindent 4 }}
spec:
  image: "{{ .Values.image }}:{{ .Values.tag }}"
{{- end }}
"""
ENTRY = (
    "desk (2.1-{0}) stable; urgency=medium\n\n  * Late orders come first, then those\n    that are due (Closes: #10{0})."
    "\n\n -- A. Porter <porter@example.org>  Tue, 0{0} Mar 2026 10:00:00 +0000\n\n"
)
PAGE = '.\\" All rights kept\n.TH LATE 3 2026-03-01\n.SH NAME\nlate \\- late orders\n.SH SYNOPSIS\n.nf\n#include <late.h>\n'

PRINTED = {
    "dmesg": ("".join(f"[{n * 0.7:12.6f}] desk{n % 3}: link {name}\n" for n, name, _ in ROWS), "text", "log"),
    "tar -tv": (
        "".join(f"-rw-r--r-- root/root {n * 90:9} 2026-03-01 10:{n:02} desk/{name[:3]}{n}.py\n" for n, name, _ in ROWS),
        "text",
        "listing",
    ),
    "ps -ef": (
        "UID        PID  PPID  C STIME TTY          TIME CMD\n"
        + "".join(f"root  {n:8} {n // 2:5}  0 07:{n:02} ?        00:00:0{n % 9} [desk-{name}]\n" for n, name, _ in ROWS),
        "text",
        "table",
    ),
    "gcc": (
        "".join(
            f"src/{name[:4]}.c:{n}:5: {'error' if n % 9 == 4 else 'warning'}: unused variable '{name}' "
            f"[-W{'unused' if n % 9 != 4 else 'error=late'}]\n{n:5} |   int {name.replace(' ', '_')};\n      |       ^~~\n"
            for n, name, _ in ROWS
        ) + "make: *** [Makefile:3: desk.o] Error 1\n",
        "text",
        "log",
    ),
    "tsc": (
        "".join(f"src/d{n % 3}.ts({n},{m}): error TS2{n % 4}22: Type '{name}' is late.\n" for n, name, m in ROWS),
        "text",
        "log",
    ),
    "ruff": ("".join(f"desk/{name[:4]}.py:{n}:1: E{n % 3}02 [*] {name} late\n" for n, name, _ in ROWS), "text", "log"),
    "rustc": (
        "".join(
            f"error[E0{n % 3}08]: mismatched {name}\n --> src/main.rs:{n}:65\n  |\n{n} | fn late(a: u8) {{}}\n  |  ^^^ late\n\n"
            for n, name, _ in ROWS
        ),
        "text",
        "log",
    ),
    "eslint": (
        "".join(f"\n/desk/{name[:4]}{n}.js\n  {n}:9  error  '{name}' is late  no-late\n" for n, name, _ in ROWS)
        + "\n✖ 40 problems (40 errors, 0 warnings)\n",
        "text",
        "log",
    ),
    "shellcheck": (
        "".join(
            f"\nIn desk.sh line {n}:\nif test late; then\n   ^-- SC20{n % 3}6 (style): {name}.\n" for n, name, _ in ROWS
        ),
        "text",
        "log",
    ),
    "dataclasses": ("".join(f"Desk(id={n}, name='{name}', rows=[{m}])\n" for n, name, m in ROWS), "text", "repr"),
    "mysql -G": (
        "".join(f"{'*' * 27} {n}. row {'*' * 27}\n       id: {n}\n     name: {name}\n    total: {m}\n placed_at: 2026"
                f"\n     note: NULL\n".replace(" placed_at", "placed_at") for n, name, m in ROWS),
        "text",
        "records",
    ),
    "sqlite3 -line": (
        "".join(f"    id = {n}\n  name = {name}\nstatus = open\n total = {m}\n  note = \n\n" for n, name, m in ROWS),
        "text",
        "records",
    ),
    "apt show": ("\n".join(PACKAGE.format(name, n) for n, name in enumerate(WORDS)), "text", "records"),
    "diff": (
        "".join(f"{n},{n + 1}c{n},{n + 2}\n< def {name}(self):\n---\n> def {name}(self, till):\n" for n, name, _ in ROWS),
        "text",
        "diff",
    ),
    "diff -c": (
        "*** a/desk.py\t2026-03-01\n--- b/desk.py\t2026-03-02\n"
        + "***************\n*** 1,3 ****\n  import till\n! import desk\n--- 1,3 ----\n  import till\n! import desks\n" * 9,
        "text",
        "diff",
    ),
    "man, in roff": (PAGE + ".fi\n.SH DESCRIPTION\nLate orders come first.\n.PP\nint late(int desk);\n" * 9, "text", "manual"),
    "a changelog": ("".join(map(ENTRY.format, range(9, 0, -1))), "text", "changelog"),
    "a chart": (CHART * 3, "yaml", "templated"),
    "rows of a page": (
        "".join(f"<tr><td>{n}</td>\n<td>{name}</td>\n</tr>\n" for n, name, _ in ROWS),
        "xml",
        "html",
    ),
    "a drawing with styles": (
        '<svg class="desk" viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg">\n<style>\n'
        + "".join(f".desk-r{n} {{ fill: #c{n:05}; font-weight: bold; }}\n" for n, _, _ in ROWS)
        + "</style>\n<rect/>\n</svg>\n",
        "xml",
        "svg",
    ),
    "an answer in an answer": (
        json.dumps({"content": [{"type": "text", "text": json.dumps(ROWS)}], "isError": False}),
        "json",
        "enveloped",
    ),
    "a stream of events": ("".join(f"data: {json.dumps({'n': n, 'word': w})}\n\n" for n, w, _ in ROWS), "json", "sse"),
    "tests that were collected": ("".join(f"tests/desk.py::test_{n}[{n}]\n" for n, _, _ in ROWS), "text", None),
    "libraries, indented": ("".join(f"\tlib{n}.so => /lib/lib{n}.so (0x{n:08x})\n" for n, _, _ in ROWS), "text", None),
    "strace": (
        "".join(
            f'access("/desk/{name * 13}.so", R_OK) = {m}\n' for n, name, m in ROWS
        ),
        "text",
        None,
    ),
    "bash -x": ("".join(f"+ for i in $(seq {n})\n+ a={m}\n+ '[' {m} -gt 30 ']'\n" for n, _, m in ROWS), "text", None),
    "a document that begins with a picture": (
        '<p align="center"><img src="desk.png"></p>\n\n# Desks\n\nSee [orders](late.md).\n\n'
        + '## Late\n\n- `late()` tells them\n\n<div align="center"><a href="x">y</a></div>\n\n' * 9,
        "text",
        "markdown",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "variant"), PRINTED.values(), ids=PRINTED.keys())
def test_what_tools_print_is_told(text: str, kind: str, variant: str | None) -> None:
    """Kind and variant, which decide how much of it is kept and what the stub says."""
    synopsis = synopsize(text)
    assert (synopsis.kind, synopsis.variant) == (kind, variant)


SAID = {
    "diff": ("40 lines added, 40 removed, 40 hunks", "1 0,1c0,2"),
    "diff -c": ("diff of 1 file", "9 hunks", "2 b/desk.py"),
    "man, in roff": ("manual page in roff, LATE(3)", "5 SYNOPSIS"),
    "a changelog": ("changelog of desk, newest 2.1-9: 9 versions", "8 2.1-8", "#109"),
    "mysql -G": ("40 records of up to 5 names", "id: 2 0"),
    "sqlite3 -line": ("40 records of up to 5 names", "id: 1 0"),
    "a chart": ("a template", "metadata"),
    "gcc": (
        "40 findings in 10 files under src/: 36 warnings, 4 errors",
        "ends: make: *** [Makefile:3: desk.o] Error 1",
        "by rule: -Werror=late 4 unused variable 'gone due' (from 13)",
        "by file: late.c 4 (from 1)",
        "line 13: src/gone.c:4:5: error: unused variable 'gone due' [-Werror=late]",
        "line 121: make: *** [Makefile:3: desk.o] Error 1",
    ),
    "tsc": ("40 findings in 3 files under src/: 40 errors", "TS2022 10 Type 'late late' is late. (from 1)"),
    "ruff": ("40 findings in 10 files under desk/", "E002 14 late late late (from 1)"),
    "rustc": ("40 findings in 1 file under src/: 40 errors", "E0008 14 mismatched late late (from 1)", "(src/main.rs:0)"),
    "eslint": ("40 findings in 40 files under /desk/: 40 errors", "no-late 40 'late late' is late (from 3)", "✖ 40"),
    "shellcheck": ("40 findings in 1 file: 40 styles", "SC2006 14 late late. (from 4)"),
}


@pytest.mark.parametrize("name", SAID)
def test_its_stub_says_what_is_in_it_and_where(name: str) -> None:
    """Counts, names and the lines they stand in."""
    stub = render(synopsize(PRINTED[name][0]), sha256="0" * 64, ref="ts_0000000000000000", tool="t")
    assert [said for said in SAID[name] if said not in stub] == []
