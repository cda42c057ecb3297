"""What commands print: tables for a person, JSON for a program, and original text byte for byte."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def print_json(value: Any) -> None:
    """One JSON document, in ASCII, so that any text survives any terminal."""
    plain = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
    print(json.dumps(plain, indent=2))


def print_table(rows: Iterable[Sequence[str | int]]) -> None:
    """Columns two blanks apart, each row one line; numbers to the right, with thousands separators."""
    kept = list(rows)
    shown = [[f"{cell:,}" if isinstance(cell, int) else printable(cell) for cell in row] for row in kept]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row, texts in zip(kept, shown, strict=True):
        padded = (
            text.rjust(width) if isinstance(cell, int) else text.ljust(width)
            for cell, text, width in zip(row, texts, widths, strict=True)
        )
        print("  ".join(padded).rstrip())


def printable(text: str) -> str:
    """`text` in one line, with escapes for what would act on a terminal instead of being shown by it."""
    words = " ".join(text.split())
    return words if words.isprintable() else "".join(map(_shown, words))


def _shown(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")


def write_text(text: str) -> None:
    """Exactly the bytes of an original, whatever the terminal's encoding and line ends."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))


def note(line: str) -> None:
    """Something to know that is no part of the output."""
    print(f"toolstub: {line}", file=sys.stderr)
