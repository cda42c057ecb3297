"""Forms that have something of another one: times in the cells of a table, values below what a tool says first."""

from __future__ import annotations

import json

import pytest

from toolstub_ext.synopsis import render, synopsize

NAMES = [f"pier{n * 7 % 40:02}" for n in range(40)]
TIMES = [f"2031-05-{n % 28 + 1:02} 06:{n:02}:00" for n in range(40)]
ROWS = list(zip(range(40), TIMES, NAMES))
SOURCE = "".join(f"def {name}(low):\n    return low + {n}\n\n" for n, _, name in ROWS)
BASE64 = "".join(map(chr, range(65, 91))) + "".join(map(chr, range(97, 123))) + "0123456789+/"
BELOW = "Warning: the tide table is of last year\nreading it all the same\n"


def _numbered(form: str) -> str:
    """Source code as a tool shows it that puts numbers in front of all lines."""
    return "\n".join(form.format(number, line) for number, line in enumerate(SOURCE.split("\n"), 1))


TOLD: dict[str, tuple[str, str, str | None]] = {
    "a table with heavy borders": (
        "┏━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━┓\n┃ at                  ┃ pier   ┃\n┡━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━┩\n"
        + "".join(f"│ {at} │ {name} │\n" for _, at, name in ROWS)
        + "└─────────────────────┴────────┘\n",
        "text",
        "table",
    ),
    "a table under a rule": (
        "  n  at                   pier\n---  -------------------  ------\n"
        + "".join(f"{n:3}  {at}  {name}\n" for n, at, name in ROWS),
        "text",
        "table",
    ),
    "a table with bars alone": ("".join(f"| {n:2} | {at} | {name} |\n" for n, at, name in ROWS), "text", "table"),
    "rows that begin with a time": ("".join(f"{at}\t{name}\t{n}.5\t{n * 3}\n" for n, at, name in ROWS), "tsv", None),
    "the same with bars": ("".join(f"{at}|{name}|{n}.5|{n * 3}\n" for n, at, name in ROWS), "csv", "pipe"),
    "statements with times": (
        "".join(f"INSERT INTO tides VALUES('{at}','{name}',{n});\n" for n, at, name in ROWS), "code", "sql"
    ),
    "a log with bars": (
        "".join(f"{at} | INFO | harbour.tides | read {name} | {n} ms\n" for n, at, name in ROWS), "text", "log"
    ),
    "events in ArcSight's format": (
        "".join(f"CEF:0|Harbour|Tides|1.2|{n}|read {name}|3|time={at[-8:]} took={n}\n" for n, at, name in ROWS),
        "text",
        "log",
    ),
    "a log with tabs": ("".join(f"{at}\tINFO\ttides/read.go:{n}\tread {name}\n" for n, at, name in ROWS), "text", "log"),
    "addresses that look like times": (
        "".join(f" {n}:    {n * 9:5}   {n:5}  PCI-MSIX-0000:00:{n + 10}.0  {n}-edge  {name}\n" for n, _, name in ROWS),
        "text",
        "table",
    ),
    "what a program cannot do": (
        "".join(f"sort: /harbour/{name}/tides: {'Permission denied' if n % 3 else 'Is a directory'}\n" for n, _, name in ROWS),
        "text",
        "log",
    ),
    "unzip -v": (
        "Archive:  tides.zip\nforty piers in a harbour\n Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n"
        "--------  ------  ------- ---- ---------- ----- --------  ----\n"
        + "".join(f"{n * 9:8}  Defl:N  {n:6}  50% 2031-05-02 06:{n:02} 00ab12cd  {name}/\n" for n, _, name in ROWS[:4])
        + "".join(f"{n * 9:8}  Defl:N  {n:6}  50% 2031-05-02 06:{n:02} 00ab12cd  {name}/t.c\n" for n, _, name in ROWS)
        + "--------          -------  ---                            -------\n    7020              780  50%    44 files\n",
        "text",
        "listing",
    ),
    "ls -lis": (
        "total 80\n"
        + "".join(f"{n + 900:5} {n % 9:2} -rw-r--r-- 1 ada ada {n * 9:6} May  1 06:{n:02} {name}.c\n" for n, _, name in ROWS),
        "text",
        "listing",
    ),
    "records below a warning": (
        BELOW + "".join(json.dumps({"n": n, "at": at, "pier": name}) + "\n" for n, at, name in ROWS),
        "json",
        "ndjson",
    ),
    "arrays, one a line": (
        "".join(json.dumps(["read" if n % 3 else "skip", {"n": n, "pier": name}]) + "\n" for n, _, name in ROWS),
        "json",
        "ndjson",
    ),
    "XML below a warning": (
        BELOW + "<?xml version='1.0'?>\n<tides>\n" + "".join(f" <at pier='{name}'>{n}</at>\n" for n, _, name in ROWS) + "</tides>\n",
        "xml",
        None,
    ),
    "a page below the head of a response": (
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<!doctype html>\n<html><head><title>Tides</title></head><body>\n"
        + "".join(f"<p>{name} at {at}</p>\n" for _, at, name in ROWS)
        + "</body></html>\n",
        "xml",
        "html",
    ),
    "a document with a document in quotes": (
        'apiVersion: v1\ndata:\n  README.md: "# Tides\\n\\nof a harbour\\n'
        + "".join(f"\n    and of {name} at\\\n    \\ {n} o'clock (low), {name} and\\nbelow" for n, _, name in ROWS * 4)
        + '"\nkind: ConfigMap\nmetadata:\n  name: tides\n',
        "yaml",
        None,
    ),
    "names with tabs behind them": ("".join(f"{name.title()}:\t{n * 7}\n" for n, _, name in ROWS), "text", None),
    "what psql prints expanded": (
        "".join(f"-[ RECORD {n + 1} ]------\npier | {name}\nlow  | {n}\nat   | {at}\nnote | \nsea  | north\n" for n, at, name in ROWS),
        "text",
        "records",
    ),
    "the tokens of a source": (
        "".join(f"{n},0-{n},4:            NAME           '{name}'\n" for n, _, name in ROWS), "text", None
    ),
    "base64 of much that is alike": ("AAAA" * 80 + BASE64 * 20 + "==", "unknown", "base64"),
    "a merge that failed": (
        "Auto-merging tides.py\nCONFLICT (content): Merge conflict in tides.py\ndiff --cc tides.py\nindex 0a1,0b2..0000\n"
        "--- a/tides.py\n+++ b/tides.py\n@@@ -5,7 -5,7 +5,11 @@@ def low\n"
        + "".join(f"  def {name}():\n++<<<<<<< HEAD\n +    return {n}\n++=======\n+     return 0\n++>>>>>>> x\n" for n, _, name in ROWS),
        "text",
        "diff",
    ),
    "lines behind numbers and bars": (_numbered("{:4} | {}"), "code", "numbered"),
    "lines behind numbers and colons": (_numbered("{}: {}"), "code", "numbered"),
    "hits in lines that follow one another": (
        "".join(f"{n + 90}:        harbour.create('{name}', low={n})\n" for n, _, name in ROWS), "text", "grep"
    ),
    "numbered rows of psql": (
        " id | pier\n----+--------\n" + "".join(f" {n:2} | {name}\n" for n, _, name in ROWS) + "(40 rows)\n", "text", "table"
    ),
    "JSON behind a word": (
        "Observation: " + json.dumps([{"n": n, "at": at, "pier": name} for n, at, name in ROWS], indent=1), "json", None
    ),
    "a plan of Terraform": (
        "Terraform will perform the following actions:\n\n"
        + "".join(
            f"  # harbour_pier.{name} will be {'destroyed' if n == 30 else 'created'}\n  + resource \"harbour_pier\" \"{name}\" {{\n"
            f"      + low = {n}\n    }}\n\n"
            for n, _, name in ROWS
        )
        + "Plan: 39 to add, 0 to change, 1 to destroy.\n",
        "text",
        "diff",
    ),
    "requests as curl tells them": (
        "".join(
            f"*   Trying 10.0.0.{n}:80...\n> GET /{name} HTTP/1.1\n> Host: tides\n> \n< HTTP/1.1 {404 if n == 30 else 200} {name}\n"
            f"< Content-Length: 4\n< \nlow\n"
            for n, _, name in ROWS
        )
        + "* Closing connection 0\n",
        "text",
        "log",
    ),
    "a diff with stars below an index": (
        "Index: tides.py\n" + "=" * 67 + "\n*** tides.py\t(revision 1)\n--- tides.py\t(revision 2)\n***************\n*** 1,3 ****\n"
        + "--- 1,43 ----\n" + "".join(f"+ {name} = {n}\n" for n, _, name in ROWS) + "  import sea\n",
        "text",
        "diff",
    ),
    "a patch as it is mailed": (
        f"From {'0a' * 20} Mon Sep 17 00:00:00 2001\nFrom: Ada\nSubject: [PATCH] tides\n\n"
        + "".join(f"call {name}(low) at {n}: `if (low) {{ return {n}; }}`\n" for n, _, name in ROWS * 2)
        + "---\n tides.c | 1 +\n\ndiff --git a/tides.c b/tides.c\n--- a/tides.c\n+++ b/tides.c\n@@ -1 +1,2 @@\n int low;\n+int high;\n",
        "text",
        "diff",
    ),
    "a document that begins with a picture": (
        '[<img width="9" src="tides.svg" />](https://example.org)\n\nThe tides of a harbour, told pier by pier.\n\n'
        + "".join(f"## Of {name}\n\nThe tide at {name} is as low as [the sea](sea.md) at `{n}` it is.\n\n" for n, _, name in ROWS),
        "text",
        "markdown",
    ),
    "CMake that finds something amiss": (
        "-- The C compiler identification is GNU 12\n"
        + "".join(f"-- Looking for {name}.h\n-- Looking for {name}.h - found\n" for _, _, name in ROWS[:4])
        + "-- Detecting C compiler ABI info\nCMake Warning at CMakeLists.txt:9 (message):\n  odd tide\n\n\n"
        + 'CMake Error at CMakeLists.txt:16 (find_package):\n  By not providing "FindTides.cmake" in CMAKE_MODULE_PATH\n',
        "text",
        "log",
    ),
    "npm that fails": (
        "> tides@1.0.0 test\n> read\n\n" + "".join(f"npm verbose reads {name}\n" for _, _, name in ROWS)
        + "npm ERR! code ELOWTIDE\nnpm ERR! errno 1\nnpm ERR! A complete log of this run can be found in: /tides.log\n",
        "text",
        "log",
    ),
    "processes": (
        "USER   PID %CPU STAT COMMAND\n"
        + "".join(f"ada  {n + 100:5}  0.{n % 9} {'S' if n % 3 else 'R'}    {'timeout' if n == 30 else name} 60\n" for n, _, name in ROWS),
        "text",
        "table",
    ),
    "names with values and something else below": (
        "Tides of a harbour:\n" + "".join(f"  (of {name}):   low at {n}\n" for n, _, name in ROWS).replace("(of ", "of ").replace(")", "")
        + "=== what else there is ===\n" + "".join(f"the ship at {name} waits; it leaves with the tide\n" for _, _, name in ROWS * 2),
        "text",
        "records",
    ),
    "figures under words": (
        "procs ---tide---\n r b low high at\n" + "".join(f" {n % 3} 0 {n * 7:4} {n:3} {n + 60}\n" for n, _, _ in ROWS[:5]),
        "text",
        "table",
    ),
    "a table with a time in each row": (
        "06:00:01 AM  PIER    %low   %high   %idle\n"
        + "".join(f"06:00:{n + 10} AM  {n:4}  {n}.5{n % 7}   {n}.0    {90 - n}.1\n" for n, _, _ in ROWS),
        "text",
        "table",
    ),
    "rows of figures": ("".join(f"{n}.25 -{n % 7} {n * 3}.5e-3\n" for n, _, _ in ROWS), "text", "table"),
}

