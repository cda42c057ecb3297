"""The definitions that a model reads: what each tool is for, in as few bytes as it takes to use it well.

They stand in every request that carries tools, so they are counted: together at most 2,000 bytes, the same ones always.
"""

from __future__ import annotations

import json
from typing import Any


def _definition(name: str, description: str, required: list[str], **properties: tuple[str, str]) -> dict[str, Any]:
    described = {key: {"type": kind} | ({"description": said} if said else {})
                 for key, (kind, said) in properties.items()}
    parameters = {"type": "object", "properties": described, "required": required, "additionalProperties": False}
    return {"type": "function", "function": {
        "name": name, "description": description, "parameters": parameters, "strict": False}}


CHAT = ",".join(json.dumps(definition, separators=(",", ":")) for definition in (
    _definition(
        "toolstub_read",
        "Read part of a stored tool result, exactly. A result that begins with [toolstub] is a stub: its original is "
        "intact under the ref it names. Take the place from the stub, a search or a query; never guess what a stub "
        "leaves out.",
        ["ref"],
        ref=("string", "ts_ and 16 hex digits"), offset=("integer", "first character, from 0"),
        limit=("integer", ""), lines=("string", "or 'A:B', from 1, inclusive"),
        pointer=("string", "or JSON pointer")),
    _definition(
        "toolstub_search",
        "Find text in stored tool results: how often, and line, offset and surroundings of each hit. First choice for "
        "an error, a name or a value.",
        ["query"],
        query=("string", ""), ref=("string", "only this original"), regex=("boolean", "RE2"),
        ignore_case=("boolean", ""), cursor=("string", "for more")),
    _definition("toolstub_list", "This session's stored tool results, newest first.", [],
                tool=("string", ""), cursor=("string", "")),
    _definition(
        "toolstub_query",
        "Select from a stored result by structure. JSON, YAML: JMESPath, items[?status=='failed'].id. Table: id, "
        "amount where country == 'DE' and amount > 9 rows 1:50. Code: a name, Runner.start. Markdown: a heading. "
        "* lists.",
        ["ref", "expression"],
        ref=("string", ""), expression=("string", "")),
))
"""For a chat request: JSON, joined by commas, without brackets."""
