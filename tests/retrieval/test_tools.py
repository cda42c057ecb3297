"""What a model is told of the tools."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from toolstub_ext import retrieval


@pytest.mark.parametrize(("wire", "functions", "schema", "more"), [
    ("chat", lambda tools: [tool["function"] for tool in tools], "parameters", {"strict"}),
    ("responses", lambda tools: tools, "parameters", {"strict", "type"}),
    ("messages", lambda tools: tools, "input_schema", set()),
])
def test_the_definitions_are_small_and_strict(wire: str, functions: Any, schema: str, more: set[str]) -> None:
    """Together at most 2,000 bytes, the same every time, and schemas that a strict validator takes."""
    text = retrieval.definitions(wire)
    assert text == retrieval.definitions(wire)
    assert text.isascii()
    assert len(text) <= 2_000
    tools = functions(json.loads(f"[{text}]"))
    assert tuple(tool["name"] for tool in tools) == retrieval.NAMES
    for tool in tools:
        assert re.fullmatch("[a-zA-Z0-9_-]{1,64}", tool["name"])
        assert set(tool) == {"name", "description", schema} | more
        assert tool.get("strict", False) is False  # so that arguments may be left out
        parameters = tool[schema]
        assert (parameters["type"], parameters["additionalProperties"]) == ("object", False)
        assert set(parameters["required"]) <= set(parameters["properties"])
        assert all(value["type"] in ("string", "integer", "boolean") for value in parameters["properties"].values())


@pytest.mark.parametrize(("wire", "name_of"), [
    ("chat", lambda entry: entry["function"]["name"]), ("responses", lambda entry: entry["name"]),
])
def test_a_list_of_allowed_tools_can_name_them(wire: str, name_of: Any) -> None:
    """In the formats that have such a list."""
    entries = json.loads(f"[{retrieval.allowance(wire)}]")
    assert tuple(map(name_of, entries)) == retrieval.NAMES
    assert {entry["type"] for entry in entries} == {"function"}


def test_only_known_wires_have_definitions() -> None:
    """Another format is a mistake of the caller."""
    with pytest.raises(ValueError, match="'smoke'"):
        retrieval.definitions("smoke")


@pytest.mark.parametrize(("name", "meant"), [
    *((name, name) for name in retrieval.NAMES), ("read_full_result_call_1", "toolstub_read"),
    ("toolstub_", None), ("read", None), ("read_full_result_", None),
])
def test_our_tools_are_told_by_name(name: str, meant: str | None) -> None:
    """Whatever the arguments are; one of them has another name for every result, which is not offered."""
    assert retrieval.meant(name) == meant
