"""The openai SDK: chat completions, and Responses with and without the provider keeping the conversation."""

from __future__ import annotations

import os
from typing import Any

import common
from openai import OpenAI

client = OpenAI(base_url=common.BASE + "/v1", api_key=common.KEY, max_retries=0)
KEPT = os.environ.get("VARIANT") == "kept"
FUNCTION = {"name": "get_log", "description": common.DESCRIPTION, "parameters": common.SCHEMA, "strict": True}


def ask_chat(messages: list[Any]) -> Any:
    request: dict[str, Any] = {"model": common.MODEL, "messages": messages,
                               "tools": [{"type": "function", "function": FUNCTION}]}
    if not common.STREAM:
        return client.chat.completions.create(**request).choices[0].message
    with client.chat.completions.stream(**request, stream_options={"include_usage": True}) as stream:
        for _ in stream:
            pass
        whole = stream.get_final_completion()
    assert whole.usage.total_tokens > 0
    return whole.choices[0].message


def chat() -> list[Any]:
    messages: list[Any] = [{"role": "system", "content": common.SYSTEM}]
    for question in common.QUESTIONS:
        messages.append({"role": "user", "content": question})
        while True:
            message = ask_chat(messages)
            calls = [{"id": call.id, "type": "function",
                      "function": {"name": call.function.name, "arguments": call.function.arguments}}
                     for call in message.tool_calls or ()]
            made = {"tool_calls": calls} if calls else {}
            messages.append({"role": "assistant", "content": message.content, **made})
            if not calls:
                break
            messages += [{"role": "tool", "tool_call_id": call.id,
                          "content": common.run(call.function.name, call.function.arguments)}
                         for call in message.tool_calls]
        common.answered(message.content)
    return messages


def ask_responses(**request: Any) -> Any:
    request |= {"model": common.MODEL, "instructions": common.SYSTEM, "reasoning": {"effort": "low"},
                "tools": [{"type": "function", **FUNCTION}]}
    if not common.STREAM:
        return client.responses.create(**request)
    with client.responses.stream(**request) as stream:
        for _ in stream:
            pass
        return stream.get_final_response()


def responses() -> list[Any]:
    history: list[Any] = []
    before: str | None = None
    for question in common.QUESTIONS:
        new: list[Any] = [{"role": "user", "content": question}]
        while new:
            history += new
            if KEPT:
                answer = ask_responses(input=new, **({"previous_response_id": before} if before else {}))
            else:
                answer = ask_responses(input=history, store=False, include=["reasoning.encrypted_content"])
            before = answer.id
            assert answer.status == "completed"
            history += [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in answer.output]
            for item in history:
                for part in item.get("content") or () if isinstance(item.get("content"), list) else ():
                    part.pop("parsed", None)
            new = [{"type": "function_call_output", "call_id": item.call_id,
                    "output": common.run(item.name, item.arguments)}
                   for item in answer.output if item.type == "function_call"]
        common.answered(answer.output_text)
    return history


common.finish({"chat": chat, "responses": responses}[common.FORMAT]())
