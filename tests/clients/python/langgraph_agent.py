"""A graph of langgraph: a model, its tools, and a memory of the thread."""

from __future__ import annotations

from typing import Any

import common
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import SystemMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

tools = [tool(common.get_log)]
model: Any
if common.FORMAT == "messages":
    model = ChatAnthropic(model=common.MODEL, base_url=common.BASE, api_key=common.KEY, max_retries=0, max_tokens=2000)
else:
    model = ChatOpenAI(model=common.MODEL, base_url=common.BASE + "/v1", api_key=common.KEY, max_retries=0,
                       use_responses_api=common.FORMAT == "responses")
model = model.bind_tools(tools)


def think(state: MessagesState) -> dict[str, Any]:
    """The node of the model."""
    return {"messages": [model.invoke([SystemMessage(common.SYSTEM), *state["messages"]])]}


builder = StateGraph(MessagesState)
builder.add_node("think", think)
builder.add_node("tools", ToolNode(tools))
builder.add_edge(START, "think")
builder.add_conditional_edges("think", tools_condition)
builder.add_edge("tools", "think")
graph = builder.compile(checkpointer=MemorySaver())
thread: Any = {"configurable": {"thread_id": "one"}}


def converse() -> list[Any]:
    for question in common.QUESTIONS:
        given: Any = {"messages": [{"role": "user", "content": question}]}
        if common.STREAM:  # token by token: the models stream because the graph does
            for _ in graph.stream(given, thread, stream_mode="messages"):
                pass
        else:
            graph.invoke(given, thread)
        messages = graph.get_state(thread).values["messages"]
        common.answered(messages[-1].text)
    return [message.model_dump() for message in messages]


common.finish(converse())
