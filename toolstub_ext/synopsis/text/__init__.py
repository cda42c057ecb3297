"""Text: prose, and the many shapes in which tools print."""

from __future__ import annotations

from .kind import kind, plain, stamped

__all__ = ["kind", "plain", "stamped"]
