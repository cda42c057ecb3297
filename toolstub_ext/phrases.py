"""How replies quote what somebody sent, and count."""

from __future__ import annotations

import json

_CUT = "…"


def shown(text: str, most: int = 60) -> str:
    """A text in quotes, cut to `most` characters, on one line whatever it holds."""
    return json.dumps(text if len(text) <= most else text[:most - 1] + _CUT, ensure_ascii=False)


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
