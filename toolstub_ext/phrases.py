"""How replies quote what somebody sent, count, and stand in columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

_CUT = "…"


def shown(text: str, most: int = 60) -> str:
    """A text in quotes, as JSON writes it, cut to `most` characters: on one line, and readable, whatever it holds."""
    cut = text if len(text) <= most else text[:most - 1] + _CUT
    quoted = json.dumps(cut, ensure_ascii=False)
    return quoted if quoted.isprintable() else "".join([_visible(each) for each in quoted])


def _visible(character: str) -> str:
    return character if character.isprintable() else json.dumps(character)[1:-1]


def one_line(text: str) -> str:
    """A text without line ends and runs of blanks."""
    return " ".join(text.split())


def clipped(text: str, most: int = 160) -> str:
    """A text on one line, cut to `most` characters."""
    line = one_line(text)
    return line if len(line) <= most else line[:most - 1] + _CUT


def counted(number: int, word: str) -> str:
    """`1 row`, `1,234 rows`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def in_columns(rows: Iterable[Sequence[str | int]]) -> list[str]:
    """Rows as lines, their columns two blanks apart; numbers to the right, with thousands separators."""
    kept = list(rows)
    texts = [[f"{cell:,}" if isinstance(cell, int) else printable(cell) for cell in row] for row in kept]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return ["  ".join(text.rjust(width) if isinstance(cell, int) else text.ljust(width)
                      for cell, text, width in zip(row, line, widths, strict=True)).rstrip()
            for row, line in zip(kept, texts, strict=True)]


def printable(text: str) -> str:
    """`text` in one line, with escapes for what would act on a terminal instead of being shown by it."""
    words = one_line(text)
    return words if words.isprintable() else "".join(map(_escaped, words))


def _escaped(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
