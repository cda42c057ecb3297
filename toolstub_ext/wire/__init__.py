"""The wire formats of model requests: where a body holds tool results, calls and tools."""

from __future__ import annotations

from functools import lru_cache

from . import chat, messages, responses
from .base import Beginning, Continued, Edit, Message, Piece, Reading, Terms, Wire, splice
from .body import Body
from .pasted import Marks

__all__ = [
    "Beginning", "Body", "Continued", "Edit", "Marks", "Message", "Piece", "Reading", "Terms", "Wire", "chat",
    "messages", "responses", "splice", "wire_for",
]


@lru_cache(maxsize=64)
def wire_for(path: str) -> Wire | None:
    """The format that is spoken at a request path (a query is ignored), or None if it is none we know."""
    steps = path.partition("?")[0].rstrip("/").split("/")
    if steps[-2:] == ["chat", "completions"]:
        return chat
    if steps[-1] == "responses" or steps[-2:] == ["responses", "compact"]:
        return responses
    return messages if steps[-2:] in (["v1", "messages"], ["", "messages"]) else None
