"""Law 7: the client never sees our tools, and sees everything else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from formats_support import FORMATS, PATHS
from hypothesis import given
from hypothesis import strategies as st
from laws_support import slow

from toolstub_ext.rewriting import rewrite
from toolstub_ext.settings import Settings
from toolstub_ext.store import Store
from toolstub_proxy.rounds import Rounds
from toolstub_proxy.streams import Format, format_for

Part = tuple[str, str]
Seen = tuple[str, list[Part]]
texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
said = texts.map(lambda text: ("text", text))
ours = st.sampled_from(["toolstub_read", "toolstub_search", "toolstub_invented"]).map(lambda name: ("call", name))
theirs = st.sampled_from(["Read", "tool", "stub_read"]).map(lambda name: ("call", name))
hidden = st.lists(said | ours, max_size=4).flatmap(lambda parts: ours.map(lambda call: [*parts, call]))
answers = st.tuples(st.lists(hidden, max_size=3), st.lists(said | ours | theirs, max_size=5), theirs).map(
    lambda drawn: [*drawn[0], drawn[1] if not any(map(is_ours, drawn[1])) else [*drawn[1], drawn[2]]])
"""The rounds behind one answer: in the last the model calls none of our tools, or the client's as well."""


def is_ours(part: Part) -> bool:
    """Whether this is a call of one of our tools."""
    return part[0] == "call" and part[1].startswith("toolstub_")