SAYS = {
    "rows of figures": ("3 columns of figures: 0.25..39.25 · -6..-0 · 0.5e-3..117.5e-3",),
    "figures under words": ("5 rows under a header", "5 columns: r int 0..2"),
    "names with values and something else below": ("no more of them behind line 41: === what else there is ===",),
    "CMake that finds something amiss": ("line 15: CMake Error at CMakeLists.txt:16 (find_package):",),
    "npm that fails": ("line 44: npm ERR! code ELOWTIDE", "line 45: npm ERR! errno 1"),
    "a plan of Terraform": ("Plan: 39 to add, 0 to change, 1 to destroy. 40 resources named", "153 harbour_pier.pier10 destroyed"),
    "requests as curl tells them": ("40 requests", "242 GET /pier10 → 404 pier10"),
    "lines behind numbers and bars": ("python, 121 lines; 40 functions", "1 pier00"),
    "JSON behind a word": ("a word above the JSON: Observation:", "array of 40 objects"),
    "a document with a document in quotes": ("mapping of 4 keys", "2 data object"),
    "what psql prints expanded": ("40 records of up to 5 names", "2 pier00"),
    "a merge that failed": ("merge conflicts at line 9 · 15", "diff of 1 file: 200 lines added, 0 removed, 1 hunk"),
    "unzip -v": ("44 entries in 41 folders", "pier07/"),
    "records below a warning": ("2 lines above the JSON: Warning: the tide table", "40 records, one a line"),
    "XML below a warning": ("2 lines above the XML: Warning: the tide table", "root tides"),
    "a table with heavy borders": ("40 rows under a header",),
}


