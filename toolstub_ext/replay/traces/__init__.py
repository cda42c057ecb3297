"""The traces people have, each kind read by a module of its own, and all of them turned into conversations.

A package adds a kind with an entry point of the group `toolstub.traces`, whose value is a module (or object) that
satisfies `Reader`.
"""

from __future__ import annotations

from .base import NothingToReplayError, Reader, Trace, TraceError
from .bodies import of_exchange
from .finding import GROUP, Found, conversations
from .growing import longest

__all__ = ["GROUP", "Found", "NothingToReplayError", "Reader", "Trace", "TraceError", "conversations", "longest",
           "of_exchange"]
