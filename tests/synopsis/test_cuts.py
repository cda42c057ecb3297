"""Outputs that a tool has shortened: the stub says where and by how much, and what is left is told as ever."""

from __future__ import annotations

import json

import pytest

from toolstub_ext.synopsis import synopsize
from toolstub_ext.synopsis.cuts import cuts, without_marks

MARKS = (
    "[... 1200 characters truncated ...]", "... [40 lines omitted] ...", "[truncated]", "...(truncated)...",
    "< truncated lines 129-199 >", "[Output truncated]", "… 12 more lines elided …", "<response clipped>",
    "[... truncated 1,234 bytes ...]", "... 8 lines were omitted ...", "[... omitted ...]",
)  # fmt: skip
NONE = (
    "truncated", "the list is truncated", "- [x] truncated names are shown", "[truncated](docs/cut.md)", "(omitted here)x",
    "[error] 12 lines truncated because of the tide", "[INFO] omitted 3 of 4 piers", "...and so on",
)  # fmt: skip
ROWS = "pier,low,high\n" + "".join(f"pier{n},{n},{n * 2}\n" for n in range(40))
SOURCE = "".join(f"def pier{n}(low):\n    return low + {n}\n\n\n" for n in range(30))
VALUES = json.dumps([{"pier": n, "low": n * 2} for n in range(40)], indent=1)


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_is_found_as_a_line_alone(mark: str) -> None:
    """With its place, and only there."""
    text = f"low tide\n{mark}\nhigh tide\n"
    assert [text[start:end] for start, end in cuts(text)] == [mark]


@pytest.mark.parametrize("line", NONE)
def test_words_in_other_lines_are_no_mark(line: str) -> None:
    """Nor is a link, a message or a sentence."""
    assert cuts(f"low tide\n{line}\nhigh tide\n") == []


@pytest.mark.parametrize(
    ("text", "kind", "variant"),
    [(ROWS, "csv", None), (SOURCE, "code", "python"), (VALUES, "json", "truncated")],
    ids=["a table", "source code", "JSON"],
)
def test_what_is_left_is_told_with_what_is_missing(text: str, kind: str, variant: str | None) -> None:
    """In the first line of the summary, with the line behind which it is missing."""
    lines = text.split("\n")
    found = synopsize("\n".join([*lines[:30], "[... 600 characters truncated ...]", *lines[-9:]]))
    assert (found.kind, found.variant) == (kind, variant)
    assert found.summary[0] == "left out behind line 30: [... 600 characters truncated ...]"
    assert found.title.endswith("shortened")


def test_a_mark_is_no_row() -> None:
    """The rows that are there are counted, and none of them is ragged."""
    lines = ROWS.split("\n")
    found = synopsize("\n".join([*lines[:21], "... [12 lines omitted] ...", *lines[-9:]]))
    assert "28 rows, 3 columns" in found.summary[1]


def test_lines_behind_a_mark_keep_their_numbers() -> None:
    """For they are those of the text as it came."""
    text = SOURCE[:400] + "\n[... 900 characters truncated ...]\n" + SOURCE[-400:]
    places = [(text.count("\n", 0, anchor.offset) + 1, anchor.line) for anchor in synopsize(text).anchors]
    assert any(line > text[:400].count("\n") + 2 for _, line in places)
    assert all(found == line for found, line in places)


def test_more_than_two_marks_are_counted() -> None:
    """The first two are shown."""
    text = "".join(f"the tide at pier {n} is low, and high at the next\n[... {n} lines omitted ...]\n" for n in range(1, 6))
    assert synopsize(text).summary[:3] == (
        "left out behind line 1: [... 1 lines omitted ...]",
        "left out behind line 3: [... 2 lines omitted ...]",
        "3 more parts left out",
    )


def test_any_number_of_marks_is_taken_out_at_once() -> None:
    """A text that holds hardly anything else takes no longer than another; the lines stay."""
    text, said = without_marks("low\n[truncated]\nhigh\n" * 20_000)
    assert text == "low\n\nhigh\n" * 20_000
    assert said[-1] == "19998 more parts left out"
