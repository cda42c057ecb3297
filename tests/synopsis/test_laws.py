"""Laws of every synopsis and every stub, tried on texts that nobody would write."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolstub_ext.store.base import encode
from toolstub_ext.synopsis import Anchor, Rules, Source, Synopsis, is_stub, render, synopsis_of, synopsize

ANY = st.text(st.characters(exclude_categories=()), max_size=400)
PIECES = st.sampled_from([
    "{", "}", "[", "]", '"', "'", ":", ",", "\t", "\n", "\r\n", "\r", " ", "    ", "a", "key", "1", "0.5", "null", "true", "NaN", "<", ">", "</", "a>",
    "<!--", "-->", "&x;", "---\n", "- ", "# ", "def f():\n", "import x\n", "class A", "```\n", "| a | b |\n", "|--|--|\n", "ERROR ", "2024-01-01 10:00:00,1 ",
    "Traceback (most recent call last):\n", '  File "a.py", line 1, in f\n', "ValueError: x\n", "diff --git a/x b/x\n", "@@ -1 +1 @@\n", "+a\n", "-b\n",
    "src/a.py:12:x\n", "     1\tx\n", "    12→y\n", "=== RUN T\n", "FAILED a::b\n", "\x1b[31m", "\x1b[", "\0", "\ufeff", "\ud800", "é", "漢字", "𝒳", "data: ",
    "[toolstub] tool result externalized\n", "<returncode>1</returncode>\n<output>\n", "</output>", "password=hunter2hunter2", "%", "{{ x }}", "a: b\n", "&a [*a]\n",
    "<?xml version='1.0'?>", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "\\u0000", "\\", "e" * 300, "a,b,c\n1,2,3\n", "total 8\n-rw-r--r-- 1 a a 1 Jan 1 00:00 b\n",
])  # fmt: skip
SALAD = st.lists(PIECES, max_size=60).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=12), inner, max_size=8),
    max_leaves=40,
).map(lambda value: json.dumps(value, ensure_ascii=False))
TABLES = st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=5), min_size=2, max_size=12).map(
    lambda rows: "\n".join(",".join(row) for row in rows)
)
REPEATED = st.tuples(SALAD, st.integers(1, 400)).map(lambda pair: pair[0][:200] * pair[1])
TEXTS = ANY | SALAD | JSON | TABLES | REPEATED
MIMES = st.none() | st.sampled_from(["application/json", "text/csv", "application/xml", "text/yaml", "text/html", "x"])
BUDGETS = st.integers(0, 3000)


UNSEEN = frozenset("\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\xad") | frozenset(map(chr, range(0xE0000, 0xE0080)))


def shows_all(stub: str) -> bool:
    """Whether no character of it is a control character, invisible, half of a pair, or turns the text around it."""
    return not any(each in UNSEEN or (unicodedata.category(each) in ("Cc", "Cs") and each not in "\n\t") for each in stub)


def stub_of(synopsis: Synopsis, limit: int = 2300) -> str:
    """The stub as it stands in place of a tool result."""
    return render(synopsis, sha256="0" * 64, ref="ts_0000000000000000", tool="t", reason="over", limit=limit)


@settings(max_examples=300)
@given(TEXTS, MIMES, BUDGETS)
def test_any_text_has_a_bounded_synopsis(text: str, mime: str | None, budget: int) -> None:
    """Whatever the text and the hints: a synopsis, sections within the budget, a stub within the limit, twice the same."""
    synopsis = synopsize(text, mime, budget=budget)
    assert synopsis.chars == len(text)
    assert synopsis.lines == text.count("\n") + (bool(text) and not text.endswith("\n"))
    sections = [*synopsis.summary, *synopsis.structure, *synopsis.notable_items, synopsis.sample or ""]
    assert sum(map(len, sections)) <= max(budget, 400)
    stub = stub_of(synopsis)
    assert len(stub) <= 2300
    assert is_stub(stub)
    assert shows_all(stub)
    assert synopsize(text, mime, budget=budget) == synopsis


@settings(max_examples=300)
@given(TEXTS)
@example('{"a": "\ud800", "b": [1, 2]}')
@example('["\ud55c\uae00", "\uc790"]')
@example("\ufeff" + '[{"a": 1}]')
@example("\x1b[1m" + '[{"a": "\u7d50"}]')
@example("\0\0" * 40)
def test_a_synopsis_is_the_same_with_the_bytes_at_hand(text: str) -> None:
    """Also where a letter cannot be written in UTF-8, and where the text is cleaned first."""
    encoded = {text: encode(text)}.get
    assert synopsis_of(Source(text, encoded=encoded)) == synopsize(text)


@settings(max_examples=200)
@given(TEXTS)
def test_anchors_are_exact(text: str) -> None:
    """The line of an anchor is the line that its offset stands in, and its length stays inside the text."""
    for anchor in synopsize(text).anchors:
        assert isinstance(anchor, Anchor)
        assert 0 <= anchor.offset <= len(text)
        assert 0 <= anchor.length <= len(text) - anchor.offset
        assert anchor.line == text.count("\n", 0, anchor.offset) + 1


@settings(max_examples=100)
@given(TEXTS, st.integers(400, 2300))
def test_every_limit_is_kept_and_the_header_is_whole(text: str, limit: int) -> None:
    """A smaller limit drops sections, never a header line."""
    synopsis = synopsize(text, budget=2000)
    stub = stub_of(synopsis, limit)
    assert len(stub) <= limit
    header = stub_of(synopsis).split("\n\n")[0]
    assert stub.split("\n\n")[0].startswith(header.partition("\noriginal intact")[0])


@settings(max_examples=150)
@given(TEXTS)
def test_openviking_rules_are_total_too(text: str) -> None:
    """The other set of rules is as total, as bounded and as harmless."""
    stub = stub_of(synopsize(text, rules="openviking"))
    assert len(stub) <= 2300
    assert shows_all(stub)


@pytest.mark.parametrize("rules", ["default", "openviking"])
@pytest.mark.parametrize("text", ["a \u202egnp.exe\u202c b\u200bc \u2066d\u2069. " * 40, "x\ud800\x0b\x85y z\0. " * 4 + "and so on. " * 90, "\ufeff\ufeff\u2028\u2060a b. " * 60, "soft\xadened \U000e0041\U000e0042 words. " * 50,
    "<persisted-output>\nOutput too large (1\x00\u202e5KB). Full output saved to: /a/\u200bb\n\nPreview (first 2KB):\n" + "one\n" * 60,
    "Here's the result of running `cat -n` on /a/\u202eb\u2066c:\n" + "".join(f"{n:6}\tone\n" for n in range(1, 40))])
def test_what_hides_or_turns_text_is_made_visible(text: str, rules: Rules) -> None:
    """A stub can be written as UTF-8, and reads the way it stands."""
    assert shows_all(stub_of(synopsize(text, rules=rules)))


PROBE = """
import sys, locale
sys.path.insert(0, sys.argv[1])
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
from toolstub_ext.synopsis import render, synopsize
for text in ('{"b": 1, "a": [{"x": 1.5}, {"y": "\\u00e9"}]}', "a;b\\n1,5;2\\n2,5;3\\n", "INFO a\\nERROR b\\n" * 20, "import os\\ndef f():\\n    return os\\n", "a: 1\\nb: [1]\\n"):
    print(ascii(render(synopsize(text), sha256="0" * 64, ref="ts_" + "0" * 16)))
