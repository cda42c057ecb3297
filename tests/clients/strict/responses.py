"""What the Responses API refuses, and what a request says to the model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .heard import NAME, Asked, Heard, check_schema, only, refuse, text_of

_KNOWN = frozenset("""
background conversation context_management include input instructions max_output_tokens max_tool_calls metadata model
parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning safety_identifier
service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user
client_metadata
""".split())
_OUTPUTS = {
    "function_call_output": "function_call",
    "custom_tool_call_output": "custom_tool_call",
    "local_shell_call_output": "local_shell_call",
    "shell_call_output": "shell_call",
}
_FIELDS = {
    "message": {"type", "role", "content", "id", "status", "phase"},
    "reasoning": {"type", "id", "summary", "content", "encrypted_content", "status"},
    "function_call": {"type", "id", "call_id", "name", "arguments", "status", "namespace"},
    "custom_tool_call": {"type", "id", "call_id", "name", "input", "status", "namespace"},
    "function_call_output": {"type", "id", "call_id", "output", "status"},
    "custom_tool_call_output": {"type", "id", "call_id", "output", "status"},
}
_OF_CODEX = {"internal_chat_message_metadata_passthrough"}
_SERVER_TOOLS = ("web_search", "web_search_preview", "local_shell", "shell", "apply_patch", "image_generation",
                 "file_search", "code_interpreter", "tool_search")
_SAID = ("output_text", "refusal")
_GIVEN = ("input_text", "input_image", "input_file")
SEALED = "sealed:"


def check(body: dict[str, Any], items: list[dict[str, Any]], kept: Mapping[str, Any]) -> Asked:
    """What is asked, where `items` is the whole conversation and `kept` holds the ids the API knows. Raises
    RefusedError."""
    only(body, _KNOWN, "")
    refuse(isinstance(body.get("model"), str), "a model is required", "model")
    refuse(bool(body.get("stream")) or body.get("stream_options") is None, "stream_options is for streams alone")
    asked = Asked(parallel=body.get("parallel_tool_calls") is not False)
    form = (body.get("text") or {}).get("format") or {}
    asked.shape = form.get("schema") if form.get("type") == "json_schema" else None
    for tool in body.get("tools") or ():
        _check_tool(tool, asked)
    _check_choice(body.get("tool_choice") or "auto", asked)
    if body.get("instructions"):
        asked.hear("system", body["instructions"])
    _check_items(items, asked, kept)
    return asked


def _check_tool(tool: Any, asked: Asked) -> None:
    kind = tool.get("type")
    if kind == "namespace":
        refuse(bool(tool.get("name")) and bool(tool.get("tools")), f"an empty namespace: {tool}")
        return
    if kind in _SERVER_TOOLS:
        return
    refuse(kind in ("function", "custom"), f"a tool is malformed: {tool!r:.200}")
    name = tool.get("name") or ""
    refuse(NAME.fullmatch(name) is not None, f"this is no name of a tool: {tool!r:.200}")
    refuse(name not in asked.tools, f"tool names must be unique: {name}")
    if kind == "function":
        only(tool, {"type", "name", "description", "parameters", "strict", "defer_loading"}, f"tools.{name}.")
        schema = tool.get("parameters") or {"type": "object", "properties": {}, "additionalProperties": False}
        check_schema(name, schema, strict=tool.get("strict") is True)
        asked.tools[name] = schema
    else:
        only(tool, {"type", "name", "description", "format"}, f"tools.{name}.")


def _check_choice(choice: Any, asked: Asked) -> None:
    if isinstance(choice, str):
        refuse(choice in ("none", "auto", "required"), f"this is no tool choice: {choice}")
        asked.forced = choice == "required"
    elif choice.get("type") == "allowed_tools":
        allowed = [tool.get("name") for tool in choice["tools"] if tool["type"] == "function"]
        refuse(set(allowed) <= set(asked.tools), "an allowed tool is not found in tools")
        asked.tools = {name: asked.tools[name] for name in allowed}
    elif choice.get("type") == "function":
        refuse(choice["name"] in asked.tools, "tool_choice names no tool")


def _check_items(items: list[dict[str, Any]], asked: Asked, kept: Mapping[str, Any]) -> None:
    open_calls: dict[str, str] = {}
    thought = None
    for item in items:
        kind = item.get("type") or "message"
        refuse(kind in _FIELDS or kind in _OUTPUTS or kind in _OUTPUTS.values(), f"unknown item: {item!r:.200}")
        if kind in _FIELDS:
            only(item, _FIELDS[kind] | _OF_CODEX, f"input.{kind}.")
        follows = kind in _OUTPUTS.values() or (kind == "message" and item["role"] == "assistant")
        refuse(thought is None or follows, f"{thought} was provided without its required following item")
        thought = None
        if kind == "message":
            kinds = _SAID if item["role"] == "assistant" else _GIVEN
            asked.hear(item["role"], text_of(item.get("content"), kinds))
        elif kind == "reasoning":
            thought = _checked_thought(item, kept)
        elif kind in _OUTPUTS.values():
            open_calls[item["call_id"]] = kind
            _hear_call(item, kind, asked)
        else:
            refuse(open_calls.pop(item.get("call_id"), None) == _OUTPUTS[kind], f"no tool call found for {item!r:.200}")
            asked.heard.append(Heard("result", _output(item), item["call_id"]))
    refuse(thought is None, f"{thought} was provided without its required following item")
    refuse(not open_calls, f"no tool output found for {list(open_calls)}")


def _checked_thought(item: dict[str, Any], kept: Mapping[str, Any]) -> str:
    sealed, name = item.get("encrypted_content"), item.get("id")
    known = sealed.startswith(SEALED) if sealed else name in kept
    refuse(known, f"{name} is not known, and does not bring its content")
    refuse(isinstance(item.get("summary"), list), f"{name} has no summary")
    return name or "a thought"


def _hear_call(item: dict[str, Any], kind: str, asked: Asked) -> None:
    if kind == "function_call":
        refuse(isinstance(item.get("arguments"), str), f"malformed call: {item!r:.200}")
        refuse(item.get("id") is None or item["id"].startswith("fc"), f"this is no id of a call: {item.get('id')}")
    name = item.get("name") or kind
    given = item.get("arguments") or item.get("input") or json.dumps(item.get("action") or {})
    asked.heard.append(Heard("call", given, item["call_id"], name))


def _output(item: dict[str, Any]) -> str:
    if item["type"] == "shell_call_output":
        return "\n".join(part["stdout"] + part["stderr"] for part in item["output"])
    return text_of(item.get("output"), _GIVEN)
