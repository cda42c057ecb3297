"""Text that is only numbers is numbers, not lines with their numbers in front of nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.synopsis import synopsize

COUNTED = "".join(f"{n}\n" for n in range(1, 9001))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (COUNTED, "9000 lines, each an integer: 1..9000, each 1 more than the one before"),
        ("start\n" + COUNTED, "9000 integers in 9001 lines: 1..9000, each 1 more than the one before"),
        ("5\n5\n-2\n7\n5\n" * 100, "500 lines, each an integer: -2..7, 3 different values"),
        ("0.5\n1.5\n-2e3\n7\n5\n" * 2, "10 lines, each a number: -2e3..7, 5 different values"),
        ("".join(f"{n}\n" for n in range(20_000, 0, -2)), "each an integer: 2..20000, each 2 less"),
        ("1\n2\n3\n4\n99999999999999999999\n", "5 lines, each an integer: 1..99999999999999999999"),
        ("1\n2\n3\n4\n-9999999999999\n", "5 lines, each an integer: -9999999999999..4"),
        (f"{10**25}\n{10**25 + 3}\n{10**25 + 6}\n{10**25 + 9}\n{10**25 + 12}\n", "each 3 more than the one before"),
    ],
)
def test_numbers_are_told_by_their_range(text: str, expected: str) -> None:
    """How many there are, from where to where, and whether they count."""
    assert expected in synopsize(text).summary[0]


@given(start=st.integers(0, 10**6), step=st.integers(1, 3), size=st.integers(5, 300), header=st.booleans())
def test_no_numbers_are_taken_for_line_numbers(start: int, step: int, size: int, header: bool) -> None:
    """Whatever they begin with and however they rise, they are not called empty."""
    rows = [str(start + step * place) for place in range(size)]
    synopsis = synopsize("\n".join(["header"] * header + rows))
    assert "numbered" not in synopsis.title
    assert "empty" not in "".join(synopsis.summary)


def test_blank_lines_of_a_numbered_file_do_not_matter() -> None:
    """Its numbers are still those of the file."""
    text = "".join(f"{n:6}\t{'' if n % 2 else 'Words that somebody wrote.'}\n" for n in range(10, 200))
    assert "numbered 10-199" in synopsize(text).title


def test_far_lines_that_are_no_numbers_are_not_called_numbers() -> None:
    """What holds for the part that is read is said of it alone."""
    said = synopsize("7\n" * 200_000 + "and then words\n" * 10).summary
    assert any(line.startswith("in the first ") for line in said)
    assert said[0] == "200010 lines, of numbers as far as read"
