"""litellm, which speaks a provider's format by the name of the model."""

from __future__ import annotations

from typing import Any

import common
import litellm

litellm.telemetry = False
FUNCTION = {"name": "get_log", "description": common.DESCRIPTION, "parameters": common.SCHEMA}


def ask(messages: list[Any]) -> Any:
    anthropic = common.FORMAT == "messages"
    model = f"{'anthropic' if anthropic else 'openai'}/{common.MODEL}"
    request: dict[str, Any] = {"model": model, "messages": messages,
                               "api_base": common.BASE + ("" if anthropic else "/v1"), "api_key": common.KEY,
                               "tools": [{"type": "function", "function": FUNCTION}], "num_retries": 0,
                               "max_tokens": 2000}
    if not common.STREAM:
        return litellm.completion(**request).choices[0].message
    chunks = [*litellm.completion(**request, stream=True, stream_options={"include_usage": True})]
    whole: Any = litellm.stream_chunk_builder(chunks, messages=messages)
    return whole.choices[0].message


def converse() -> list[Any]:
    messages: list[Any] = [{"role": "system", "content": common.SYSTEM}]
    for question in common.QUESTIONS:
        messages.append({"role": "user", "content": question})
        while True:
            message = ask(messages)
            messages.append(message.model_dump(exclude_none=True, include={"role", "content", "tool_calls"}))
            if not message.tool_calls:
                break
            messages += [{"role": "tool", "tool_call_id": call.id,
                          "content": common.run(call.function.name, call.function.arguments)}
                         for call in message.tool_calls]
        common.answered(message.content)
    return messages


def ask_responses(items: list[Any]) -> Any:
    request: dict[str, Any] = {"model": f"openai/{common.MODEL}", "input": items, "instructions": common.SYSTEM,
                               "api_base": common.BASE + "/v1", "api_key": common.KEY,
                               "tools": [{"type": "function", **FUNCTION, "strict": True}]}
    if not common.STREAM:
        return litellm.responses(**request)
    events: Any = litellm.responses(**request, stream=True)
    return [event for event in events if event.type == "response.completed"][-1].response


def converse_in_responses() -> list[Any]:
    items: list[Any] = []
    for question in common.QUESTIONS:
        new: list[Any] = [{"role": "user", "content": question}]
        while new:
            items += new
            answer = ask_responses(items)
            output = [item if isinstance(item, dict) else item.model_dump(exclude_none=True) for item in answer.output]
            items += output
            new = [{"type": "function_call_output", "call_id": item["call_id"],
                    "output": common.run(item["name"], item["arguments"])}
                   for item in output if item["type"] == "function_call"]
        common.answered("".join(part["text"] for part in output[-1]["content"]))
    return items


common.finish(converse_in_responses() if common.FORMAT == "responses" else converse())