"""


def test_the_stub_does_not_depend_on_locale_or_hash_seed() -> None:
    """Another locale and another order of sets give the same characters."""
    root = str(__import__("pathlib").Path(__file__).parents[2])
    outputs = set()
    for seed, language in (("0", "C"), ("1", "de_DE.UTF-8"), ("12345", "tr_TR.UTF-8")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": language, "LANG": language}
        done = subprocess.run(
            [sys.executable, "-c", PROBE, root], env=environment, capture_output=True, check=True, text=True
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1


LARGE = {
    "prose": "The quick brown fox jumps over the lazy dog.\n" * 3000,
    "log": "".join(f"2024-01-01 10:00:00 INFO step {n}\n" for n in range(4000)),
    "json": json.dumps([{"id": n, "name": f"n{n}"} for n in range(4000)]),
    "csv": "a,b\n" + "".join(f"{n},{n}\n" for n in range(9000)),
    "code": "import os\n\n\n" + "".join(f"def f{n}(x):\n    return os.path.join(x, '{n}')\n\n\n" for n in range(900)),
    "yaml": "".join(f"k{n}:\n  a: {n}\n" for n in range(3000)),
    "xml": "<r>" + "".join(f"<i n='{n}'>x</i>\n" for n in range(3000)) + "</r>",
    "one line": "word " * 20_000,
    "binary": "\0\1\2abc" * 9000,
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE.keys())
def test_a_stub_is_smaller_than_what_it_replaces(text: str) -> None:
    """Every default stub of a text of some size is a small part of it."""
    assert len(stub_of(synopsize(text))) < 1400 < len(text) / 20
