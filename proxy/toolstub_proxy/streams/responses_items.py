"""What is in one Responses answer: calls of our tools, what the model wants to see again, and its request, repeated."""

from __future__ import annotations

import json
from typing import Any

from toolstub_ext.wire.responses import identity, is_call

from ..turns import Call, Mine, Part, Turn, arguments_in, repeated


def is_ours(item: Any, mine: Mine) -> bool:
    """Whether it calls one of our tools."""
    return isinstance(item, dict) and item.get("type") == "function_call" and mine(str(item.get("name") or ""))


def is_offer(tool: Any, mine: Mine) -> bool:
    """Whether it is the definition of one of our tools, or names one."""
    return isinstance(tool, dict) and tool.get("type") == "function" and mine(str(tool.get("name") or ""))


def hide_offers(response: Any, mine: Mine) -> bool:
    """Take our tools out of those that a response repeats from its request; whether there were any."""
    hidden = False
    choice = response.get("tool_choice") if isinstance(response, dict) else None
    for said in (response, choice):
        if isinstance(said, dict) and isinstance(offered := said.get("tools"), list):
            said["tools"] = [tool for tool in offered if not is_offer(tool, mine)]
            hidden |= len(said["tools"]) < len(offered)
    return hidden


def text_of(item: dict[str, Any]) -> str:
    """The text of a message."""
    content = item.get("content") if item.get("type") == "message" else None
    parts = content if isinstance(content, list) else []
    return "".join(str(part.get("text") or "") for part in parts
                   if isinstance(part, dict) and part.get("type") == "output_text")


def turn_of(items: list[tuple[dict[str, Any], str]], response: dict[str, Any], mine: Mine) -> Turn:
    """What the model did, from its items, each with its JSON, and from the response they belong to. A call that the
    provider has answered itself, as it does in a shell of its own, is none for the client."""
    items = [(item, _due(item, written) if is_ours(item, mine) else written) for item, written in items]
    stored = response.get("store") is not False
    answered = {_call_id(item) for item, _ in items if str(item.get("type")).endswith("_output")}
    return Turn(
        text="".join(text_of(item) for item, _ in items),
        ours=tuple(Call(str(item.get("call_id") or ""), str(item["name"]), arguments_in(item.get("arguments")), written)
                   for item, written in items if is_ours(item, mine)),
        theirs=tuple(_call_id(item) for item, _ in items
                     if is_call(str(item.get("type")), str(item.get("execution"))) and not is_ours(item, mine)
                     and _call_id(item) not in answered),
        parts=tuple(Part(written, identity({**item, "text": text_of(item)}), is_ours(item, mine),
                         identity({"type": "item_reference", "id": item.get("id")}) if stored else "")
                    for item, written in items),
        fields={} if stored else {"forgotten": _forgotten(items)},
        whole=response.get("status", "completed") == "completed",
        id=str(response.get("id") or "") if stored else "",
        owes=True,
    )


def _due(item: dict[str, Any], written: str) -> str:
    """A call as it goes back, in its bytes if they may."""
    due = repeated(arguments_in(item.get("arguments")))
    return written if due == item.get("arguments") else json.dumps({**item, "arguments": due}, separators=(",", ":"))


def _call_id(item: dict[str, Any]) -> str:
    return str(item.get("call_id") or item.get("id") or "")


def _forgotten(items: list[tuple[dict[str, Any], str]]) -> frozenset[str]:
    """The items that a provider which does not store answers cannot be told again: thoughts without their content."""
    return frozenset(written for item, written in items
                     if item.get("type") == "reasoning" and not item.get("encrypted_content"))


def round_of(turn: Turn, replies: tuple[str, ...]) -> str:
    """The items of a turn, and those that answer our calls."""
    forgotten = turn.fields.get("forgotten", ())
    said = [part.json for part in turn.parts if part.json not in forgotten]
    return ",".join([*said, results_of(turn, replies)])


def results_of(turn: Turn, replies: tuple[str, ...]) -> str:
    """The items that answer our calls of a turn, comma-joined."""
    return ",".join(_result(call, reply) for call, reply in zip(turn.ours, replies, strict=True))


def _result(call: Call, reply: str) -> str:
    return json.dumps({"type": "function_call_output", "call_id": call.id, "output": reply}, separators=(",", ":"))
