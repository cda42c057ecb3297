"""The numbers that tools put in front of lines."""

from __future__ import annotations

import pytest

from toolstub_ext.synopsis.numbering import taken_off


@pytest.mark.parametrize(
    ("text", "bare", "numbers"),
    [
        ("     7\tmap\n     8\t\n     9\tend", "map\n\nend", [7, 8, 9]),
        ("1→a = 1\n2→\n3\n4→\tb", "a = 1\n\n\n\tb", [1, 2, 3, 4]),
        ("98 | x\n99 |\n100 │ y", "x\n\ny", [98, 99, 100]),
        ("1: x\n2:\n3:y", "x\n\n3:y", [1, 2, 2]),
        ("file:\n     4\tx\n(more)\n\n     9\ty\n", "file:\nx\n(more)\n\ny\n", [0, 4, 4, 4, 9, 9]),
        ("0a1b2c3d (Kim 2024-05-06 10:00:00 +0000 11) x\n^0a1b2c3 12) y", "x\ny", [11, 12]),
        ("5\tfive\n          6\tsix", "5\tfive\n          6\tsix", [0, 0]),
        ("none", "none", [0]),
    ],
)
def test_numbers_are_taken_off(text: str, bare: str, numbers: list[int]) -> None:
    """Each line has its number or that of the line above; what only looks like one stays."""
    assert taken_off(text) == (bare, numbers)
