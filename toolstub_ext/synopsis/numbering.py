"""Lines with their numbers in front, as `cat -n`, `nl`, `git blame` and the readers of agents print them."""

from __future__ import annotations

import itertools
from re import Match

from .patterns import Pattern

_NUMBER = (
    r"(?: {0,8}+(?P<number>\d{1,8}+)"
    r"(?:→|\t(?<=[ \d]{6}\t)(?<![ \d]{10}\t)|[|│](?! -?\d)| [|│](?: |(?=\n|\Z))|:(?: |(?=\n|\Z))|(?=\n|\Z))"
    r"|\^?[0-9a-f]{7,40} {1,9}(?:[^\s(]\S{0,200} {1,99})?(?:\((?=.{0,120}? \d{4}-\d\d-\d\d ).{1,140}? {1,9})?"
    r"(?P<blame>\d{1,7})\)(?: |(?=\n|\Z)))"
)
"""Behind the number stand an arrow, a tab, a bar, a colon or nothing; in front of it, what `git blame` says."""
NUMBERED_LINE = Pattern(_NUMBER)
_NUMBERED_LINES = Pattern(r"\n" + _NUMBER)
_BARS = ("|", "│")
_NUMBERED = 0.7
_COUNTED, _LONGEST_STEP = 0.8, 3
"""So many numbers follow the one before at so small a step: a tool may have left out lines."""
_BARRED = 0.8
"""With so many bars behind the first they are rows with numbers of their own."""
_FILLED = 0.25
"""Numbers with nothing behind most of them are what the tool printed, not what it put in front of lines."""
_HEADING = 4
"""A table has its rule within so many lines."""
_COMPLETE = 0.9


def are_numbers(found: list[Match[str]], probe: list[str], least: int) -> bool:
    """Whether these are numbers of lines, at least so many, and not those of rows, hits or items."""
    values = [int(each[each.lastgroup or 0]) for each in found]
    if len(values) < max(least, _NUMBERED * len(probe)) or not _counts_up(values):
        return False
    behind = [each.string[each.end() :] for each in found]
    barred = [rest for each, rest in zip(found, behind) if each[0].rstrip().endswith(_BARS)]
    if sum(1 for rest in barred if "|" in rest) > _BARRED * len(values):
        return False
    if barred and any("-+-" in line for line in probe[:_HEADING]):
        return False  # below a rule, as the bars between columns are
    if found[0][0].rstrip().endswith(":") and not _all_numbered(values, behind, probe):
        return False
    return sum(1 for rest in behind if rest.strip()) >= _FILLED * len(values)


def taken_off(text: str) -> tuple[str, list[int]]:
    """The text without the numbers of its lines, and these; a line that has none has that of the one above, or 0."""
    before, *parts = _NUMBERED_LINES.split("\n" + text)
    lines = parts[2::3]
    bare = "\n".join([before, *lines])[1:]
    numbers = [int(number or blamed) for number, blamed in zip(parts[::3], parts[1::3])]
    if before or bare.count("\n") >= len(lines):
        each = [[number] * (line.count("\n") + 1) for number, line in zip(numbers, lines)]
        numbers = [*[0] * before.count("\n"), *itertools.chain.from_iterable(each)]
    return bare, numbers


def _all_numbered(values: list[int], behind: list[str], probe: list[str]) -> bool:
    """Whether all lines have their numbers, blank ones too, as is not so where those were found that hold something."""
    follow = sum(1 for before, after in itertools.pairwise(values) if after == before + 1)
    return "" in behind and len(values) >= _COMPLETE * len(probe) and follow >= _COMPLETE * (len(values) - 1)


def _counts_up(values: list[int]) -> bool:
    """Whether most numbers follow the one before, as lines do and values in a table do not."""
    steps = [after - before for before, after in itertools.pairwise(values)]
    counted = sum(1 for step in steps if 1 <= step <= _LONGEST_STEP)
    return counted >= _COUNTED * len(steps) and min(steps, default=0) >= 0
