"""Messages of Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...wire.conversation import string
from ..conversation import Builder
from .base import json_of, objects, text_of

BLOCKS = ("tool_use", "tool_result", "thinking", "redacted_thinking")
"""Block types that no other format has."""


def add(message: dict[str, Any], to: Builder) -> None:
    """One message."""
    content = message.get("content")
    if message.get("role") == "assistant":
        blocks = objects(content)
        said = [string(block.get("text")) or string(block.get("thinking")) for block in blocks]
        calls = [
            (string(block.get("id")), string(block.get("name")), json_of(block.get("input", {})))
            for block in blocks if block.get("type") == "tool_use"
        ]
        text = "\n".join(filter(None, said)) if blocks else text_of(content)
        to.assistant(text, calls, string(message.get("id")))
    elif isinstance(content, list):
        _add_blocks(content, to)
    else:
        to.user(text_of(content))


def _add_blocks(content: Sequence[Any], to: Builder) -> None:
    """The blocks of a user message: results are the tools', runs of anything else the user's."""
    said: list[Any] = []
    for block in content:
        if isinstance(block, dict) and block.get("type") == "tool_result":
            _say(said, to)
            to.result(text_of(block.get("content")), string(block.get("tool_use_id")))
        else:
            said.append(block)
    _say(said, to)


def _say(said: list[Any], to: Builder) -> None:
    if said:
        to.user(text_of(said))
        said.clear()
