"""Text: prose, and the many shapes in which tools print."""

from __future__ import annotations

from .kind import drawn, early, holding_code, kind, stamped, titled

__all__ = ["drawn", "early", "holding_code", "kind", "stamped", "titled"]
