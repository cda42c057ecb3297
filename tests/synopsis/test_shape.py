"""What shapes of text count by, and which of them are asked when."""

from __future__ import annotations

import pytest

from toolstub_ext.synopsis import synopsize
from toolstub_ext.synopsis.text.kind import SHAPES
from toolstub_ext.synopsis.text.shape import mostly, share, spread

LINES = ["1", "2", "late", "3"]


def test_a_share_is_that_of_the_lines_that_pass() -> None:
    """Of no lines it is none."""
    assert share(LINES, str.isdigit) == 0.75
    assert share([], str.isdigit) == 0.0


@pytest.mark.parametrize(("lines", "least", "expected"), [
    (LINES, 0.75, True), (LINES, 0.76, False), (["late"], 0.0, True), ([], 0.0, False),
])  # fmt: skip
def test_most_lines_pass_or_too_many_have_failed(lines: list[str], least: float, expected: bool) -> None:
    """As their share says; of no lines it is never so."""
    assert mostly(lines, str.isdigit, least) is expected


def test_no_line_is_tried_once_too_many_have_failed() -> None:
    """Most texts are of another shape, and show it in their first lines."""
    tried: list[str] = []
    assert not mostly(["late", "due", "1", "2"], lambda line: tried.append(line) or line.isdigit(), 0.8)
    assert tried == ["late"]


@pytest.mark.parametrize("size", [*range(40), 10_000])
def test_items_are_taken_from_all_over(size: int) -> None:
    """However few have room, no gap between them is more than twice as wide as it has to be."""
    ranks = spread(size)
    assert len(ranks) == size
    for best in range(1, 6):
        taken = [place for place, rank in enumerate(ranks) if rank < best]
        gaps = [after - before for before, after in zip(taken, [*taken[1:], size])]
        assert max(gaps, default=0) <= 2 * max(1, size / max(1, len(taken)))


def test_a_shape_stands_in_the_list_once() -> None:
    """The order in which they are tried, and what each says of itself, is all there is to say when it is asked."""
    assert len({id(shape) for shape in SHAPES}) == len(SHAPES)


NO_FINDINGS = {
    "a source that names places": "".join(f'    at("desk.c:{n}:5", {n})\n' for n in range(20)),
    "a time of day": "".join(f"10:{n:02}:00: error: the desk is late\n" for n in range(20)),
    "a time with its date": "".join(f"2026-03-01T10:{n:02}:00: error: the desk is late\n" for n in range(20)),
    "two findings": "desk.c:1:5: error: late\ndesk.c:2:5: error: due\n",
}


@pytest.mark.parametrize("text", NO_FINDINGS.values(), ids=NO_FINDINGS.keys())
def test_places_and_errors_alone_are_no_findings(text: str) -> None:
    """A finding has a place and says what is wrong, and there are a few."""
    assert "finding" not in " ".join(synopsize(text).summary)


def test_a_version_in_brackets_opens_no_changelog() -> None:
    """A package says how urgent it is."""
    text = "desk (2.1-3) stable\n\n  * Late orders come first.\n\n" * 9
    assert synopsize(text).variant != "changelog"


@pytest.mark.parametrize("text", ["< late\n> due\n---\n" * 9, "1c1\n2c2\n3c3\n" * 9])
def test_marks_or_commands_alone_are_no_diff(text: str) -> None:
    """A command says which lines change, and marks say how."""
    assert synopsize(text).variant != "diff"


def test_a_comparison_without_files_is_a_diff() -> None:
    """The command may have been cut off."""
    told = synopsize("diff \n" + "1c1\n< late\n---\n> due\n" * 9)
    assert (told.variant, told.summary[0]) == ("diff", "diff of 1 file: 9 lines added, 9 removed, 9 hunks")