class Model:
    """Writes the rounds of an answer in one format, whole or as a stream. Calls of our tools bear a secret."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def chat(self, parts: list[Part]) -> tuple[dict[str, Any], list[bytes]]:
        """Texts come in front of calls there."""
        text = "".join(text for kind, text in parts if kind == "text")
        calls = [{"id": call_id, "type": "function", "function": {"name": name, "arguments": given}}
                 for _, name, call_id, given in self._called(parts)]
        reason = "tool_calls" if calls else "stop"
        message = {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
        whole = {"id": "c", "choices": [{"index": 0, "message": message, "finish_reason": reason}]}
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}, *({"content": letter} for letter in text)]
        for at, call in enumerate(calls):
            name, given = call["function"]["name"], call["function"]["arguments"]
            deltas.append({"tool_calls": [{**call, "index": at, "function": {"name": name, "arguments": ""}}]})
            deltas += [{"tool_calls": [{"index": at, "function": {"arguments": piece}}]}
                       for piece in (given[:3], given[3:])]
        events = [{"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
        events.append({"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        return whole, [*(f"data: {json.dumps(event)}\n\n".encode() for event in events), b"data: [DONE]\n\n"]

    def messages(self, parts: list[Part]) -> tuple[dict[str, Any], list[bytes]]:
        """Each part is a block."""
        called = self._called(parts)
        blocks: list[dict[str, Any]] = []
        events: list[dict[str, Any]] = [{"type": "message_start", "message": {
            "id": "m", "type": "message", "role": "assistant", "content": [], "usage": {"output_tokens": 1}}}]
        for at, (kind, text) in enumerate(parts):
            if kind == "text":
                blocks.append({"type": "text", "text": text})
                start, deltas = {"type": "text", "text": ""}, [{"type": "text_delta", "text": text}]
            else:
                _, name, call_id, given = next(called)
                start = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
                blocks.append({**start, "input": json.loads(given)})
                deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in (given[:3], given[3:])]
            events += [{"type": "content_block_start", "index": at, "content_block": start},
                       *({"type": "content_block_delta", "index": at, "delta": delta} for delta in deltas),
                       {"type": "content_block_stop", "index": at}]
        reason = "tool_use" if any(kind == "call" for kind, _ in parts) else "end_turn"
        events += [{"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
                    "usage": {"output_tokens": 5}}, {"type": "message_stop"}]
        whole = {"id": "m", "type": "message", "role": "assistant", "content": blocks, "stop_reason": reason,
                 "usage": {"input_tokens": 1, "output_tokens": 5}}
        return whole, [*map(_named, events)]

    def responses(self, parts: list[Part]) -> tuple[dict[str, Any], list[bytes]]:
        """Each part is an item."""
        called, number = self._called(parts), next(self._numbers)
        items: list[dict[str, Any]] = []
        events: list[dict[str, Any]] = [{"type": "response.created", "response": {"id": f"r{number}", "output": []}}]
        for at, (kind, text) in enumerate(parts):
            if kind == "text":
                item = {"type": "message", "id": f"m{number}_{at}", "role": "assistant",
                        "content": [{"type": "output_text", "text": text}]}
                delta = {"type": "response.output_text.delta", "delta": text}
            else:
                _, name, call_id, given = next(called)
                item = {"type": "function_call", "id": f"f{call_id}", "call_id": call_id, "name": name,
                        "arguments": given}
                delta = {"type": "response.function_call_arguments.delta", "delta": given}
            items.append(item)
            events += [{"type": "response.output_item.added", "output_index": at, "item": {**item, "arguments": ""}},
                       {**delta, "output_index": at, "item_id": item["id"]},
                       {"type": "response.output_item.done", "output_index": at, "item": item}]
        whole = {"id": f"r{number}", "object": "response", "status": "completed", "output": items,
                 "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}
        events.append({"type": "response.completed", "response": whole})
        return whole, [_named({**event, "sequence_number": at}) for at, event in enumerate(events)]

    def _called(self, parts: list[Part]) -> Iterator[tuple[str, str, str, str]]:
        for part in parts:
            if part[0] == "call":
                mark = f"{'SECRET' if is_ours(part) else 'call'}{next(self._numbers)}"
                yield *part, mark, json.dumps({"ref": mark})


def _named(event: dict[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _request(wire: str) -> bytes:
    member, _, tool = FORMATS[wire]
    return json.dumps({"model": "m", "tools": [tool], member: [{"role": "user", "content": "why?"}]}).encode()


def _rounds(wire: str, fmt: Format, store: Store) -> Rounds:
    rewritten = rewrite(_request(wire), store=store, settings=Settings(), path=PATHS[wire])
    assert rewritten.injected
    return Rounds(rewritten, fmt, run=lambda *_: "SECRET reply", remember=lambda **_: None, offer=rewritten.offered)


def _mine(name: str) -> bool:
    return name.startswith("toolstub_")


def _streamed(fmt: Format, rounds: Rounds, answer: list[list[bytes]], sizes: list[int]) -> bytes:
    """What a client reads while the rounds arrive in chunks of these sizes, in turns."""
    stream, out = fmt.stream(_mine), b""
    for events in answer:
        data, at = b"".join(events), 0
        for size in (sizes[n % len(sizes)] for n in count()):
            if at >= len(data):
                break
            out += stream.feed(data[at:at + size])
            at += size
        out += stream.close()
        turn = stream.turn()
        assert turn is not None
        if rounds.next(turn) is None:
            return out + stream.release()
        stream = stream.successor()
    raise AssertionError("the answer has no end")


def _whole(fmt: Format, rounds: Rounds, answer: list[dict[str, Any]]) -> bytes:
    for body in answer:
        read = fmt.answer(json.dumps(body).encode(), _mine)
        assert read is not None
        if rounds.next(read.turn()) is None:
            return read.render(rounds.text, {}, rounds.parts)
    raise AssertionError("the answer has no end")


def _events(stream: bytes) -> list[dict[str, Any]]:
    lines = (line[6:] for line in stream.split(b"\n") if line.startswith(b"data: {"))
    return [json.loads(line) for line in lines]


def _seen_in_stream(wire: str, stream: bytes) -> Seen:
    """The text of an answer as a client puts it together, and the calls."""
    text, calls = "", dict[int, list[str]]()
    for event in _events(stream):
        if wire == "chat":
            delta = event["choices"][0]["delta"] if event["choices"] else {}
            text += delta.get("content") or ""
            for call in delta.get("tool_calls", ()):
                made = calls.setdefault(call["index"], [call["function"].get("name", ""), ""])
                made[1] += call["function"]["arguments"]
        elif event["type"] == "content_block_start" and event["content_block"]["type"] == "tool_use":
            calls[event["index"]] = [event["content_block"]["name"], ""]
        elif event["type"] == "content_block_delta":
            text += event["delta"].get("text", "")
            if "partial_json" in event["delta"]:
                calls[event["index"]][1] += event["delta"]["partial_json"]
        elif event["type"] == "response.completed":
            return _seen(wire, event["response"])
    return text, [(name, json.loads(given)["ref"]) for _, (name, given) in sorted(calls.items())]


def _seen(wire: str, body: dict[str, Any]) -> Seen:
    if wire == "chat":
        message = body["choices"][0]["message"]
        made = [call["function"] for call in message.get("tool_calls") or ()]
        return message["content"] or "", [(call["name"], json.loads(call["arguments"])["ref"]) for call in made]
    if wire == "messages":
        return ("".join(block["text"] for block in body["content"] if block["type"] == "text"),
                [(block["name"], block["input"]["ref"]) for block in body["content"] if block["type"] == "tool_use"])
    return ("".join(part["text"] for item in body["output"] if item["type"] == "message" for part in item["content"]),
            [(item["name"], json.loads(item["arguments"])["ref"]) for item in body["output"]
             if item["type"] == "function_call"])


@pytest.mark.parametrize("wire", PATHS)
@slow
@given(answer=answers, sizes=st.lists(st.integers(1, 400), min_size=1, max_size=5))
def test_law_7_the_client_never_sees_our_tools(
    store: Store, wire: str, answer: list[list[Part]], sizes: list[int]
) -> None:
    """Streamed in any chunks or whole, over any number of rounds: all that was said to it is there, and no more."""
    fmt = format_for(PATHS[wire])
    assert fmt is not None
    model = Model()
    told = [getattr(model, wire)(parts) for parts in answer]
    expected = "".join(text for parts in answer for kind, text in parts if kind == "text")
    names = [part[1] for part in answer[-1] if part[0] == "call" and not is_ours(part)]
    stream = _streamed(fmt, _rounds(wire, fmt, store), [events for _, events in told], sizes)
    whole = _whole(fmt, _rounds(wire, fmt, store), [body for body, _ in told])
    for seen, raw in ((_seen_in_stream(wire, stream), stream), (_seen(wire, json.loads(whole)), whole)):
        assert b"toolstub_" not in raw
        assert b"SECRET" not in raw
        assert seen[0] == expected
        assert [name for name, _ in seen[1]] == names
        assert all(mark.startswith("call") for _, mark in seen[1])
