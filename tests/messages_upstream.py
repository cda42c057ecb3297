"""A strict stand-in for the Messages API, with the model of `toolstub_proxy.demo.upstream`, the stand-in for chat.

If a request asks for thinking, every answer begins with a thought that is signed, and a signature has to fit its
thought when it comes back.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from toolstub_proxy.demo.upstream import Answer, UpstreamApp, pieces
from toolstub_proxy.demo.upstream_model import Reply, decide
from toolstub_proxy.demo.upstream_rules import RefusedError

MOST_MARKS = 4
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_KNOWN = frozenset({
    "model", "messages", "max_tokens", "metadata", "stop_sequences", "stream", "system", "temperature", "thinking",
    "tool_choice", "tools", "top_k", "top_p", "service_tier", "output_config",
})
_BLOCKS = {
    "user": frozenset({"text", "image", "document", "search_result", "tool_result"}),
    "assistant": frozenset({"text", "thinking", "redacted_thinking", "tool_use", "server_tool_use",
                            "web_search_tool_result"}),
}
_IN_RESULTS = frozenset({"text", "image", "document", "search_result", "tool_reference"})


class MessagesUpstream(UpstreamApp):
    """The stand-in, serving on a loopback port for as long as it is entered."""

    PATH = "v1/messages"

    def check(self, raw: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
        """The request, if the API would take it. Raises RefusedError."""
        if "anthropic-version" not in headers:
            raise RefusedError("anthropic-version: header is required")
        body: dict[str, Any] = json.loads(raw)
        for key in body:
            if key not in _KNOWN:
                raise RefusedError(f"{key}: extra inputs are not permitted")
        if not isinstance(body.get("model"), str) or not isinstance(body.get("max_tokens"), int):
            raise RefusedError("model and max_tokens are required")
        _check_tools(body)
        _check_messages(body)
        if json.dumps(body).count('"cache_control"') > MOST_MARKS:
            raise RefusedError(f"at most {MOST_MARKS} blocks with cache_control")
        return body

    def decide(self, body: dict[str, Any]) -> Reply:
        """What the model does."""
        tools = [{"function": {"name": tool["name"]}} for tool in body.get("tools") or ()]
        return decide({"messages": [*_as_chat(body["messages"])], "tools": tools})

    def answer(self, number: int, body: dict[str, Any], reply: Reply) -> Answer:
        """That, in the API's words."""
        return _Answer(number, body, reply)

    def refused(self, error: RefusedError) -> dict[str, Any]:
        """A refusal, in the API's words."""
        return {"type": "error", "error": {"type": "invalid_request_error", "message": str(error)}}


def signature_of(thought: str) -> str:
    """What the API signs a thought with."""
    return "sig-" + hashlib.sha256(thought.encode()).hexdigest()


def _check_tools(body: dict[str, Any]) -> None:
    tools = body.get("tools")
    if tools is None:
        if "tool_choice" in body:
            raise RefusedError("tool_choice may only be given with tools")
        return
    names = [tool.get("name", "") for tool in tools]
    if len(set(names)) < len(names) or not all(map(_NAME.fullmatch, names)):
        raise RefusedError("tool names must be unique and valid")
    for tool in tools:
        if "type" not in tool or tool["type"] == "custom":
            more = set(tool) - {"name", "type", "description", "input_schema", "cache_control"}
            if more or tool.get("input_schema", {}).get("type") != "object":
                raise RefusedError(f"tools.{tool['name']} is malformed: {more}")
    choice = body.get("tool_choice") or {"type": "auto"}
    if choice["type"] == "tool" and choice["name"] not in names:
        raise RefusedError("tool_choice names no tool")
    if choice["type"] in ("any", "tool") and body.get("thinking"):
        raise RefusedError("thinking may not be enabled when tool_choice forces tool use")


def _check_messages(body: dict[str, Any]) -> None:
    open_calls: list[str] = []
    messages = body["messages"]
    for at, message in enumerate(messages):
        role, content = message["role"], message["content"]
        if role != ("assistant" if at % 2 else "user"):
            raise RefusedError(f"messages.{at}: roles must alternate, and the first is the user's")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not blocks:
            raise RefusedError(f"messages.{at}: content must not be empty")
        for block in blocks:
            _check_block(block, role, f"messages.{at}")
        results = [block for block in blocks if block["type"] == "tool_result"]
        if [block["tool_use_id"] for block in results] and blocks[:len(results)] != results:
            raise RefusedError(f"messages.{at}: tool results come first")
        if sorted(block["tool_use_id"] for block in results) != sorted(open_calls):
            raise RefusedError(f"messages.{at}: there must be one result for each of {open_calls}")
        open_calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    if open_calls:
        raise RefusedError(f"{open_calls} are not answered")
    last = messages[-2]["content"] if len(messages) > 1 else []
    if body.get("thinking") and isinstance(messages[-1]["content"], list) and isinstance(last, list) \
            and messages[-1]["content"][0]["type"] == "tool_result" and \
            [block["type"] for block in last if "thinking" in block["type"]] != ["thinking"]:
        raise RefusedError("thinking blocks in the latest assistant message cannot be modified")


