"""llama-index. Its memory holds 30,000 tokens unless told otherwise, and drops what is longer."""

from __future__ import annotations

import asyncio
from typing import Any

import common
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.memory import Memory
from llama_index.core.tools import FunctionTool
from llama_index.llms.anthropic import Anthropic
from llama_index.llms.openai import OpenAIResponses
from llama_index.llms.openai_like import OpenAILike

model: Any
if common.FORMAT == "messages":
    model = Anthropic(model="claude-sonnet-4-5", base_url=common.BASE, api_key=common.KEY, max_retries=0)
elif common.FORMAT == "responses":
    model = OpenAIResponses(model="gpt-5", api_base=common.BASE + "/v1", api_key=common.KEY, max_retries=0)
else:
    model = OpenAILike(model=common.MODEL, api_base=common.BASE + "/v1", api_key=common.KEY, is_chat_model=True,
                       is_function_calling_model=True, max_retries=0, context_window=200_000)
agent = FunctionAgent(tools=[FunctionTool.from_defaults(common.get_log)], llm=model, system_prompt=common.SYSTEM,
                      streaming=common.STREAM)


async def converse() -> list[Any]:
    memory = Memory.from_defaults(token_limit=400_000)
    for question in common.QUESTIONS:
        common.answered(await agent.run(question, memory=memory))
    return [message.model_dump() for message in await memory.aget_all()]


common.finish(asyncio.run(converse()))
