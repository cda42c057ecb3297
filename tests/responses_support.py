"""A client with OpenAI's SDK that asks in Responses what only a hidden original says, for the tests of that format."""

from __future__ import annotations

from typing import Any

import openai
from proxy_support import Behind, log_of

TOOL = {"type": "function", "name": "get_log", "description": "The log of a service.", "strict": False,
        "parameters": {"type": "object", "properties": {"service": {"type": "string"}}}}
PATH = "/v1/responses"
QUESTION = "What is id_1234? SERVICE=a"


def asked(*services: str) -> list[dict[str, Any]]:
    """A conversation in which the logs of some services were called for, and came."""
    calls = [{"type": "function_call", "call_id": f"call_{s}", "name": "get_log", "arguments": "{}"} for s in services]
    results = [{"type": "function_call_output", "call_id": f"call_{s}", "output": log_of(s)} for s in services]
    return [{"role": "user", "content": "What is id_1234?"}, *calls, *results]


def body_of(items: Any, **more: Any) -> dict[str, Any]:
    """A request with the tool, as the SDK would send it."""
    return {"model": "stand-in", "input": items, "tools": [TOOL], **more}


async def ask(behind: Behind, items: Any, *, stream: bool, **more: Any) -> Any:
    """One turn with the SDK."""
    request: Any = {**body_of(items), **more}
    async with openai.AsyncOpenAI(base_url=behind.url + "/v1", api_key="any", max_retries=0) as client:
        if not stream:
            response: Any = await client.responses.create(**request)
        else:
            async with client.responses.stream(**request) as events:
                numbers = []
                async for event in events:
                    assert "toolstub_" not in event.model_dump_json(warnings=False)
                    numbers.append(event.sequence_number)
                response = await events.get_final_response()
            assert numbers == [*range(len(numbers))]
    assert "toolstub_" not in response.model_dump_json(warnings=False)
    return response


async def converse(behind: Behind, items: list[dict[str, Any]], *, stream: bool, **more: Any) -> Any:
    """The same, with all that was said sent each time; what comes is added, as agents do."""
    response = await ask(behind, items, stream=stream, **more)
    for item in response.output:
        sent = item.model_dump(exclude_none=True, warnings=False, exclude={"status", "parsed_arguments"})
        text = "".join(part.text for part in item.content) if item.type == "message" else ""
        items.append({"role": "assistant", "content": text} if item.type == "message" else sent)
    return response


def answered(response: Any, text: str) -> list[dict[str, Any]]:
    """The results of the client's calls in an answer, all with one text."""
    return [{"type": "function_call_output", "call_id": item.call_id, "output": text}
            for item in response.output if item.type == "function_call"]
