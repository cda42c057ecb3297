"""smolagents: calls are told as text, and results are pasted behind "Observation:"."""

from __future__ import annotations

from typing import Any

import common
from smolagents import OpenAIServerModel, ToolCallingAgent, tool

model = OpenAIServerModel(model_id=common.MODEL, api_base=common.BASE + "/v1", api_key=common.KEY)
agent = ToolCallingAgent(tools=[tool(common.get_log)], model=model, max_steps=6, verbosity_level=0,
                         stream_outputs=common.STREAM)


def converse() -> list[Any]:
    for number, question in enumerate(common.QUESTIONS):
        common.answered(agent.run(question, reset=number == 0))
    return agent.write_memory_to_messages()


common.finish(converse())
