"""The anthropic SDK, with marks for the cache as agents set them; `VARIANT` thinking has the model think."""

from __future__ import annotations

import os
from typing import Any

import anthropic
import common

client = anthropic.Anthropic(base_url=common.BASE, api_key=common.KEY, max_retries=0)
MARK: dict[str, Any] = {"cache_control": {"type": "ephemeral"}}
TOOL = {"name": "get_log", "description": common.DESCRIPTION, "input_schema": common.SCHEMA, **MARK}
THINKING: dict[str, Any] = {"thinking": {"type": "enabled", "budget_tokens": 2000}}


def ask(messages: list[Any]) -> Any:
    for message in messages[:-1]:
        for block in message["content"]:
            block.pop("cache_control", None)
    messages[-1]["content"][-1].update(MARK)
    request: dict[str, Any] = {"model": common.MODEL, "max_tokens": 4096, "tools": [TOOL], "messages": messages,
                               "system": [{"type": "text", "text": common.SYSTEM, **MARK}]}
    request |= THINKING if os.environ.get("VARIANT") == "thinking" else {}
    if not common.STREAM:
        return client.messages.create(**request)
    with client.messages.stream(**request) as stream:
        for _ in stream:
            pass
        return stream.get_final_message()


def converse() -> list[Any]:
    messages: list[Any] = []
    for question in common.QUESTIONS:
        messages.append({"role": "user", "content": [{"type": "text", "text": question}]})
        while True:
            answer = ask(messages)
            left_out = {"parsed_output", "citations"}
            blocks = [block.model_dump(exclude_none=True, exclude=left_out) for block in answer.content]
            messages.append({"role": "assistant", "content": blocks})
            if answer.stop_reason != "tool_use":
                break
            results = [{"type": "tool_result", "tool_use_id": block.id, "content": common.run(block.name, block.input)}
                       for block in answer.content if block.type == "tool_use"]
            messages.append({"role": "user", "content": results})
        common.answered("".join(block.text for block in answer.content if block.type == "text"))
    return messages


common.finish(converse())
