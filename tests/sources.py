"""A short source in each language, from `sources.txt`."""

from __future__ import annotations

import re
from pathlib import Path

_TEXT = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")

SOURCES: dict[str, str] = dict(re.findall(r"^=== (\w+)(\n.*?\n)(?=\n===|\Z)", _TEXT, re.MULTILINE | re.DOTALL))
"""By the name of its language, each with an empty line in front."""
