"""What was recorded: requests with whole conversations in them, and streamed answers, in the bytes they were kept in.

    NAME.json            a request to one of the three APIs, or an object with one as its `request` (and its `format`)
    NAME.txt, NAME.sse   the body of a streamed answer; NAME.request.json is what it answers, if that was kept
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolstub_ext.wire.spans import Shape, Span, scan

PATHS = {"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses",
         "other": "/v1/other"}
TOOLS = {
    "chat": '{"type":"function","function":{"name":"client_tool","parameters":{"type":"object"}}}',
    "messages": '{"name":"client_tool","input_schema":{"type":"object"}}',
    "responses": '{"type":"function","name":"client_tool","strict":false,"parameters":{"type":"object"}}',
}
"""A tool for requests that were recorded without any: without tools, every request passes as it is."""
_STREAMS = (".txt", ".sse")
_PART: Shape = {"type": None, "text": None, "stdout": None, "stderr": None}
_ITEM: Shape = {"role": None, "type": None, "output": [_PART],
                "content": [{"type": None, "text": None, "content": [_PART]}]}
_BODY: Shape = {"messages": [_ITEM], "input": [_ITEM], "tools": [None]}


@dataclass(frozen=True)
class Item:
    """A message, or what stands in its place: its span, whether the model said it, and the spans of the literals in it
    that are texts of tool results, the only ones that may be replaced."""

    start: int
    end: int
    is_models: bool
    results: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Conversation:
    """The last request of one. `tools_at` is the place behind the `[` of its tools, None if it has none."""

    name: str
    format: str
    text: str
    items: tuple[Item, ...]
    tools_at: int | None

    @property
    def requests(self) -> list[int]:
        """How many items each request had, with the last one."""
        ends = [at for at, item in enumerate(self.items)
                if item.is_models and at and not self.items[at - 1].is_models]
        return [*ends, len(self.items)]

    def request(self, items: int) -> str:
        """The request with so many items, as the client wrote it if it wrote all alike."""
        return self.text[:self.items[items - 1].end] + self.text[self.items[-1].end:]

    def answer(self, items: int) -> bytes:
        """What the model said next, as its API answers when it does not stream."""
        said = []
        for item in self.items[items:]:
            if not item.is_models:
                break
            said.append(self.text[item.start:item.end])
        return _answer(self.format, said).encode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class Stream:
    """A streamed answer, and the request that it answered, if that was recorded."""

    name: str
    format: str
    body: bytes
    request: bytes | None


def found(paths: list[Path]) -> tuple[list[Conversation], list[Stream]]:
    """All that is recorded in these files and folders. What is neither is left out."""
    conversations: list[Conversation] = []
    streams: list[Stream] = []
    for path in _files(paths):
        if path.suffix in _STREAMS:
            streams.append(_stream(path))
        elif not path.name.endswith(".request.json"):
            conversations += _conversations(path)
    return conversations, streams


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(p for p in path.rglob("*") if p.suffix in (".json", *_STREAMS)) if path.is_dir() else [path]


def _conversations(path: Path) -> Iterator[Conversation]:
    """As it was recorded, and if that has no tools once more with one."""
    text = path.read_bytes().decode("utf-8", "surrogatepass")
    root = scan(text, {"request": None, "format": None}).value
    kind = str(_plain(root, "format") or "")
    if isinstance(root, dict) and "request" in root:
        text = text[root["request"].start:root["request"].end]
    recorded = _read(path.stem, text, kind)
    if recorded is None:
        return
    yield recorded
    if recorded.tools_at is None and (equipped := _read(path.stem, _with_a_tool(recorded), kind)) is not None:
        yield equipped


def _read(name: str, text: str, kind: str) -> Conversation | None:
    body = scan(text, _BODY).value
    if not isinstance(body, dict):
        return None
    said = body.get("input") or body.get("messages")
    if said is None or not isinstance(said.value, list) or not said.value:
        return None
    kind = kind or ("responses" if "input" in body else "messages" if _is_of_messages(body, said) else "chat")
    tools = body.get("tools")
    has_tools = tools is not None and isinstance(tools.value, list) and bool(tools.value)
    return Conversation(name, kind, text, tuple(_item(kind, span) for span in said.value),
                        tools.start + 1 if has_tools else None)


def _is_of_messages(body: dict[str, Span], said: Span) -> bool:
    """Anthropic asks for `max_tokens`, and knows results in blocks alone."""
    kinds = {_plain(block.value, "type") for item in said.value for block in _blocks(item.value)}
    roles = {_plain(item.value, "role") for item in said.value}
    return bool(kinds & {"tool_use", "tool_result", "thinking"}) or "system" in body or (
        "max_tokens" in body and not roles & {"system", "developer", "tool"})


def _blocks(item: Any) -> list[Span]:
    """The parts of a message, if it has parts."""
    content = item.get("content") if isinstance(item, dict) else None
    return content.value if content is not None and isinstance(content.value, list) else []


def _item(kind: str, span: Span) -> Item:
    members = span.value
    role, sort = _plain(members, "role"), str(_plain(members, "type") or "message")
    found: list[Span] = []
    if kind == "chat" and role in ("tool", "function"):
        found = _texts(members.get("content"))
    elif kind == "messages":
        found = [text for block in _blocks(members) if _plain(block.value, "type") == "tool_result"
                 for text in _texts(block.value.get("content"))]
    elif kind == "responses" and sort.endswith("_output"):
        found = _texts(members.get("output"))
    models = role == "assistant" if kind != "responses" or sort == "message" else not sort.endswith("_output")
    return Item(span.start, span.end, models, tuple((text.start, text.end) for text in found))


def _texts(content: Span | None) -> list[Span]:
    """The literals of a result: itself, or those of its parts."""
    if content is None or not isinstance(content.value, list):
        return [content] if content is not None and isinstance(content.value, str) else []
    return [part.value[key] for part in content.value for key in ("text", "stdout", "stderr")
            if isinstance(part.value, dict) and key in part.value and isinstance(part.value[key].value, str)]


def _plain(members: Any, key: str) -> Any:
    return members[key].value if isinstance(members, dict) and key in members else None


def _with_a_tool(recorded: Conversation) -> str:
    tool, body = TOOLS[recorded.format], scan(recorded.text, {"tools": None}).value
    if (empty := body.get("tools")) is not None:
        return f"{recorded.text[:empty.start]}[{tool}]{recorded.text[empty.end:]}"
    begin = recorded.text.index("{") + 1
    return f'{recorded.text[:begin]}"tools":[{tool}],{recorded.text[begin:]}'


def _answer(kind: str, said: list[str]) -> str:
    if kind == "responses":
        return f'{{"id":"resp_1","object":"response","status":"completed","store":false,"output":[{",".join(said)}]}}'
    message = said[0] if said else '{"role":"assistant","content":"Done."}'
    if kind == "chat":
        if blocks := _blocks(members := scan(message, _ITEM).value):  # said as one text, whatever the client keeps
            text = json.dumps("".join(str(_plain(block.value, "text") or "") for block in blocks))
            message = message[:members["content"].start] + text + message[members["content"].end:]
        return f'{{"id":"c1","object":"chat.completion","choices":[{{"index":0,"message":{message}}}]}}'
    content = scan(message, {"content": None}).value["content"]
    blocks = message[content.start:content.end]
    if not isinstance(content.value, list):
        blocks = f'[{{"type":"text","text":{blocks}}}]'
    return f'{{"id":"m1","type":"message","role":"assistant","content":{blocks},"stop_reason":"end_turn"}}'


def _stream(path: Path) -> Stream:
    body, request = path.read_bytes(), path.with_suffix(".request.json")
    kinds = {"messages": b"message_start", "responses": b'"response.', "chat": b"chat.completion.chunk"}
    kind = next((kind for kind, mark in kinds.items() if mark in body), None)
    if kind is None:
        kind = "chat" if b'"choices"' in body else "other"
    return Stream(path.stem, kind, body, request.read_bytes() if request.exists() else None)


def long_request(kind: str) -> bytes:
    """A request with a tool and a result long enough to be stubbed: its answer is read for calls of ours."""
    call = {"id": "call_1", "type": "function", "function": {"name": "client_tool", "arguments": "{}"}}
    log = "\n".join(f"2026-01-02 INFO request id_{n} served in {n * 7919 % 997} ms" for n in range(3_000))
    said = {
        "chat": [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": None, "tool_calls": [call]},
                 {"role": "tool", "tool_call_id": "call_1", "content": log}],
        "messages": [{"role": "user", "content": "Why?"},
                     {"role": "assistant", "content": [
                         {"type": "tool_use", "id": "call_1", "name": "client_tool", "input": {}}]},
                     {"role": "user", "content": [
                         {"type": "tool_result", "tool_use_id": "call_1", "content": log}]}],
        "responses": [{"role": "user", "content": "Why?"},
                      {"type": "function_call", "call_id": "call_1", "name": "client_tool", "arguments": "{}"},
                      {"type": "function_call_output", "call_id": "call_1", "output": log}],
    }[kind]
    member = "input" if kind == "responses" else "messages"
    return json.dumps({"model": "recorded", "stream": True, "max_tokens": 1000, member: said,
                       "tools": [json.loads(TOOLS[kind])]}).encode()
