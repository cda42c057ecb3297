"""Columns that blanks keep apart: the cells between wide gaps, and where lines are blank."""

from __future__ import annotations


def gapped(line: str) -> list[str]:
    """The cells of a line: what stands between two blanks or more, or a tab."""
    return [cell.lstrip(" ") for cell in line.strip().replace("\t", "  ").split("  ") if cell]


def outer(line: str) -> tuple[str, str]:
    """The first and the last of these cells."""
    wide = line.strip().replace("\t", "  ")
    return wide.partition("  ")[0], wide.rpartition("  ")[2]


def blanks(lines: list[str], width: int) -> list[int]:
    """How many of the lines are blank at each of the first `width` places."""
    block = "".join([line[:width].ljust(width) for line in lines]).replace("\t", " ")
    return [block[place::width].count(" ") for place in range(width)]
