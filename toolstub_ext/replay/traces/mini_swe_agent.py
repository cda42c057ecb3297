"""Trajectories of mini-swe-agent: chat messages, in which observations stand as user messages.

The command is a fenced block in what the model said; version 2 makes real tool calls, which need no help.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ..conversation import Builder, Conversation
from . import chat, responses
from .base import Trace, objects, string, text_of

suffixes = (".traj.json", ".json")

_COMMAND = re.compile(r"```(?:bash|mswea_bash_command)\s*\n(.*?)\n```", re.DOTALL)
_ROLES = ("system", "user", "assistant", "tool")


def reads(trace: Trace) -> bool:
    """If the document says that it is one."""
    (document, *_) = trace.first or (None,)
    return isinstance(document, dict) and string(document.get("trajectory_format")).startswith("mini-swe-agent")


def read(trace: Trace) -> Iterator[Conversation]:
    """The one conversation."""
    builder = Builder(trace.name)
    called = False
    for message in objects(trace.document.get("messages")):
        role = message.get("role")
        if role == "assistant" and not message.get("tool_calls"):
            called = True
            text = text_of(message.get("content"))
            builder.assistant(text, _command(text))
        elif role == "user" and called:
            builder.result(text_of(message.get("content")))
        elif role in _ROLES:
            chat.add(message, builder)
        else:
            _add_response(message, builder)
    yield from builder.finished()


def _command(said: str) -> list[tuple[str, str, str]]:
    found = _COMMAND.search(said)
    return [("", "bash", json.dumps({"command": found[1]}, ensure_ascii=False))] if found else []


def _add_response(message: dict[str, Any], builder: Builder) -> None:
    """Of the Responses API, a whole answer stands in one message; `exit` and the like are not sent."""
    for item in objects(message.get("output")) or [message]:
        responses.add(item, builder)
