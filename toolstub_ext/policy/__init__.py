"""What is done with the tool results of a conversation: pure functions from transcript to transcript."""

from __future__ import annotations

from .compact import compact
from .dedupe import dedupe
from .externalize import externalize
from .history import History
from .pipeline import decide, settle
from .stubs import Stub, Stubs, Synopses, make_stub

__all__ = ["History", "Stub", "Stubs", "Synopses", "compact", "decide", "dedupe", "externalize", "make_stub", "settle"]
