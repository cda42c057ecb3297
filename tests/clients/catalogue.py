"""The clients, what each is installed from, and how each is tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

CHAT, RESPONSES, MESSAGES = "chat", "responses", "messages"
FORMATS = (CHAT, RESPONSES, MESSAGES)
OBSERVED = {"TOOLSTUB_PASTED__MARKERS": "Observation:", "TOOLSTUB_PASTED__ENDS": "New task:"}


@dataclass(frozen=True)
class Trial:
    """One way in which a client is tried."""

    client: Client
    format: str
    streamed: bool
    variant: str = ""
    through: str = "proxy"


@dataclass(frozen=True)
class Client:
    """A client: its packages with the versions that were run, and its script or how it is called.

    `settings` are those of the proxy, as variables. `call` are the words by which a question names a log.
    """

    name: str
    packages: tuple[str, ...]
    script: str
    formats: tuple[str, ...] = FORMATS
    modes: tuple[bool, ...] = (False, True)
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    python: tuple[int, int] | None = None
    """The newest Python it can be installed for."""
    settings: Mapping[str, str] = field(default_factory=dict)
    call: str = "SERVICE={}"
    lines: int = 900
    tools: bool = True

    @property
    def node(self) -> bool:
        """Whether it comes from npm."""
        return self.script.endswith(".mjs")

    @property
    def trials(self) -> list[Trial]:
        """All ways in which it is tried."""
        return [Trial(self, form, mode, variant) for form in self.formats for variant in self.variants.get(form, ("",))
                for mode in self.modes]


_LANGCHAIN = ("langchain-openai==1.7.4", "langchain-anthropic==1.7.10")
CLIENTS = (
    Client("openai", ("openai==3.57.0",), "openai_sdk.py", (CHAT, RESPONSES), variants={RESPONSES: ("", "kept")}),
    Client("anthropic", ("anthropic==2.14.0",), "anthropic_sdk.py", (MESSAGES,), variants={MESSAGES: ("", "thinking")}),
    Client("openai-agents", ("openai-agents==0.24.0", "openai==3.57.0"), "openai_agents.py", (CHAT, RESPONSES)),
    Client("langchain", ("langchain==1.5.2", *_LANGCHAIN), "langchain_agent.py"),
    Client("langgraph", ("langgraph==1.2.24", *_LANGCHAIN), "langgraph_agent.py"),
    Client("pydantic-ai", ("pydantic-ai-slim[openai,anthropic]==2.68.0",), "pydantic_agent.py"),
    Client("smolagents", ("smolagents[openai]==1.26.0",), "smolagents_agent.py", (CHAT,), settings=OBSERVED),
    Client("litellm", ("litellm==1.110.2",), "litellm_sdk.py"),
    Client("llama-index", ("llama-index-core==0.14.25", "llama-index-llms-openai==0.8.3",
                           "llama-index-llms-openai-like==0.8.1", "llama-index-llms-anthropic==0.12.3",
                           "anthropic==0.125.0"),  # its Anthropic model cannot work with a newer one
           "llamaindex_agent.py"),
    Client("openai-node", ("openai@6.49.0",), "openai_sdk.mjs", (CHAT, RESPONSES)),
    Client("anthropic-node", ("@anthropic-ai/sdk@1.14.0",), "anthropic_sdk.mjs", (MESSAGES,)),
    Client("ai", ("ai@6.0.326", "@ai-sdk/openai@3.0.141", "@ai-sdk/anthropic@3.0.140",
                  "@ai-sdk/openai-compatible@2.0.92", "zod@4.6.7"), "vercel_ai.mjs",
           variants={CHAT: ("", "compatible")}),
    Client("openai-agents-node", ("@openai/agents@0.20.0", "openai@7.59.0", "zod@4.6.7"), "openai_agents.mjs",
           (CHAT, RESPONSES)),
)
