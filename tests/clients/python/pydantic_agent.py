"""pydantic-ai, with its models for the three formats."""

from __future__ import annotations

import asyncio
from typing import Any

import common
from anthropic import AsyncAnthropic
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

model: Any
if common.FORMAT == "messages":
    client = AsyncAnthropic(base_url=common.BASE, api_key=common.KEY, max_retries=0)
    model = AnthropicModel(common.MODEL, provider=AnthropicProvider(anthropic_client=client))
else:
    kind = OpenAIChatModel if common.FORMAT == "chat" else OpenAIResponsesModel
    model = kind(common.MODEL, provider=OpenAIProvider(base_url=common.BASE + "/v1", api_key=common.KEY))
agent = Agent(model, instructions=common.SYSTEM)
agent.tool_plain(common.get_log)


async def converse() -> list[Any]:
    history: list[Any] = []
    for question in common.QUESTIONS:
        if common.STREAM:
            async with agent.run_stream(question, message_history=history) as result:
                common.answered(await result.get_output())
                history = result.all_messages()
        else:
            done = await agent.run(question, message_history=history)
            common.answered(done.output)
            history = done.all_messages()
    return history


common.finish(asyncio.run(converse()))
