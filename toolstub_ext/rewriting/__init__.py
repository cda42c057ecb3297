"""From the body a client sends to the body the provider gets, with the reason for what became of each result.

    decode -> read -> decide (policy) -> store the originals -> splice

Nothing but what is replaced, our tools and rounds put back differs from the client's bytes; a body that is not
understood, and any fault of ours, leaves them as they came.
"""

from __future__ import annotations

from .rewriter import Rewriter, rewrite
from .rewritten import Rewritten, Understood

__all__ = ["Rewriter", "Rewritten", "Understood", "rewrite"]
