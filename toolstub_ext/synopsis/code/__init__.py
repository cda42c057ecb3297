"""Source code: which language, and every definition with its line."""

from __future__ import annotations

from .kind import evident, kind

__all__ = ["evident", "kind"]
