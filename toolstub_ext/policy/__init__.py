"""What is done with the tool results of a conversation: pure functions from transcript to transcript."""

from __future__ import annotations

from .aging import Old
from .compact import compact
from .counting import check_token_counter
from .dedupe import dedupe
from .externalize import externalize
from .history import History, Stretch
from .pipeline import decide, settle
from .stubs import Stub, Stubs, Synopses, make_stub
from .window import window

__all__ = ["History", "Old", "Stretch", "Stub", "Stubs", "Synopses", "check_token_counter", "compact", "decide",
           "dedupe", "externalize", "make_stub", "settle", "window"]
