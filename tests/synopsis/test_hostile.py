"""Texts made to cost more than they should: each is described at once, where work that is not linear would take minutes."""

from __future__ import annotations

import json
import logging

import pytest

from toolstub_ext.synopsis import Source, kinds, render, synopsize

HOSTILE = {
    "blank lines": "\n" * 200_000,
    "blanks": " " * 1_000_000,
    "log lines far apart": ("INFO x\n" + "\n" * 300) * 300,
    "open brackets": "[" * 100_000,
    "nested brackets": "[" * 3000 + "]" * 3000,
    "nested objects": '{"a":' * 50_000,
    "nested elements": "<a>" * 50_000,
    "flow collections of YAML": "a: " + "[" * 50_000,
    "deep YAML": "".join(" " * depth + "a:\n" for depth in range(400)),
    "aliases": "a: &a [x]\n"
    + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(24)),
    "merge keys": "a: &a {x: 1}\n"
    + "".join(f"{chr(98 + n)}: &{chr(98 + n)}\n  <<: [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(24)),
    "one line": "x" * 3_000_000,
    "one line of digits": "1" * 1_000_000,
    "one row": "a," * 500_000,
    "quotes": '"' * 500_000,
    "escapes": "\x1b[" * 300_000,
    "parameters of escapes": "\x1b[" + "1;" * 300_000,
    "carriage returns": "a\r" * 300_000,
    "backticks": "`" * 200_000,
    "number signs": "# " * 200_000,
    "angle brackets": "<" * 500_000,
    "headings that never close": "<html>" + "<h1" * 100_000,
    "colons": "a:" * 300_000,
    "slashes": "/a" * 300_000,
    "pipes": "|" * 300_000,
    "declarations": "int " * 100_000,
    "lone surrogates": "\ud800" * 100_000,
    "items with keys of their own": json.dumps([{f"k{n}": n} for n in range(20_000)]),
    "cut inside of cuts": '{"a":[' * 20_000,
    "a page of blanks before the text": " \n" * 9_000 + "a,b\n1,2\n",
    "line ends that are none": "\u2028" * 600,
    "codes of a terminal alone": "\x1b[@",
    "values in a row": '{"a":1} ' * 30_000,
    "figures in the verdict of a report": "FAILED a::b - x\n" * 9 + ("= " + "1 " + "1111 " * 400 + "=\n") * 40,
    "parts of the name of a test": "FAILED a::b - x\n" * 9 + "a::" * 30_000 + " PASSED x\n" + "a::" * 9_000,
    "blanks before paths": "src/a.py\n" * 10 + (" " * 1500 + "/" + " " * 100 + ".z!\n") * 300,
    "blanks within headers": "Words of a text.\n" * 9 + ("AB" + " " * 1990 + "c\n## " + "\t" * 1990 + "\x0b\n") * 200,
    "blanks behind findings": "".join(f"a.py:{n}:2: error: x{' ' * 2000}.\n" for n in range(300)),
    "every second line broken": '{"a":1}\n{bad\n' * 20_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_it_is_described_at_once(text: str) -> None:
    """A bounded stub comes back."""
    stub = render(synopsize(text), sha256="0" * 64, ref="ts_0000000000000000")
    assert len(stub) <= 2300


LONG = " x" * 400
SHAPES = {
    "log": "".join(f"src/a.py:{n}:2: error: no such name\n" for n in range(1, 40)),
    "hexdump": "".join(f"{16 * n:08x}: {'6162 ' * 8} abababababababab\n" for n in range(40)),
    "table": "Name of it Size\n" + f"{' ' * 310}a\n" + "7 8 9 10\n" * 30,
}


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES.keys())
@pytest.mark.parametrize("behind", ["", LONG, LONG.strip(), " " * 400, " " * 400 + "x"])
def test_lines_longer_than_what_is_looked_at_first_change_no_kind(text: str, behind: str) -> None:
    """Their shape is told from beginnings of lines; where the rest fits none, the text is text."""
    assert synopsize(text.replace("\n", behind + "\n")).kind == "text"


@pytest.mark.parametrize(("said", "told"), [
    ("no such name", "no such name 39"),
    ("no such name" + LONG, "no such name x x"),
    ("it  is  [no-rule]", "no-rule 39 it is (from 1)"),
    ("it is" + " " * 9 + "no-rule", "no-rule 39 it is (from 1)"),
    ("is (no/rule)", "no/rule 39 is (from 1)"),
    ("is" + LONG + " [a-b]", "a-b 39 is x x"),
    ("is" + LONG + "  a-b", "a-b 39 is x x"),
    ("is a-b", "is a-b 39"),
    ("[a-b]", "[a-b] 39"),
])
def test_findings_are_told_however_long_they_are(said: str, told: str) -> None:
    """Each is counted, with the rule that stands behind it."""
    synopsis = synopsize(SHAPES["log"].replace("no such name", said))
    assert synopsis.summary[0].startswith("39 findings in 1 file")
    assert synopsis.structure[0].startswith(f"by rule: {told}")


class _Faulty:
    """A kind of our own with a fault that its author did not think of."""

    name = "json"

    def __init__(self, where: str) -> None:
        self._where = where

    def score(self, source: Source) -> float:
        if self._where == "score":
            raise ZeroDivisionError
        return 1.0

    def describe(self, source: Source) -> None:
        raise RecursionError


@pytest.mark.hides_faults
@pytest.mark.parametrize("where", ["score", "describe"])
def test_a_fault_of_ours_costs_the_kind_and_not_the_stub(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:
    """Any text gets a stub; the fault is logged."""
    monkeypatch.setattr(kinds, "KINDS", (_Faulty(where),))
    with caplog.at_level(logging.WARNING):
        synopsis = synopsize("some text\n" * 2_000)
    assert (synopsis.kind, synopsis.chars, synopsis.lines) == ("unknown", 20_000, 2_000)
    assert "fault of toolstub" in caplog.text
