"""A settings file, for the tests of the settings."""

from __future__ import annotations

from pathlib import Path


def write(path: Path, text: str) -> Path:
    """A settings file at `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
