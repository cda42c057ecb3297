"""A strict stand-in for the Responses API, with the model of `toolstub_proxy.demo.upstream`, the stand-in for chat.

It keeps its answers unless told not to, so that a request can continue one. If a request asks for reasoning, every
answer begins with a thought; one that comes back has to be known or to bring its content, and what followed it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from aiohttp import web

from toolstub_proxy.demo.upstream import Answer, UpstreamApp, pieces
from toolstub_proxy.demo.upstream_model import Reply, decide
from toolstub_proxy.demo.upstream_rules import RefusedError

_KNOWN = frozenset({
    "model", "input", "instructions", "tools", "tool_choice", "stream", "store", "include", "reasoning", "text",
    "previous_response_id", "prompt_cache_key", "parallel_tool_calls", "background", "conversation", "metadata",
})
_OUTPUTS = {"function_call_output": "function_call", "custom_tool_call_output": "custom_tool_call"}
_PARTS = {"assistant": {"output_text", "refusal"}, "user": {"input_text", "input_image", "input_file"}}
SEALED = "sealed:"


class ResponsesUpstream(UpstreamApp):
    """The stand-in, serving on a loopback port for as long as it is entered."""

    PATH = "responses"

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.whole: dict[str, _Answer] = {}
        self.before: dict[str, list[dict[str, Any]]] = {}
        self.fetched: list[str] = []
        """The paths at which kept answers were asked for."""
        self._runner.app.router.add_get("/{prefix:.*}responses/{id}", self._fetched)
        self._runner.app.router.add_get("/{prefix:.*}responses/{id}/input_items", self._fetched)
        self.kept: dict[str, list[dict[str, Any]]] = {}
        """What was said up to each answer that is kept, that answer included."""

    def check(self, raw: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
        """The request, if the API would take it. Raises RefusedError."""
        body: dict[str, Any] = json.loads(raw)
        for key in body:
            if key not in _KNOWN:
                raise RefusedError(f"unknown parameter: {key}")
        _check_tools(body)
        before = body.get("previous_response_id")
        if before is not None and before not in self.kept:
            raise RefusedError(f"previous response {before} not found")
        _check_items(self._all(body), {item["id"] for items in self.kept.values() for item in items if "id" in item})
        return body

    def _all(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """The whole conversation."""
        given = body["input"]
        items = [{"role": "user", "content": given}] if isinstance(given, str) else given
        known = {item["id"]: item for kept in self.kept.values() for item in kept if "id" in item}
        items = [known[item["id"]] if item.get("type") == "item_reference" else item for item in items]
        return [*self.kept.get(body.get("previous_response_id") or "", ()), *items]

    def decide(self, body: dict[str, Any]) -> Reply:
        """What the model does."""
        tools = [{"function": {"name": tool["name"]}} for tool in body.get("tools") or ()]
        return decide({"messages": [*_as_chat(self._all(body))], "tools": tools})

    def answer(self, number: int, body: dict[str, Any], reply: Reply) -> Answer:
        """That, in the API's words."""
        answer = _Answer(number, body, reply)
        if body.get("store") is not False:
            self.before[answer.id] = self._all(body)
            self.kept[answer.id] = [*self.before[answer.id], *answer.output]
            self.whole[answer.id] = answer
        return answer

    async def _fetched(self, request: web.Request) -> web.Response:
        """A kept answer, or what was said before it, the newest first."""
        self.fetched.append(request.path_qs)
        known = request.match_info["id"]
        if known not in self.whole:
            return web.json_response({"error": {"message": f"Response with id '{known}' not found."}}, status=404)
        if request.path.endswith("/input_items"):
            data = [{"id": f"in_{n}", "type": "message", **item} for n, item in enumerate(self.before[known])][::-1]
            return web.json_response({"object": "list", "data": data, "first_id": data[0]["id"],
                                      "last_id": data[-1]["id"], "has_more": False})
        if request.query.get("stream") == "true":
            return web.Response(body=b"".join(self.whole[known].events()), content_type="text/event-stream")
        return web.json_response(self.whole[known].whole())


def _check_tools(body: dict[str, Any]) -> None:
    names = []
    for tool in body.get("tools") or ():
        if tool.get("type") != "function" or "function" in tool or not tool.get("name"):
            raise RefusedError(f"malformed tool: {tool}")
        schema = tool.get("parameters") or {}
        properties = schema.get("properties") or {}
        if tool.get("strict", True) and (schema.get("additionalProperties") is not False
                                         or set(schema.get("required") or ()) != set(properties)):
            raise RefusedError(f"{tool['name']} is strict unless it says that it is not")
        names.append(tool["name"])
    if len(set(names)) < len(names):
        raise RefusedError("tool names must be unique")
    choice = body.get("tool_choice")
    if isinstance(choice, dict) and choice["type"] == "allowed_tools":
        for allowed in choice["tools"]:
            if set(allowed) != {"type", "name"} or allowed["name"] not in names:
                raise RefusedError(f"allowed tool {allowed} not found in tools")


