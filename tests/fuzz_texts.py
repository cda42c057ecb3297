# ruff: noqa: E501
"""Pieces of all kinds of text, and families of texts that can be made of any size."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping

Make = Callable[[int], str]
"""A text of about so many characters."""

MIMES = (None, "application/json", "text/csv", "application/xml", "text/yaml", "text/html", "x")
PIECES = (
    "{", "}", "[", "]", '"', "'", "(", ")", ":", ",", ";", "|", "\t", "\n", "\r\n", "\r", " ", "    ", "a", "key", "1", "-", "0.5", "1e999", "9" * 40,
    "null", "true", "NaN", "<", ">", "</", "a>", "<!--", "-->", "&x;", "<![CDATA[", "]]>", "---\n", "...\n", "- ", "? ", "# ", "* ", "&a ", "*a ", "!!x ",
    "<<: ", "%", "@", "`", "```\n", "~~~\n", "=", "==\n", "--\n", "| a | b |\n", "|--|--|\n", "+---+\n", "def f():\n", "import x\n", "class A", "struct S {\n",
    "func (a *A) B() {\n", "fn x() {\n", "end\n", "/*", "*/", "//", "ERROR ", "WARN: ", "2024-01-01 10:00:00,1 ", "Traceback (most recent call last):\n",
    '  File "a.py", line 1, in f\n', "ValueError: x\n", "diff --git a/x b/x\n", "--- a/x\n+++ b/x\n", "@@ -1 +1 @@\n", "+a\n", "-b\n", "src/a.py:12:x\n",
    "src/a.py:12:3: error: x\n", "     1\tx\n", "    12→y\n", "=== RUN T\n", "FAILED a::b\n", "ok 1 - x\n", "1 passed in 0.1s\n", "\x1b[31m", "\x1b[", "\0",
    "\ufeff", "\ud800", "é", "漢字", "𝒳", "\u2028", "\x85", "data: ", "event: x\n", "[toolstub] tool result externalized\n", "<returncode>1</returncode>\n",
    "<output>\n", "</output>", "password=hunter2hunter2", "{{ x }}", "a: b\n", "<?xml version='1.0'?>", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "<html><body>",
    "<table><tr><td>", "\\u0000", "\\", "\\n", "e" * 90, "a,b,c\n1,2,3\n", "a;b\n1;2\n", "total 8\n-rw-r--r-- 1 a a 1 Jan 1 00:00 b\n", " 50%|##   |\r",
    '{"a": 1}\n', '[{"b": "c"}, ', '{"text": "', "array([[1, 2],\n", "A(b=1, c='", "...", "commit 0123456789\n", "data:image/png;base64,iVBO", "QUJD" * 20,
)  # fmt: skip


def _growing(unit: str) -> Make:
    return lambda size: unit * (size // len(unit) + 1)


def _numbered(form: str) -> Make:
    return lambda size: "".join(form.replace("%", str(n)) for n in range(size // (len(form) + 4) + 1))


def _closed(opener: str, closer: str) -> Make:
    return lambda size: opener * (size // 8) + closer * (size // 8)


def _behind(start: str, unit: str) -> Make:
    return lambda size: start + unit * (size // len(unit))


FAMILIES: Mapping[str, Make] = {
    **{f"{piece[:12]!r} again and again": _growing(piece) for piece in PIECES},
    **{f"{opener!r} closed": _closed(opener, closer)
       for opener, closer in (("[", "]"), ("{", "}"), ("(", ")"), ('{"a":', "}"), ("<a>", "</a>"), ("<b ", ">"), ("a: [", "]"))},
    **{f"{opener!r} behind a beginning": _behind("name: x\n\n", opener) for opener in ("[", "{", "(", "<a>", "- ", "> ")},
    "one long word": lambda size: "x" * size,
    "one long number": lambda size: "9" * size,
    "a JSON number of any length": lambda size: f'{{"a": {"9" * size}, "b": [1, 2]}}',
    "numbered keys": lambda size: json.dumps({f"key{n}": n for n in range(size // 14)}),
    "numbered items": lambda size: json.dumps([{f"k{n}": n} for n in range(size // 14)]),
    "different columns": lambda size: ",".join(f"c{n}" for n in range(size // 14)) + "\n" + ",".join("1" for _ in range(size // 14)) + "\n",
    "one long row": lambda size: "a,b\n" + "1," * (size // 2) + "\n",
    "short lines": lambda size: "a\n" * (size // 2),
    "lines of all lengths": lambda size: "".join("x" * (n % 97) + "\n" for n in range(size // 49)),
    "blank lines apart": lambda size: ("INFO x\n" + "\n" * 300) * (size // 307),
    "deeper and deeper": lambda size: "".join(" " * n + "a:\n" for n in range(int((2 * size) ** 0.5))),
    "anchors and aliases": lambda size: "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, size // 24)),
    "merge keys": lambda size: "a0: &a0 {k: v}\n" + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, size // 32)),
    "alternations": lambda size: "|".join(f"w{n}" for n in range(size // 6)),
    "quotes that never close": lambda size: 'a,"b' * (size // 4),
    "quotes doubled": lambda size: 'a,""' * (size // 4) + "\nb,c\n",
    "every second line broken": lambda size: '{"a":1}\n{bad\n' * (size // 13),
    **{f"{form[:24]!r} numbered": _numbered(form) for form in (
        "line %\n", "%\tx\n", "%→x\n", "    at f% (a.js:%:1)\n", "def f%(x):\n    return %\n", "ERROR %: failed\n", "a%: %\n", "- a%: %\n", "<a% b='%'/>", "<p>% ",
        "# h %\n", "f%.py:%: error: x\n", "--- a/f%\n+++ b/f%\n@@ -% +% @@\n-a\n+b\n", "test_% PASSED\n", "%,%,x\n", '{"a": %}\n', 'data: {"a": %}\n\n', "A(%), ",
        "(%, 'x')\n", "drwx 2 a a % Jan 1 00:00 f%\n", "%%|##  |\r", "\x1b[%m%", "2024-01-01 00:00:00 INFO job %\n", "key% = %\n", "| % | % |\n", "x% ", "%\n\n\n")},
}  # fmt: skip


def families() -> Iterator[tuple[str, Make]]:
    """The known ones, and then a piece behind another, again and again, without end."""
    yield from FAMILIES.items()
    chance = random.Random(1)
    while True:
        start, unit = ("".join(chance.choices(PIECES, k=chance.randint(*sizes))) for sizes in ((0, 3), (1, 4)))
        yield repr((start, unit)), _behind(start, unit)
