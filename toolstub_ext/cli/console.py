"""What commands print: JSON for a program, and original text byte for byte."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, is_dataclass
from typing import Any


def print_json(value: Any) -> None:
    """One JSON document, in ASCII, so that any text survives any terminal."""
    plain = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
    print(json.dumps(plain, indent=2))


def write_text(text: str) -> None:
    """Exactly the bytes of an original, whatever the terminal's encoding and line ends."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))


def note(line: str) -> None:
    """Something to know that is no part of the output."""
    print(f"toolstub: {line}", file=sys.stderr)