def _check_block(block: dict[str, Any], role: str, at: str) -> None:
    kind = block.get("type")
    if kind not in _BLOCKS[role]:
        raise RefusedError(f"{at}: {kind} does not belong in a message of {role}")
    if kind == "text" and not block["text"].strip():
        raise RefusedError(f"{at}: text blocks must hold text")
    if kind == "thinking" and block["signature"] != signature_of(block["thinking"]):
        raise RefusedError(f"{at}: invalid signature in a thinking block")
    if kind == "tool_use" and (set(block) != {"type", "id", "name", "input"} or not isinstance(block["input"], dict)):
        raise RefusedError(f"{at}: malformed tool_use")
    if kind == "tool_result":
        inner = block.get("content") or ""
        kinds = {"text"} if isinstance(inner, str) else {part["type"] for part in inner}
        allowed = {"text"} if block.get("is_error") else _IN_RESULTS
        more = set(block) - {"type", "tool_use_id", "content", "is_error", "cache_control"}
        if more or not kinds <= allowed:
            raise RefusedError(f"{at}: malformed tool_result: {more or kinds}")


def _as_chat(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The conversation as the model reads it."""
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            if block["type"] == "tool_result":
                yield {"role": "tool", "content": block["content"]}
        calls = [{"function": {"name": block["name"]}} for block in blocks if block["type"] == "tool_use"]
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        if text or calls:
            yield {"role": message["role"], "content": text, "tool_calls": calls}


class _Answer:
    """A reply as a message."""

    def __init__(self, number: int, request: dict[str, Any], reply: Reply) -> None:
        self.id = f"msg_{number:06d}"
        self._model = request["model"]
        self._reply = reply
        self._read = len(json.dumps(request)) // 4
        self._content: list[dict[str, Any]] = []
        if request.get("thinking"):
            thought = f"Thought number {number}."
            self._content.append({"type": "thinking", "thinking": thought, "signature": signature_of(thought)})
        if reply.text:
            self._content.append({"type": "text", "text": reply.text})
        self._given: dict[str, str] = {}
        for n, (tool, given) in enumerate(reply.calls):
            call_id = f"toolu_{number}_{n}"
            self._given[call_id] = given
            self._content.append({"type": "tool_use", "id": call_id, "name": tool, "input": _object(given)})

    def whole(self) -> dict[str, Any]:
        """The answer as one JSON object."""
        stop = self._reply.finish or ("tool_use" if self._reply.calls else "end_turn")
        return {"id": self.id, "type": "message", "role": "assistant", "model": self._model, "content": self._content,
                "stop_reason": stop, "stop_sequence": None, "usage": self._usage()}

    def events(self) -> list[bytes]:
        """The answer as the events of a stream."""
        whole = self.whole()
        start = {**whole, "content": [], "stop_reason": None, "usage": {**self._usage(), "output_tokens": 1}}
        events = [_event("message_start", message=start)]
        for index, block in enumerate(self._content):
            opened, deltas = self._cut(block)
            events.append(_event("content_block_start", index=index, content_block=opened))
            events += [_event("ping")] if index == 0 else []
            events += [_event("content_block_delta", index=index, delta=delta) for delta in deltas]
            events.append(_event("content_block_stop", index=index))
        events.append(_event("message_delta", delta={"stop_reason": whole["stop_reason"], "stop_sequence": None},
                             usage={"output_tokens": self._usage()["output_tokens"]}))
        return [*events, _event("message_stop")]

    def _cut(self, block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """How a block begins, and what is added to it."""
        match block["type"]:
            case "thinking":
                thoughts = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(block["thinking"])]
                signature = {"type": "signature_delta", "signature": block["signature"]}
                return {**block, "thinking": "", "signature": ""}, [*thoughts, signature]
            case "text":
                return {**block, "text": ""}, [{"type": "text_delta", "text": p} for p in pieces(block["text"])]
        return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": piece}
                                        for piece in ["", *pieces(self._given[block["id"]])]]

    def _usage(self) -> dict[str, Any]:
        return {"input_tokens": self._read, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
                "output_tokens": len(self._reply.text) // 4 + 1}


def _object(given: str) -> dict[str, Any]:
    """Arguments as the API gives them; what is no object becomes an empty one."""
    try:
        value = json.loads(given)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _event(kind: str, **members: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **members})}\n\n".encode()
