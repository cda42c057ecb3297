"""How replies quote what a model sent, and count."""

from __future__ import annotations

import json

_SHOWN_CHARS = 60


def shown(text: str) -> str:
    """A text in quotes, on one line, cut if it is long."""
    return json.dumps(text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS - 1] + "…", ensure_ascii=False)


def counted(count: int, word: str) -> str:
    """`1 hit`, `2 hits`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def one_line(text: str) -> str:
    """A text without line ends and runs of blanks."""
    return " ".join(text.split())