@pytest.mark.parametrize("name", TOLD)
def test_they_are_told_apart(name: str) -> None:
    """By kind and variant."""
    text, kind, variant = TOLD[name]
    found = synopsize(text)
    assert (found.kind, found.variant) == (kind, variant)


@pytest.mark.parametrize("name", SAYS)
def test_the_stub_says_what_matters(name: str) -> None:
    """In the sections, at a large budget."""
    found = synopsize(TOLD[name][0], budget=2000)
    shown = render(found, sha256="0" * 64, ref="ts_" + "0" * 16)
    for said in SAYS[name]:
        assert said in shown


@pytest.mark.parametrize(
    ("name", "unsaid"),
    [("CMake that finds something amiss", "levels: INFO"), ("processes", "line 32: ada")],
)
def test_the_stub_does_not_say_what_is_not_so(name: str, unsaid: str) -> None:
    """A word of a sentence is no level, and the name of a process no state."""
    found = synopsize(TOLD[name][0], budget=1000)
    assert unsaid not in render(found, sha256="0" * 64, ref="ts_" + "0" * 16)


def test_lines_below_a_warning_keep_their_numbers() -> None:
    """Those of the whole text, not of what is below."""
    text = TOLD["XML below a warning"][0]
    anchors = synopsize(text).anchors
    assert anchors
    assert all(text.count("\n", 0, anchor.offset) + 1 == anchor.line for anchor in anchors)
