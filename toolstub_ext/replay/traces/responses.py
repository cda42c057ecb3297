"""Items of OpenAI's Responses API."""

from __future__ import annotations

from typing import Any

from ...wire.conversation import string
from ..conversation import Builder
from .base import json_of, text_of

CALLS = ("function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call")


def is_item(value: dict[str, Any]) -> bool:
    """Whether it is of a type that only this format has."""
    kind = string(value.get("type"))
    return kind in CALLS or kind.endswith("_call_output") or kind == "reasoning"


def add(item: dict[str, Any], to: Builder) -> None:
    """One item."""
    kind, role = string(item.get("type")), item.get("role")
    if kind in CALLS:
        to.assistant("", [(string(item.get("call_id")), string(item.get("name")) or kind, _arguments(item))])
    elif kind.endswith("_output"):
        to.result(_output(item.get("output")), string(item.get("call_id")))
    elif kind == "reasoning":
        to.assistant(text_of(item.get("content")) or text_of(item.get("summary")))
    elif role == "assistant":
        to.assistant(text_of(item.get("content")))
    elif role in ("system", "developer"):
        to.system(text_of(item.get("content")))
    elif role == "user":
        to.user(text_of(item.get("content")))


def _arguments(item: dict[str, Any]) -> str:
    return json_of(next((item[key] for key in ("arguments", "input", "action", "operation") if item.get(key)), ""))


def _output(output: Any) -> str:
    """The text of an output; one in an envelope with `content` is what the envelope holds."""
    if isinstance(output, dict) and "content" in output:
        return text_of(output["content"])
    if isinstance(output, list) and any(isinstance(part, dict) and "stdout" in part for part in output):
        return "\n".join(string(part.get(key)) for part in output for key in ("stdout", "stderr") if part.get(key))
    return text_of(output)
