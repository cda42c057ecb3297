"""What is done with the tool results of a conversation: pure functions from transcript to transcript."""

from __future__ import annotations

from .externalize import externalize
from .stubs import Stub, Stubs, make_stub

__all__ = ["Stub", "Stubs", "externalize", "make_stub"]
