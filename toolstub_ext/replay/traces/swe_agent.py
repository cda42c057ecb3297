"""Trajectories of SWE-agent (`.traj`): the `history` it sent, in which observations may stand as user messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...wire.conversation import string
from ..conversation import Builder, Conversation
from . import chat
from .base import Trace, objects_in, text_of

suffixes = (".traj",)


def reads(trace: Trace) -> bool:
    """If the first value has a trajectory and a history."""
    return bool(trace.first) and _path(trace.first[0]) is not None


def read(trace: Trace) -> Iterator[Conversation]:
    """One conversation for each value."""
    for name, _, history in trace.arrays(_path):
        yield from _conversation(objects_in(history or ()), Builder(name))


def _path(value: Any) -> tuple[str, ...] | None:
    is_one = isinstance(value, dict) and "trajectory" in value and isinstance(value.get("history"), list)
    return ("history",) if is_one else None


def _conversation(history: Iterator[dict[str, Any]], builder: Builder) -> Iterator[Conversation]:
    called = False
    for entry in history:
        yield from builder.overfull()
        role = entry.get("role")
        if role == "assistant" and not entry.get("tool_calls"):
            builder.assistant(text_of(entry.get("content")), _action(entry))
        elif role == "user" and called and entry.get("message_type", "observation") == "observation":
            builder.result(text_of(entry.get("content")))
        elif role == "tool":
            _add_observation(entry, builder)
        else:
            chat.add(entry, builder)
        called = called or role == "assistant"
    yield from builder.finished()


def _action(entry: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The command in a message, as a call."""
    action = string(entry.get("action"))
    return [("", "bash", json.dumps({"command": action}, ensure_ascii=False))] if action else []


def _add_observation(entry: dict[str, Any], builder: Builder) -> None:
    ids = entry.get("tool_call_ids")
    call_id = ids[0] if isinstance(ids, list) and ids else entry.get("tool_call_id")
    builder.result(text_of(entry.get("content")), string(call_id))
