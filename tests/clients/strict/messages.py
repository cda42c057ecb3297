"""What Anthropic's Messages API refuses, and what a request says to the model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from .heard import Asked, Heard, check_schema, only, refuse, text_of

MOST_MARKS = 4
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_KNOWN = frozenset("""
model messages max_tokens metadata stop_sequences stream system temperature thinking tool_choice tools top_k top_p
service_tier output_config output_format container context_management mcp_servers cache_control speed diagnostics
""".split())
_TOOL = frozenset("""
name type description input_schema cache_control strict defer_loading allowed_callers input_examples
eager_input_streaming
""".split())
_BLOCKS = {
    "system": {"text": {"text"}},
    "user": {
        "text": {"text", "citations"}, "image": {"source"}, "document": {"source", "title", "context", "citations"},
        "search_result": {"source", "title", "content", "citations"},
        "tool_result": {"tool_use_id", "content", "is_error"},
    },
    "assistant": {
        "text": {"text", "citations"}, "thinking": {"thinking", "signature"}, "redacted_thinking": {"data"},
        "tool_use": {"id", "name", "input", "caller"},
    },
}
_IN_RESULTS = ("text", "image", "document", "search_result", "tool_reference")


def check(body: dict[str, Any], headers: Mapping[str, str], signature_of: Callable[[str], str]) -> Asked:
    """What is asked, where `signature_of` tells what a thought was signed with. Raises RefusedError."""
    refuse("anthropic-version" in headers, "anthropic-version: header is required")
    only(body, _KNOWN, "")
    refuse(isinstance(body.get("model"), str), "model: field required")
    refuse(isinstance(body.get("max_tokens"), int) and body["max_tokens"] > 0, "max_tokens: field required")
    thinking = body.get("thinking") or {}
    if thinking.get("type") == "enabled":
        refuse(1024 <= thinking.get("budget_tokens", 0) < body["max_tokens"], "thinking.budget_tokens does not fit")
    asked = Asked()
    form = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
    asked.shape = form.get("schema")
    _check_tools(body, asked)
    system = body.get("system") or ()
    for block in [{"type": "text", "text": system}] if isinstance(system, str) else system:
        _check_block(block, "system", "system", signature_of)
        asked.hear("system", block["text"])
    _check_messages(body, asked, signature_of)
    marks = json.dumps(body).count('"cache_control": {')
    refuse(marks <= MOST_MARKS, f"at most {MOST_MARKS} blocks with cache_control, not {marks}")
    return asked


def _check_tools(body: dict[str, Any], asked: Asked) -> None:
    for tool in body.get("tools") or ():
        name = tool.get("name") or ""
        refuse(_NAME.fullmatch(name) is not None and name not in asked.tools, f"tools: this name is taken: {name!r}")
        schema: Mapping[str, Any] = {}
        if tool.get("type", "custom") == "custom":
            only(tool, _TOOL, f"tools.{name}.")
            schema = tool.get("input_schema") or {}
            check_schema(name, schema, strict=tool.get("strict") is True)
            refuse(not {"anyOf", "oneOf", "allOf"} & set(schema), f"tools.{name}: no alternatives at the top")
        asked.tools[name] = schema
    choice = body.get("tool_choice")
    if choice is None:
        return
    refuse(bool(asked.tools) or choice["type"] == "none", "tool_choice may only be given with tools")
    refuse(choice["type"] in ("auto", "any", "tool", "none"), f"this is no tool choice: {choice}")
    refuse(choice["type"] != "tool" or choice["name"] in asked.tools, "tool_choice names no tool")
    asked.forced = choice["type"] in ("any", "tool")
    asked.parallel = not choice.get("disable_parallel_tool_use")
    refuse(not (asked.forced and thinks(body)), "thinking may not be enabled when tool_choice forces tool use")


def thinks(body: dict[str, Any]) -> bool:
    """Whether the model is to think."""
    return (body.get("thinking") or {}).get("type") in ("enabled", "adaptive")


def _check_messages(body: dict[str, Any], asked: Asked, signature_of: Callable[[str], str]) -> None:
    open_calls: list[str] = []
    turns = _turns(body["messages"], asked)
    for at, (role, blocks) in enumerate(turns):
        refuse(at > 0 or role == "user", "messages: the first is the user's")
        refuse(bool(blocks), f"messages.{at}: content must not be empty")
        for block in blocks:
            _check_block(block, role, f"messages.{at}", signature_of)
        results = [block for block in blocks if block["type"] == "tool_result"]
        refuse(blocks[:len(results)] == results, f"messages.{at}: tool results come first")
        answered = sorted(block["tool_use_id"] for block in results)
        refuse(answered == sorted(open_calls), f"messages.{at}: {answered} do not answer {open_calls}, one by one")
        open_calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
        for block in blocks:
            _hear(block, role, asked)
    refuse(not open_calls, f"{open_calls} are not answered")
    if thinks(body) and body["thinking"]["type"] == "enabled" and len(turns) > 1:
        resumed = turns[-1][1][0]["type"] == "tool_result"
        refuse(not resumed or "thinking" in turns[-2][1][0]["type"], "a turn that thinks has to begin with its thought")


def _turns(messages: list[Any], asked: Asked) -> list[tuple[str, list[Any]]]:
    """Messages of one role in a row are one turn; what the system says between them is heard."""
    turns: list[tuple[str, list[Any]]] = []
    for message in messages:
        only(message, {"role", "content"}, "messages.")
        role, content = message["role"], message["content"]
        refuse(role in _BLOCKS, f"messages: unexpected role {role!r}")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if role == "system":
            asked.hear(role, text_of(blocks, ("text",)))
        elif turns and turns[-1][0] == role:
            turns[-1][1].extend(blocks)
        else:
            turns.append((role, [*blocks]))
    return turns


def _check_block(block: dict[str, Any], role: str, at: str, signature_of: Callable[[str], str]) -> None:
    kind = block.get("type", "")
    refuse(kind in _BLOCKS[role], f"{at}: {kind!r} does not belong in a message of {role}")
    mark = set() if "thinking" in kind else {"cache_control"}
    only(block, {"type"} | mark | _BLOCKS[role][kind], f"{at}.{kind}.")
    if kind == "text":
        refuse(bool(block["text"].strip()), f"{at}: text blocks must hold text")
    elif kind == "thinking":
        refuse(block["signature"] == signature_of(block["thinking"]), f"{at}: invalid signature in a thinking block")
    elif kind == "tool_use":
        refuse(isinstance(block["input"], dict), f"{at}: the input of a tool is an object")
    elif kind == "tool_result":
        kinds = ("text",) if block.get("is_error") else _IN_RESULTS
        text_of(block.get("content") or "", kinds)


def _hear(block: dict[str, Any], role: str, asked: Asked) -> None:
    if block["type"] == "text":
        asked.hear(role, block["text"])
    elif block["type"] == "tool_use":
        asked.heard.append(Heard("call", json.dumps(block["input"]), block["id"], block["name"]))
    elif block["type"] == "tool_result":
        asked.heard.append(Heard("result", text_of(block.get("content") or "", _IN_RESULTS), block["tool_use_id"]))
