"""The wire formats of model requests: where a body holds tool results, calls and tools."""

from __future__ import annotations

from . import chat
from .base import Beginning, Edit, Message, Reading, Wire, splice

__all__ = ["Beginning", "Edit", "Message", "Reading", "Wire", "chat", "splice", "wire_for"]


def wire_for(path: str) -> Wire | None:
    """The format that is spoken at a request path (a query is ignored), or None if it is none we know."""
    return chat if path.partition("?")[0].rstrip("/").endswith("/chat/completions") else None
