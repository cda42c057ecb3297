"""openai-agents, with its models for chat completions and for Responses."""

from __future__ import annotations

import asyncio
from typing import Any

import common
from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI

set_tracing_disabled(disabled=True)
client = AsyncOpenAI(base_url=common.BASE + "/v1", api_key=common.KEY, max_retries=0)
kind: Any = {"chat": OpenAIChatCompletionsModel, "responses": OpenAIResponsesModel}[common.FORMAT]
agent = Agent(name="reader", instructions=common.SYSTEM, tools=[function_tool(common.get_log)],
              model=kind(model=common.MODEL, openai_client=client))


async def converse() -> list[Any]:
    items: list[Any] = []
    for question in common.QUESTIONS:
        items.append({"role": "user", "content": question})
        if common.STREAM:
            streamed = Runner.run_streamed(agent, items)
            async for _ in streamed.stream_events():
                pass
            common.answered(streamed.final_output)
            items = streamed.to_input_list()
        else:
            result = await Runner.run(agent, items)
            common.answered(result.final_output)
            items = result.to_input_list()
    return items


common.finish(asyncio.run(converse()))
