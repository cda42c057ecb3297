"""HTTP archives (HAR), as browsers and proxies write them: the requests to a model among all others."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any

from ...wire.conversation import string
from ..conversation import Conversation
from .base import Trace
from .bodies import of_exchange
from .growing import longest

suffixes = (".har",)

_LOG = re.compile(r'\{\s*"log"\s*:\s*\{')


def reads(trace: Trace) -> bool:
    """If the document is an object that begins with its log."""
    return _LOG.match(trace.beginning) is not None


def read(trace: Trace) -> Iterator[Conversation]:
    """The longest of each conversation that was sent to a model."""
    return longest(_all(trace), expected=f"{trace.name}, line 1: a request to a model, with its body,")


def _all(trace: Trace) -> Iterator[Conversation]:
    for number, entry in enumerate(trace.elements("log", "entries"), 1):
        if isinstance(entry, dict):
            yield from of_exchange(_sent(entry), _received(entry), f"{trace.name}#{number}")


def _sent(entry: dict[str, Any]) -> str:
    return string(_inner(entry, "request", "postData").get("text"))


def _received(entry: dict[str, Any]) -> str:
    content = _inner(entry, "response", "content")
    text = string(content.get("text"))
    if content.get("encoding") != "base64":
        return text
    try:
        return base64.b64decode(text).decode("utf-8", "replace")
    except binascii.Error:
        return ""


def _inner(entry: dict[str, Any], *keys: str) -> dict[str, Any]:
    value: Any = entry
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}

