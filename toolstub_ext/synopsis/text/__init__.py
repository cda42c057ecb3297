"""Text: prose, and the many shapes in which tools print."""

from __future__ import annotations

from .kind import certain, kind

__all__ = ["certain", "kind"]
