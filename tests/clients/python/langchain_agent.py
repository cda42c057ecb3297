"""langchain's agent, with its models for the three formats."""

from __future__ import annotations

from typing import Any

import common
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

model: Any
if common.FORMAT == "messages":
    model = ChatAnthropic(model=common.MODEL, base_url=common.BASE, api_key=common.KEY, max_retries=0, max_tokens=2000,
                          streaming=common.STREAM)
else:
    model = ChatOpenAI(model=common.MODEL, base_url=common.BASE + "/v1", api_key=common.KEY, max_retries=0,
                       streaming=common.STREAM, use_responses_api=common.FORMAT == "responses")
agent = create_agent(model, [tool(common.get_log)], system_prompt=common.SYSTEM)


def converse() -> list[Any]:
    messages: list[Any] = []
    for question in common.QUESTIONS:
        messages.append({"role": "user", "content": question})
        if common.STREAM:
            for state in agent.stream({"messages": messages}, stream_mode="values"):
                after = state["messages"]
            messages = after
        else:
            messages = agent.invoke({"messages": messages})["messages"]
        common.answered(messages[-1].text)
    return [message.model_dump() for message in messages]


common.finish(converse())
