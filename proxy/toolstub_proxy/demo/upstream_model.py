"""The model that the stand-in plays: rules a reader can follow, in place of a mind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_QUESTION = re.compile(r"What is (\w+)\?")
_SERVICE = re.compile(r"SERVICE=(\w+)")
_REF = re.compile(r"^ref: (ts_[0-9a-f]{16})$", re.MULTILINE)
_OFFSET = re.compile(r"offset (\d+)")
_STUB = "[toolstub] tool result externalized"


@dataclass(frozen=True)
class Reply:
    """What the model says and calls: pairs of a tool's name and its arguments. Without `finish`, that follows."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    finish: str | None = None


def decide(body: dict[str, Any]) -> Reply:
    """The model's turn."""
    messages = body["messages"]
    asked_at = max((i for i, m in enumerate(messages) if m["role"] == "user"), default=0)
    question = _text(messages[asked_at])
    wanted = _QUESTION.findall(question)
    if not wanted:
        return Reply("Hello.")
    name = wanted[-1]
    if (value := _value(name, messages)) is not None:
        return Reply(f"ANSWER {name}={value}")
    offered = [tool["function"]["name"] for tool in body.get("tools") or ()]
    asked = {call["function"]["name"] for m in messages[asked_at:] for call in m.get("tool_calls") or ()}
    call = next(_ideas(name, question, messages, offered, asked), None)
    return Reply(calls=call) if call else Reply(f"I do not know {name}.")


def _ideas(name: str, question: str, messages: list[dict[str, Any]], offered: list[str],
           asked: set[str]) -> Iterator[tuple[tuple[str, str], ...]]:
    """What could be called next, best first."""
    theirs = next((tool for tool in offered if not tool.startswith("toolstub_")), None)
    refs = [ref for text in _results(messages) if text.startswith(_STUB) for ref in _REF.findall(text)]
    if theirs is not None and theirs not in asked and (services := _SERVICE.findall(question)):
        yield tuple((theirs, json.dumps({"service": service})) for service in services)
    if refs and "toolstub_search" in offered and "toolstub_search" not in asked:
        yield (("toolstub_search", json.dumps({"query": name, "ref": refs[-1], "regex": False, "ignore_case": False})),)
    found = _OFFSET.search("\n".join(_results(messages)[-1:]))
    if found and refs and "toolstub_read" in offered and "toolstub_read" not in asked:
        arguments = {"ref": refs[-1], "offset": int(found[1]), "limit": 500, "lines": None}
        yield (("toolstub_read", json.dumps(arguments)),)
    if theirs is not None and theirs not in asked:
        yield ((theirs, "{}"),)


def _value(name: str, messages: list[dict[str, Any]]) -> str | None:
    """The value of `name` that the model can see."""
    pattern = re.compile(rf"\b{name}=(\w+)")
    for text in _results(messages):
        if found := pattern.search(text):
            return found[1]
    return None


def _results(messages: list[dict[str, Any]]) -> list[str]:
    return [_text(message) for message in messages if message["role"] == "tool"]


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)
