"""The traces people have, each kind read by a module of its own, and all of them turned into conversations.

A package adds a kind with an entry point of the group `toolstub.traces`, whose value is a module (or object) that
satisfies `Reader`.
"""

from __future__ import annotations

from .base import Reader, Trace, TraceError
from .finding import GROUP, Found, conversations

__all__ = ["GROUP", "Found", "Reader", "Trace", "TraceError", "conversations"]
