"""Whether a line or a text is one JSON value."""

from __future__ import annotations

from .scan import parse
from .tokens import decoders


def is_whole(line: bytes) -> bool:
    """Whether a line is one complete value and nothing else."""
    line = line.strip()
    as_object, as_array, as_value = decoders()
    try:
        {b"{": as_object, b"[": as_array}.get(line[:1], as_value)(line)
    except (ValueError, RecursionError):
        return _is_whole_otherwise(line)
    return True


def _is_whole_otherwise(line: bytes) -> bool:
    """The same for lines that hold NaN or nest deeply."""
    try:
        value = parse(line)
    except ValueError:
        return False
    return value.complete and value.end == len(line)