def _check_items(items: list[dict[str, Any]], kept: set[str]) -> None:
    open_calls: dict[str, str] = {}
    thought = None
    for item in items:
        kind = item.get("type") or "message"
        if thought and (kind in _OUTPUTS or (kind == "message" and item["role"] != "assistant")):
            raise RefusedError(f"{thought} was provided without its required following item")
        if thought and kind == "reasoning":
            raise RefusedError(f"{thought} was provided without its required following item")
        thought = item.get("id") or "a thought" if kind == "reasoning" else None
        if kind == "message":
            _check_message(item)
        elif kind == "reasoning":
            sealed = item.get("encrypted_content")
            if not (sealed.startswith(SEALED) if sealed else item.get("id") in kept):
                raise RefusedError(f"{thought} is not known, and does not bring its content")
        elif kind in _OUTPUTS.values():
            if kind == "function_call" and (not isinstance(item["arguments"], str)
                                            or not item.get("id", "fc").startswith("fc")):
                raise RefusedError("malformed function call")
            open_calls[item["call_id"]] = kind
        elif kind in _OUTPUTS:
            if open_calls.pop(item["call_id"], None) != _OUTPUTS[kind]:
                raise RefusedError(f"no tool call found for {kind} {item['call_id']}")
        else:
            raise RefusedError(f"unknown item: {kind}")
    if thought or open_calls:
        raise RefusedError(f"nothing follows {thought or open_calls}")


def _check_message(item: dict[str, Any]) -> None:
    content = item["content"]
    parts = [] if isinstance(content, str) else content
    if not {part["type"] for part in parts} <= _PARTS["assistant" if item["role"] == "assistant" else "user"]:
        raise RefusedError("a part does not belong in this message")


def _as_chat(items: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The conversation as the model reads it."""
    for item in items:
        kind = item.get("type") or "message"
        if kind == "message":
            yield {"role": item["role"], "content": item["content"] if isinstance(item["content"], str)
                   else "".join(part["text"] for part in item["content"])}
        elif kind in _OUTPUTS:
            output = item["output"]
            yield {"role": "tool", "content": output if isinstance(output, str)
                   else "".join(part["text"] for part in output)}
        elif kind != "reasoning":
            yield {"role": "assistant", "tool_calls": [{"function": {"name": item["name"]}}]}


class _Answer:
    """A reply as a response."""

    def __init__(self, number: int, request: dict[str, Any], reply: Reply) -> None:
        self.id = f"resp_{number:06d}"
        self.output: list[dict[str, Any]] = []
        self._request = request
        self._reply = reply
        if request.get("reasoning"):
            thought: dict[str, Any] = {"type": "reasoning", "id": f"rs_{number}", "summary": []}
            if "reasoning.encrypted_content" in request.get("include", ()):
                thought["encrypted_content"] = f"{SEALED}{number}"
            self.output.append(thought)
        if reply.text:
            part = {"type": "output_text", "text": reply.text, "annotations": []}
            self.output.append({"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed",
                                "content": [part]})
        self.output += [{"type": "function_call", "id": f"fc_{number}_{n}", "call_id": f"call_{number}_{n}",
                         "name": tool, "arguments": given, "status": "completed"}
                        for n, (tool, given) in enumerate(reply.calls)]

    def whole(self) -> dict[str, Any]:
        """The answer as one JSON object."""
        read, written = len(json.dumps(self._request)) // 4, len(self._reply.text) // 4 + 1
        usage = {"input_tokens": read, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": written,
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": read + written}
        return {**self._started(), "status": self._reply.finish or "completed", "output": self.output, "usage": usage}

    def _started(self) -> dict[str, Any]:
        request = self._request
        return {"id": self.id, "object": "response", "created_at": 1_700_000_000, "status": "in_progress",
                "model": request["model"], "output": [], "parallel_tool_calls": True, "tools": request.get("tools", []),
                "tool_choice": request.get("tool_choice", "auto"), "store": request.get("store", True), "usage": None}

    def events(self) -> list[bytes]:
        """The answer as the events of a stream."""
        events: list[dict[str, Any]] = [{"type": "response.created", "response": self._started()},
                                        {"type": "response.in_progress", "response": self._started()}]
        for index, item in enumerate(self.output):
            events += [{"output_index": index, **event} for event in _told(item)]
        whole = self.whole()
        events.append({"type": f"response.{whole['status']}", "response": whole})
        return [f"event: {event['type']}\ndata: {json.dumps({**event, 'sequence_number': n})}\n\n".encode()
                for n, event in enumerate(events)]


def _told(item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The events that tell one item."""
    here = {"item_id": item["id"]}
    done = {"type": "response.output_item.done", "item": item}
    if item["type"] == "function_call":
        yield {"type": "response.output_item.added", "item": {**item, "arguments": "", "status": "in_progress"}}
        for piece in pieces(item["arguments"]):
            yield {"type": "response.function_call_arguments.delta", **here, "delta": piece}
        yield {"type": "response.function_call_arguments.done", **here, "name": item["name"],
               "arguments": item["arguments"]}
    elif item["type"] == "message":
        (part,) = item["content"]
        here["content_index"] = 0
        yield {"type": "response.output_item.added", "item": {**item, "content": [], "status": "in_progress"}}
        yield {"type": "response.content_part.added", **here, "part": {**part, "text": ""}}
        for piece in pieces(part["text"]):
            yield {"type": "response.output_text.delta", **here, "delta": piece, "logprobs": []}
        yield {"type": "response.output_text.done", **here, "text": part["text"], "logprobs": []}
        yield {"type": "response.content_part.done", **here, "part": part}
    else:
        yield {"type": "response.output_item.added", "item": item}
    yield done
