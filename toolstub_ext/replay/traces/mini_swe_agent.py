"""Trajectories of mini-swe-agent: chat messages, in which observations stand as user messages.

The command is a fenced block in what the model said; version 2 makes real tool calls, which need no help.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ...wire.conversation import string
from ..conversation import Builder, Conversation
from . import chat, responses
from .base import Trace, objects, objects_in, text_of

suffixes = (".traj.json", ".json")

_COMMAND = re.compile(r"```(?:bash|mswea_bash_command)\s*\n(.*?)\n```", re.DOTALL)
_ROLES = ("system", "user", "assistant", "tool")


def reads(trace: Trace) -> bool:
    """If the first value says that it is one."""
    return bool(trace.first) and _path(trace.first[0]) is not None


def read(trace: Trace) -> Iterator[Conversation]:
    """One conversation for each value."""
    for name, _, sent in trace.arrays(_path):
        yield from _conversation(objects_in(sent or ()), Builder(name))


def _path(value: Any) -> tuple[str, ...] | None:
    is_one = isinstance(value, dict) and string(value.get("trajectory_format")).startswith("mini-swe-agent")
    return ("messages",) if is_one and isinstance(value.get("messages"), list) else None


def _conversation(sent: Iterator[dict[str, Any]], builder: Builder) -> Iterator[Conversation]:
    called = False
    for message in sent:
        yield from builder.overfull()
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
