"""Text: prose, and the many shapes in which tools print."""

from __future__ import annotations

from .kind import early, holding_code, kind, stamped, tabular, titled

__all__ = ["early", "holding_code", "kind", "stamped", "tabular", "titled"]
