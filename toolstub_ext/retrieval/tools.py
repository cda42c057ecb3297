"""The definitions that a model reads: what each tool is for, in as few bytes as it takes to use it well.

They stand in every request that carries tools, so they are counted: together at most 2,000 bytes, the same ones always.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any


class _Tool:
    """One tool: its name, what it is for, and its parameters, each with its type and, where needed, a few words."""

    def __init__(self, name: str, description: str, required: list[str], **properties: tuple[str, str]) -> None:
        described = {key: {"type": kind} | ({"description": said} if said else {})
                     for key, (kind, said) in properties.items()}
        self.name = name
        self.description = description
        self.schema: dict[str, Any] = {
            "type": "object", "properties": described, "required": required, "additionalProperties": False}

    def function(self) -> dict[str, Any]:
        """As OpenAI's formats write a function. Optional arguments may be left out, hence not strict, said explicitly:
        in Responses a function is strict unless it says that it is not."""
        return {"name": self.name, "description": self.description, "parameters": self.schema, "strict": False}


_TOOLS = (
    _Tool(
        "toolstub_read",
        "Read part of a stored tool result, exactly. A result that begins with [toolstub] is a stub: its original is "
        "intact under the ref it names. Take the place from the stub, a search or a query; never guess what a stub "
        "leaves out.",
        ["ref"],
        ref=("string", "ts_ and 16 hex digits"), offset=("integer", "first character, from 0"),
        limit=("integer", ""), lines=("string", "or 'A:B', from 1, inclusive"),
        pointer=("string", "or JSON pointer")),
    _Tool(
        "toolstub_search",
        "Find text in stored tool results: how often, and line, offset and surroundings of each hit. First choice for "
        "an error, a name or a value.",
        ["query"],
        query=("string", ""), ref=("string", "only this original"), regex=("boolean", "RE2"),
        ignore_case=("boolean", ""), cursor=("string", "for more")),
    _Tool("toolstub_list", "This session's stored tool results, newest first.", [],
                tool=("string", ""), cursor=("string", "")),
    _Tool(
        "toolstub_query",
        "Select from a stored result by structure. JSON, YAML: JMESPath, items[?status=='failed'].id. Table: id, "
        "amount where country == 'DE' and amount > 9 rows 1:50. Code: a name, Runner.start. Markdown: a heading. "
        "* lists.",
        ["ref", "expression"],
        ref=("string", ""), expression=("string", "")),
)


NAMES: tuple[str, ...] = tuple(tool.name for tool in _TOOLS)
PREFIX = "toolstub_"
"""What the names of all that is offered begin with, and what a model makes up of them."""
READ_CALL = "read_full_result_"
"""With the id of a call behind it, another name of `toolstub_read`: Gliding Horse's, whose stubs say it, for one result
each. It is answered, not offered: one more tool with every result would change the prefix that a provider caches."""


def _chat(tool: _Tool) -> dict[str, Any]:
    return {"type": "function", "function": tool.function()}


def _responses(tool: _Tool) -> dict[str, Any]:
    return {"type": "function", **tool.function()}


def _messages(tool: _Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.schema}


def _joined(parts: Iterable[dict[str, Any]]) -> str:
    return ",".join(json.dumps(part, separators=(",", ":")) for part in parts)


_DEFINITIONS = {
    "chat": _joined(map(_chat, _TOOLS)),
    "responses": _joined(map(_responses, _TOOLS)),
    "messages": _joined(map(_messages, _TOOLS)),
}
"""The definitions for each wire format: JSON, joined by commas, without brackets."""

_ALLOWANCES = {
    "chat": _joined({"type": "function", "function": {"name": tool.name}} for tool in _TOOLS),
    "responses": _joined({"type": "function", "name": tool.name} for tool in _TOOLS),
}
"""How a list of allowed tools names them, in the formats that have such a list."""


def meant(name: str) -> str | None:
    """The name of the tool that a model means by a name, or None if it is none of these."""
    if name.startswith(READ_CALL) and name != READ_CALL:
        return NAMES[0]
    return name if name in NAMES else None


def definitions(wire: str) -> str:
    """The JSON text of the definitions for a wire format, joined by commas, without brackets; the same bytes always."""
    if wire not in _DEFINITIONS:
        known = ", ".join(_DEFINITIONS)
        raise ValueError(f"there are no tool definitions for wire format {wire!r}; there are for {known}")
    return _DEFINITIONS[wire]


def allowance(wire: str) -> str:
    """The JSON text by which a wire format's list of allowed tools names these, joined by commas, without brackets."""
    return _ALLOWANCES[wire]
