"""The three wire formats as a client speaks them: one request with a long result, and what tells its rounds apart."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from messages_upstream import MessagesUpstream
from proxy_support import log_of
from responses_upstream import ResponsesUpstream

from toolstub_proxy.demo.upstream import UpstreamApp

QUESTION = {"role": "user", "content": "What is id_1234?"}
_SCHEMA = {"type": "object", "properties": {"service": {"type": "string"}}}


def _chat(call: str, text: str) -> list[Any]:
    function = {"name": "get_log", "arguments": "{}"}
    return [{"role": "assistant", "content": None, "tool_calls": [
        {"id": call, "type": "function", "function": function}]}, {"role": "tool", "tool_call_id": call,
                                                                   "content": text}]


def _messages(call: str, text: str) -> list[Any]:
    return [{"role": "assistant", "content": [{"type": "tool_use", "id": call, "name": "get_log", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": text}]}]


def _responses(call: str, text: str) -> list[Any]:
    return [{"type": "function_call", "call_id": call, "name": "get_log", "arguments": "{}"},
            {"type": "function_call_output", "call_id": call, "output": text}]


@dataclass(frozen=True)
class Spoken:
    """One format: its stand-in for the provider, and how a client writes a request to it."""

    name: str
    api: type[UpstreamApp]
    path: str
    said: str
    tool: Mapping[str, Any]
    turn: Any
    more: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def body(self, text: str | None = None, **more: Any) -> dict[str, Any]:
        """A question, and the call and the result (a long log, if nothing else is given) that do not answer it yet."""
        items = [QUESTION, *self.turn("call_a", log_of("a") if text is None else text)]
        return {"model": "stand-in", self.said: items, "tools": [self.tool], **self.more, **more}

    def hello(self, **more: Any) -> dict[str, Any]:
        """A request without a result."""
        return {"model": "stand-in", self.said: [{"role": "user", "content": "hi"}], "tools": [self.tool],
                **self.more, **more}

    def rounds(self, body: dict[str, Any]) -> int:
        """How many hidden rounds a request of `body` carries."""
        if self.name == "responses":  # what a model says beside a call is an item of its own
            return sum(item.get("type") == "function_call_output" for item in body[self.said]) - 1
        return (len(body[self.said]) - 3) // 2

    def result_in(self, body: dict[str, Any]) -> str:
        """The text of the result in such a request."""
        found = body[self.said][2]
        text = found["content"][0]["content"] if self.name == "messages" else found.get("content") or found["output"]
        return str(text)

    def is_error(self, event: bytes) -> bool:
        """Whether the data of an event is an error as this provider streams it."""
        said = json.loads(event)
        return "error" in said or said.get("type") in ("error", "response.failed")


FORMATS = (
    Spoken("chat", UpstreamApp, "/v1/chat/completions", "messages",
           {"type": "function", "function": {"name": "get_log", "parameters": _SCHEMA}}, _chat),
    Spoken("messages", MessagesUpstream, "/v1/messages", "messages", {"name": "get_log", "input_schema": _SCHEMA},
           _messages, more={"max_tokens": 4096}, headers={"anthropic-version": "2023-06-01"}),
    Spoken("responses", ResponsesUpstream, "/v1/responses", "input",
           {"type": "function", "name": "get_log", "strict": False, "parameters": _SCHEMA}, _responses),
)
