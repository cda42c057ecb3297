"""Answers as a client reads them, checked against the grammar of their format: what is left of a stream is whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .tap import Exchange


class GrammarError(Exception):
    """An answer that its format does not allow."""


@dataclass
class View:
    """What a client learns from one answer: ids of calls and the names of their tools, text, and the usage if told."""

    calls: dict[str, str] = field(default_factory=dict)
    text: str = ""
    usage: dict[str, Any] | None = None


def view_of(exchange: Exchange) -> View | None:
    """The view of an answer; None if this is no answer of a model. Raises GrammarError."""
    formats = {"chat/completions": (_chat, _chat_stream), "responses": (_responses, _responses_stream),
               "messages": (_messages, _messages_stream)}
    named = next((name for name in formats if exchange.path.endswith("/" + name)), None)
    if named is None or exchange.method != "POST":
        return None
    _must(exchange.status == 200, f"status {exchange.status}: {exchange.got[:300]!r}")
    streamed = bool(json.loads(exchange.sent).get("stream"))
    _must((exchange.kind == "text/event-stream") == streamed, f"{exchange.kind} for stream={streamed}")
    whole, parts = formats[named]
    return parts([*_events(exchange.got)], exchange) if streamed else whole(json.loads(exchange.got))


def _must(holds: bool, why: str) -> None:
    if not holds:
        raise GrammarError(why)


def _events(stream: bytes) -> Iterator[tuple[str, Any]]:
    """The events of a stream, by name and data; comments are none."""
    for block in stream.decode().split("\n\n"):
        fields = [line.partition(": ") for line in block.split("\n") if line and not line.startswith(":")]
        if data := "\n".join(value for name, _, value in fields if name == "data"):
            name = next((value for name, _, value in fields if name == "event"), "")
            yield name, data if data == "[DONE]" else json.loads(data)


def _chat(answer: dict[str, Any]) -> View:
    (choice,) = answer["choices"]
    message = choice["message"]
    calls = message.get("tool_calls") or []
    _must((choice["finish_reason"] == "tool_calls") == bool(calls), f"finish_reason {choice['finish_reason']}")
    return View({call["id"]: call["function"]["name"] for call in calls}, message["content"] or "", answer["usage"])


def _chat_stream(events: list[tuple[str, Any]], exchange: Exchange) -> View:
    view, by_index, finished = View(), dict[int, str](), ""
    _must(events[-1][1] == "[DONE]", "the stream does not end with [DONE]")
    chunks = [data for _, data in events[:-1]]
    _must(len({(chunk["id"], chunk["created"], chunk["model"]) for chunk in chunks}) == 1, "more than one answer")
    for chunk in chunks:
        view.usage = chunk.get("usage") or view.usage
        for choice in chunk["choices"]:
            delta = choice["delta"]
            _must(not finished or not delta.get("content"), "text after the end")
            _must(("role" in delta) == (chunk is chunks[0]), "the role is told once, and first")
            view.text += delta.get("content") or ""
            for part in delta.get("tool_calls") or ():
                if part.get("id"):
                    _must(part["index"] == len(by_index), f"call {part['index']} after {len(by_index)}")
                    by_index[part["index"]] = part["id"]
                    view.calls[part["id"]] = part["function"]["name"]
                _must(part["index"] in by_index, "a part of no call")
            _must(not (finished and choice["finish_reason"]), "ended twice")
            finished = choice["finish_reason"] or finished
    _must(finished == ("tool_calls" if view.calls else "stop"), f"finish_reason {finished}")
    told = bool((json.loads(exchange.sent).get("stream_options") or {}).get("include_usage"))
    _must((view.usage is not None) == told, f"usage {view.usage}, where include_usage is {told}")
    return view


def _responses(answer: dict[str, Any]) -> View:
    _must(answer["status"] == "completed", f"status {answer['status']}")
    ids = [item["id"] for item in answer["output"]]
    _must(len(set(ids)) == len(ids), f"one id twice: {ids}")
    view = View(usage=answer["usage"])
    for item in answer["output"]:
        if item["type"] == "function_call":
            view.calls[item["call_id"]] = item["name"]
        elif item["type"] == "message":
            view.text += "".join(part["text"] for part in item["content"])
    return view


def _responses_stream(events: list[tuple[str, Any]], exchange: Exchange) -> View:
    told = [data for name, data in events if data != "[DONE]"]
    _must(all(name == data["type"] for name, data in events if data != "[DONE]"), "an event by another name")
    numbers = [event["sequence_number"] for event in told]
    _must(numbers == [*range(len(told))], f"sequence numbers {numbers}")
    _must([told[0]["type"], told[-1]["type"]] == ["response.created", "response.completed"], "no beginning, or no end")
    _must(sum(event["type"] in ("response.created", "response.completed") for event in told) == 2, "two lives")
    whole = told[-1]["response"]
    _must(told[0]["response"]["id"] == whole["id"], "another id at the end")
    added, done = list[Any](), dict[int, Any]()
    for event in told:
        if event["type"] == "response.output_item.added":
            _must(event["output_index"] == len(added), f"item {event['output_index']} after {len(added)}")
            added.append(event["item"]["id"])
        elif event["type"] == "response.output_item.done":
            done[event["output_index"]] = event["item"]
        elif "item_id" in event:
            _must(added[event["output_index"]] == event["item_id"], f"an event of another item: {event}")
    _must([done[n] for n in sorted(done)] == whole["output"], "the items told are not those of the whole")
    return _responses(whole)


def _messages(answer: dict[str, Any]) -> View:
    uses = {block["id"]: block["name"] for block in answer["content"] if block["type"] == "tool_use"}
    _must((answer["stop_reason"] == "tool_use") == bool(uses), f"stop_reason {answer['stop_reason']}")
    text = "".join(block["text"] for block in answer["content"] if block["type"] == "text")
    return View(uses, text, answer["usage"])


def _messages_stream(events: list[tuple[str, Any]], exchange: Exchange) -> View:
    told = [data for name, data in events if name != "ping"]
    _must(all(name == data["type"] for name, data in events), "an event by another name")
    kinds = [event["type"] for event in told]
    _must(kinds[0] == "message_start" and kinds.count("message_start") == 1, "not one beginning")
    _must(kinds[-2:] == ["message_delta", "message_stop"] and kinds.count("message_delta") == 1, "not one end")
    blocks, open_block = list[dict[str, Any]](), False
    for event in told:
        if event["type"] == "content_block_start":
            _must(not open_block and event["index"] == len(blocks), f"block {event['index']} after {len(blocks)}")
            blocks.append(event["content_block"])
            open_block = True
        elif event["type"].startswith("content_block"):
            _must(open_block and event["index"] == len(blocks) - 1, f"{event['type']} of block {event['index']}")
            delta = event.get("delta", {})
            blocks[-1]["text"] = blocks[-1].get("text", "") + delta.get("text", "")
            open_block = event["type"] != "content_block_stop"
    start, end = told[0]["message"], told[-2]
    whole = {**start, "content": blocks, **end["delta"], "usage": {**start["usage"], **end["usage"]}}
    return _messages(whole)
