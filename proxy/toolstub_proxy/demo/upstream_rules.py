"""What the chat API refuses. Error texts are our own words; the reasons are the API's."""

from __future__ import annotations

import json
import re
from typing import Any

MOST_TOOLS = 128
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_KNOWN = frozenset({
    "model", "messages", "tools", "tool_choice", "parallel_tool_calls", "stream", "stream_options", "temperature",
    "top_p", "n", "max_tokens", "max_completion_tokens", "stop", "seed", "response_format", "user", "metadata",
    "logprobs", "top_logprobs", "presence_penalty", "frequency_penalty", "logit_bias", "reasoning_effort",
    "prompt_cache_key", "service_tier", "store", "verbosity",
})
_ROLES = ("system", "developer", "user", "assistant", "tool")


class RefusedError(Exception):
    """A request that is answered with status 400."""

    def __init__(self, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.param = param


def check(raw: bytes, content_type: str) -> dict[str, Any]:
    """The request, if it is valid. Raises RefusedError."""
    if content_type.partition(";")[0] != "application/json":
        raise RefusedError("the content type must be application/json")
    try:
        body = json.loads(raw)
    except ValueError as error:
        raise RefusedError(f"the body is not JSON: {error}") from error
    except RecursionError as error:
        raise RefusedError("the body is nested too deeply") from error
    if not isinstance(body, dict) or not isinstance(body.get("model"), str):
        raise RefusedError("a model is required", "model")
    for key in body:
        if key not in _KNOWN and not key.startswith("x_"):
            raise RefusedError(f"unknown parameter: {key}", key)
    _check_messages(body.get("messages"))
    _check_tools(body)
    return body


def _check_messages(messages: Any) -> None:
    if not isinstance(messages, list) or not messages:
        raise RefusedError("messages must be a non-empty array", "messages")
    open_calls: list[str] = []
    for index, message in enumerate(messages):
        at = f"messages[{index}]"
        role = message.get("role") if isinstance(message, dict) else None
        if role not in _ROLES:
            raise RefusedError(f"{at} has no known role", at)
        if role == "tool":
            if message.get("tool_call_id") not in open_calls:
                raise RefusedError(f"{at} answers no call of the assistant message before it", at)
            open_calls.remove(message["tool_call_id"])
        elif open_calls:
            raise RefusedError(f"calls {open_calls} are not answered before {at}", at)
        if role == "assistant":
            open_calls = _calls_of(message, at)
        elif not isinstance(message.get("content"), str | list):
            raise RefusedError(f"{at} has no content", at)
    if open_calls:
        raise RefusedError(f"calls {open_calls} are not answered", "messages")


def _calls_of(message: dict[str, Any], at: str) -> list[str]:
    calls = message.get("tool_calls")
    if calls is None:
        if message.get("content") is None:
            raise RefusedError(f"{at} has neither content nor calls", at)
        return []
    if not isinstance(calls, list) or not calls:
        raise RefusedError(f"{at}.tool_calls must be a non-empty array", at)
    for call in calls:
        function = call.get("function") or {}
        if call.get("type") != "function" or not _NAME.fullmatch(function.get("name") or ""):
            raise RefusedError(f"{at} has a malformed call", at)
        if not isinstance(function.get("arguments"), str):
            raise RefusedError(f"{at} has a call without arguments", at)
    ids = [call.get("id") for call in calls]
    if len(set(ids)) < len(ids) or not all(isinstance(i, str) and i for i in ids):
        raise RefusedError(f"{at} has calls without ids of their own", at)
    return ids


def _check_tools(body: dict[str, Any]) -> None:
    tools = body.get("tools")
    if tools is None:
        if "tool_choice" in body:
            raise RefusedError("tool_choice needs tools", "tool_choice")
        return
    if not isinstance(tools, list) or not 1 <= len(tools) <= MOST_TOOLS:
        raise RefusedError(f"tools must hold 1 to {MOST_TOOLS} tools", "tools")
    names = [_checked_name(tool) for tool in tools]
    if len(set(names)) < len(names):
        raise RefusedError("tool names must be unique", "tools")
    choice = body.get("tool_choice")
    if isinstance(choice, dict) and choice.get("type") == "function" and choice["function"]["name"] not in names:
        raise RefusedError("tool_choice names no tool", "tool_choice")


def _checked_name(tool: dict[str, Any]) -> str:
    function = tool.get("function") or {}
    name = function.get("name") or ""
    if tool.get("type") != "function" or not _NAME.fullmatch(name):
        raise RefusedError("a tool is malformed", "tools")
    schema = function.get("parameters", {"type": "object", "properties": {}})
    if schema.get("type") != "object":
        raise RefusedError(f"the parameters of {name} are no object", "tools")
    if function.get("strict"):
        _check_strict(name, schema)
    return name


def _check_strict(name: str, schema: dict[str, Any]) -> None:
    properties = schema.get("properties") or {}
    if schema.get("additionalProperties") is not False or set(schema.get("required") or ()) != set(properties):
        raise RefusedError(f"{name} is strict: every property is required and no other allowed", "tools")
    for sub in properties.values():
        if sub.get("type") == "object":
            _check_strict(name, sub)
