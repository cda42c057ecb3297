"""Text: prose, and the many shapes in which tools print."""

from __future__ import annotations

from .kind import kind, plain, stamped, titled

__all__ = ["kind", "plain", "stamped", "titled"]
