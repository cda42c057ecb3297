"""What chat completions refuse, and what a request says to the model."""

from __future__ import annotations

from typing import Any

from .heard import NAME, Asked, Heard, check_schema, only, refuse, text_of

MOST_TOOLS = 128
_KNOWN = frozenset("""
model messages tools tool_choice parallel_tool_calls stream stream_options temperature top_p n max_tokens
max_completion_tokens stop seed response_format user metadata logprobs top_logprobs presence_penalty frequency_penalty
logit_bias reasoning_effort prompt_cache_key prompt_cache_retention service_tier store verbosity safety_identifier audio
modalities prediction web_search_options
""".split())
_FIELDS = {
    "system": {"role", "content", "name"},
    "developer": {"role", "content", "name"},
    "user": {"role", "content", "name"},
    "assistant": {"role", "content", "name", "refusal", "audio", "annotations", "tool_calls", "function_call"},
    "tool": {"role", "content", "tool_call_id"},
}
_PARTS = {
    "user": ("text", "image_url", "input_audio", "file"),
    "assistant": ("text", "refusal"),
}


def check(body: dict[str, Any]) -> Asked:
    """What is asked. Raises RefusedError."""
    only(body, _KNOWN, "")
    refuse(isinstance(body.get("model"), str), "a model is required", "model")
    messages = body.get("messages")
    refuse(isinstance(messages, list) and bool(messages), "messages must be a non-empty array", "messages")
    refuse(bool(body.get("stream")) or body.get("stream_options") is None, "stream_options is for streams alone")
    only(body.get("stream_options") or {}, {"include_usage", "include_obfuscation"}, "stream_options.")
    asked = Asked(parallel=body.get("parallel_tool_calls") is not False)
    form = body.get("response_format") or {}
    asked.shape = form["json_schema"].get("schema") if form.get("type") == "json_schema" else None
    _check_tools(body, asked)
    _check_messages(messages, asked)
    return asked


def _check_tools(body: dict[str, Any], asked: Asked) -> None:
    tools = body.get("tools")
    if tools is None:
        for key in ("tool_choice", "parallel_tool_calls"):
            refuse(body.get(key) is None, f"{key} is only allowed when tools are", key)
        return
    refuse(isinstance(tools, list) and 1 <= len(tools) <= MOST_TOOLS, f"tools must hold 1 to {MOST_TOOLS} tools")
    for tool in tools:
        only(tool, {"type", "function"}, "tools.")
        refuse(tool.get("type") == "function", f"a tool is malformed: {tool}")
        function = tool.get("function") or {}
        only(function, {"name", "description", "parameters", "strict"}, "tools.function.")
        name = function.get("name") or ""
        refuse(NAME.fullmatch(name) is not None, f"this is no name of a tool: {name!r}")
        refuse(name not in asked.tools, f"tool names must be unique: {name}")
        schema = function.get("parameters", {"type": "object", "properties": {}})
        check_schema(name, schema, strict=function.get("strict") is True)
        asked.tools[name] = schema
    _check_choice(body.get("tool_choice") or "auto", asked)


def _check_choice(choice: Any, asked: Asked) -> None:
    if isinstance(choice, str):
        refuse(choice in ("none", "auto", "required"), f"this is no tool choice: {choice}")
        asked.forced = choice == "required"
    elif choice.get("type") == "allowed_tools":
        allowed = [tool["function"]["name"] for tool in choice["allowed_tools"]["tools"]]
        refuse(set(allowed) <= set(asked.tools), "an allowed tool is not found in tools")
        asked.tools = {name: asked.tools[name] for name in allowed}
    else:
        refuse(choice["function"]["name"] in asked.tools, "tool_choice names no tool")


def _check_messages(messages: list[Any], asked: Asked) -> None:
    open_calls: list[str] = []
    for index, message in enumerate(messages):
        at = f"messages[{index}]"
        refuse(isinstance(message, dict) and message.get("role") in _FIELDS, f"{at} has no known role: {message!r:.99}")
        role = message["role"]
        only(message, _FIELDS[role], at + ".")
        if role == "tool":
            call = message.get("tool_call_id")
            refuse(call in open_calls, f"{at} answers no call of the assistant message before it")
            open_calls.remove(call)
            asked.heard.append(Heard("result", text_of(message.get("content"), ("text",)), call))
            continue
        refuse(not open_calls, f"calls {open_calls} are not answered before {at}")
        if role == "assistant":
            open_calls = _calls_of(message, at, asked)
        else:
            asked.hear(role, text_of(message.get("content"), _PARTS.get(role, ("text",))))
    refuse(not open_calls, f"calls {open_calls} are not answered")


def _calls_of(message: dict[str, Any], at: str, asked: Asked) -> list[str]:
    """The ids of the calls of an assistant's message, which is heard."""
    calls, content = message.get("tool_calls"), message.get("content")
    refuse(calls is None or (isinstance(calls, list) and bool(calls)), f"{at}.tool_calls must be a non-empty array")
    refuse(bool(calls) or content is not None, f"{at} has neither content nor calls")
    if content is not None:
        asked.hear("assistant", text_of(content, _PARTS["assistant"]))
    for call in calls or ():
        only(call, {"id", "type", "function", "index"}, f"{at}.tool_calls.")
        function = call.get("function") or {}
        only(function, {"name", "arguments"}, f"{at}.tool_calls.function.")
        named = call.get("type") == "function" and NAME.fullmatch(function.get("name") or "")
        refuse(bool(named) and isinstance(function.get("arguments"), str), f"{at} has a malformed call: {call}")
        refuse(isinstance(call.get("id"), str) and 0 < len(call["id"]) <= 64, f"{at} has a call without an id")
        asked.heard.append(Heard("call", function["arguments"], call["id"], function["name"]))
    ids = [call["id"] for call in calls or ()]
    refuse(len(set(ids)) == len(ids), f"{at} has one id twice")
    return ids
