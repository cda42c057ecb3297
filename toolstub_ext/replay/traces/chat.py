"""Messages of OpenAI's chat completions."""

from __future__ import annotations

from typing import Any

from ...wire.conversation import string
from ..conversation import Builder
from .base import json_of, text_of


def add(message: dict[str, Any], to: Builder) -> None:
    """One message."""
    role, content = string(message.get("role")), message.get("content")
    if role == "assistant":
        thought = string(message.get("reasoning_content"))
        to.assistant("\n".join(filter(None, (thought, text_of(content)))), _calls(message))
    elif role in ("tool", "function"):
        name = string(message.get("name"))
        to.result(text_of(content), string(message.get("tool_call_id")) or name, name)
    elif role in ("system", "developer"):
        to.system(text_of(content))
    else:
        to.user(text_of(content))


def _calls(message: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Id, tool and arguments of each call. An older `function_call` has no id; its name stands for it."""
    made = message.get("tool_calls")
    if isinstance(made, list):
        return [_call(string(call.get("id")), call) for call in made if isinstance(call, dict)]
    older = message.get("function_call")
    return [_call(string(older.get("name")), {"function": older})] if isinstance(older, dict) else []


def _call(call_id: str, call: dict[str, Any]) -> tuple[str, str, str]:
    what = next((call[key] for key in ("function", "custom") if isinstance(call.get(key), dict)), call)
    return call_id, string(what.get("name")), json_of(what.get("arguments", what.get("input", "")))
