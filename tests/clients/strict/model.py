"""The model that the stand-ins play: it wants a fact, and goes where the fact is.

    What is id_21? SERVICE=alpha              the client's tool is called; a stub is searched
    What is id_33? Read it.                   searched, and read around what was found
    What is id_44? SERVICE=beta, and both     the client's tool is called, and ours in the same answer

`RUN=COMMAND;` in place of a service is for agents whose tool is a shell.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from toolstub_proxy.demo.upstream_model import Reply

from .heard import Asked, Heard

_QUESTION = re.compile(r"What is (id_\d+)\?")
_SERVICE = re.compile(r"SERVICE=(\w+)")
_COMMAND = re.compile(r"RUN=([^;]+);")
_STUB = re.compile(r"^\[toolstub\] tool result externalized\n(?:.*\n){1,12}?ref: (ts_[0-9a-f]{16})$", re.MULTILINE)
_OFFSET = re.compile(r"offset (\d+)")
_SHELLS = ("exec_command", "shell_command", "shell", "Bash", "bash", "run_shell_command", "execute_bash")
_SUBMIT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""What a shell has to say, for agents that end so when their task tells it."""
_LAST_WORD = "final_answer"


def decide(asked: Asked) -> Reply:
    """The model's turn."""
    heard = asked.heard
    at = max((n for n, one in enumerate(heard) if one.kind == "user" and _QUESTION.search(one.text)), default=None)
    if at is None:
        return _said("Hello." if asked.shape is None else json.dumps(_example(asked.shape)), asked)
    question, since = heard[at].text, heard[at + 1:]
    name = _QUESTION.findall(question)[-1]
    calls = next(_ideas(name, question, since, asked), None)
    if calls:
        return Reply(calls=calls)
    value = _value(name, heard)
    return _said(f"ANSWER {name}={value}" if value else f"I do not know {name}.", asked)


def _ideas(name: str, question: str, since: list[Heard], asked: Asked) -> Iterator[tuple[tuple[str, str], ...]]:
    """What to call, best first; nothing once the fact can be seen and nothing is left to be done."""
    made = {one.name for one in since if one.kind == "call"}
    ours = {one.id for one in since if one.name.startswith("toolstub_")}
    fresh = any(one.kind == "result" and one.id not in ours for one in since)
    refs = [ref for one in asked.heard if one.kind == "result" for ref in _STUB.findall(one.text)]
    theirs = _theirs(question, asked)
    if theirs and not fresh:
        both = "both" in question and asked.parallel and refs and "toolstub_search" in asked.tools
        yield (_search("id_2=", refs[-1]), theirs) if both else (theirs,)
    found = _OFFSET.search("\n".join(one.text for one in since if one.kind == "result"))
    reads = "Read it." in question and "toolstub_read" not in made
    if refs and "toolstub_search" in asked.tools and _searched(since) < (1 if reads else 2) and (
            reads or _value(name, asked.heard) is None):
        yield (_search(name, refs[-1]),)
    if found and refs and reads and "toolstub_read" in asked.tools:
        yield (("toolstub_read", json.dumps({"ref": refs[-1], "offset": int(found[1]), "limit": 500, "lines": None})),)


def _search(query: str, ref: str) -> tuple[str, str]:
    return "toolstub_search", json.dumps({"query": query, "ref": ref, "regex": False, "ignore_case": False})


def _searched(since: list[Heard]) -> int:
    return sum(one.name == "toolstub_search" for one in since)


def _theirs(question: str, asked: Asked) -> tuple[str, str] | None:
    """The call of the client's tool that the question is about."""
    offered = [tool for tool in asked.tools if not tool.startswith("toolstub_") and tool != _LAST_WORD]
    if services := _SERVICE.findall(question):
        tool = next((tool for tool in offered if "service" in asked.tools[tool].get("properties", ())), None)
        return (tool, json.dumps({"service": services[-1]})) if tool else None
    command = _COMMAND.findall(question)
    tool = next((tool for tool in _SHELLS if tool in offered), None)
    if tool is None or not command:
        return None
    return tool, json.dumps(_example(asked.tools[tool], command=command[-1], cmd=command[-1]))


def _example(schema: Mapping[str, Any], **given: Any) -> dict[str, Any]:
    """An object that fits a schema: `given` where it has a place for it, and the least elsewhere."""
    required, values = schema.get("required", ()), {}
    for key, part in (schema.get("properties") or {}).items():
        kind = part.get("type")
        if key in given:
            values[key] = ["sh", "-c", given[key]] if kind == "array" else given[key]
        elif key in required:
            least = {"boolean": False, "integer": 1, "number": 1, "array": [], "object": {}}.get(kind, "text")
            values[key] = part["enum"][0] if part.get("enum") else least
    return values


def _said(text: str, asked: Asked) -> Reply:
    """A text; where it has to be a call, the call that takes it."""
    if asked.forced and _LAST_WORD in asked.tools:
        return Reply(calls=((_LAST_WORD, json.dumps({"answer": text})),))
    if "bash" in asked.tools and any(_SUBMIT in one.text for one in asked.heard if one.kind == "user"):
        return Reply(calls=(("bash", json.dumps({"command": f"echo {_SUBMIT}; echo '{text}'"})),))
    return Reply(text)


def _value(name: str, heard: list[Heard]) -> str | None:
    """The value of `name` that can be seen."""
    pattern = re.compile(rf"\b{name}=(\w+)")
    seen = (pattern.search(one.text) for one in heard if one.kind in ("user", "result"))
    return next((found[1] for found in seen if found), None)
