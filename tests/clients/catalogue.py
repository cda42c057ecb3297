"""The clients, what each is installed from, and how each is tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

CHAT, RESPONSES, MESSAGES = "chat", "responses", "messages"
SHELL = "RUN=cat {}.log;"
FORMATS = (CHAT, RESPONSES, MESSAGES)
BEHIND_MITMPROXY = ("openai", "anthropic", "openai-agents", "langchain")
OBSERVED = {"TOOLSTUB_PASTED__MARKERS": "Observation:", "TOOLSTUB_PASTED__ENDS": "New task:"}


@dataclass(frozen=True)
class Trial:
    """One way in which a client is tried, through the proxy or through a mitmdump in `mode`."""

    client: Client
    format: str
    streamed: bool
    variant: str = ""
    mode: str = ""
    mitmdump: Path | None = None


@dataclass(frozen=True)
class Command:
    """How a program is asked: at first, and to go on. The question is the last argument.

    Without `following` it is asked once. `variables` are what a user would have set besides. `unstreamed` are the
    arguments by which it does not stream, behind its name.
    """

    first: tuple[str, ...]
    following: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    unstreamed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Client:
    """A client: its packages with the versions that were run, and its script, or how the program is asked.

    `settings` are those of the proxy, as variables. `call` are the words by which a question names a log.
    """

    name: str
    packages: tuple[str, ...]
    script: str = ""
    formats: tuple[str, ...] = FORMATS
    modes: tuple[bool, ...] = (False, True)
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    python: tuple[int, int] | None = None
    """The newest Python it can be installed for."""
    settings: Mapping[str, str] = field(default_factory=dict)
    call: str = "SERVICE={}"
    lines: int = 900
    tools: bool = True
    commands: Mapping[str, Command] = field(default_factory=dict)

    @property
    def node(self) -> bool:
        """Whether it comes from npm."""
        return "==" not in self.packages[0]

    @property
    def trials(self) -> list[Trial]:
        """All ways in which it is tried."""
        return [Trial(self, form, mode, variant) for form in self.formats for variant in self.variants.get(form, ("",))
                for mode in self.modes]

    def behind(self, mitmdump: Path) -> list[Trial]:
        """The same through a mitmdump, in the modes people use; for the clients that are tried so."""
        if self.name not in BEHIND_MITMPROXY:
            return []
        return [replace(one, mode=mode, mitmdump=mitmdump) for mode in ("reverse", "regular") for one in self.trials]


_KEYS = {"OPENAI_API_KEY": "any-key", "ANTHROPIC_API_KEY": "any-key"}
_CODEX = ("codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-m", "gpt-5")
_CLAUDE = ("claude", "-p", "--allowedTools", "Bash", "--model", "claude-sonnet-4-5")
_OPENCODE = ("opencode", "run", "--auto")
_OTHER = """{"provider": {"other": {"npm": "@ai-sdk/openai-compatible", "models": {"stand-in": {}},
            "options": {"baseURL": "{env:OPENAI_BASE_URL}", "apiKey": "any-key"}}}}"""
_QWEN = ("qwen", "-y", "--auth-type")
_AIDER = ("aider", "--no-git", "--yes-always", "--no-check-update", "--no-show-model-warnings", "--no-analytics",
          "--read", "alpha.log", "--model")
_MINI = ("mini", "-y", "--exit-immediately", "-m")
_MINIS = {"MSWEA_CONFIGURED": "true", "MSWEA_COST_TRACKING": "ignore_errors", **_KEYS}


def _asked(*first: str, go_on: tuple[str, ...] = (), **variables: str) -> Command:
    """A program that takes the same arguments each time, and more to go on."""
    return Command(first, (*first, *go_on) if go_on else (), {**_KEYS, **variables})


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
    Client("codex", ("@openai/codex@0.171.0",), formats=(RESPONSES,), modes=(True,), call=SHELL, lines=130, commands={
        RESPONSES: _asked(*_CODEX, go_on=("resume", "--last"), CODEX_API_KEY="any-key"),
    }),
    Client("claude-code", ("@anthropic-ai/claude-code@2.1.197",), formats=(MESSAGES,), modes=(True,), call=SHELL,
           lines=300, commands={MESSAGES: _asked(*_CLAUDE, go_on=("--continue",))}),
    Client("opencode", ("opencode-ai@1.18.33",), modes=(True,), call=SHELL, lines=300, commands={
        CHAT: _asked(*_OPENCODE, "-m", "other/stand-in", go_on=("--continue",), OPENCODE_CONFIG_CONTENT=_OTHER),
        RESPONSES: _asked(*_OPENCODE, "-m", "openai/gpt-5", go_on=("--continue",)),
        MESSAGES: _asked(*_OPENCODE, "-m", "anthropic/claude-sonnet-4-5", go_on=("--continue",)),
    }),
    Client("qwen-code", ("@qwen-code/qwen-code@0.15.10",), formats=(CHAT, MESSAGES), modes=(True,), call=SHELL,
           lines=60, settings={"TOOLSTUB_EXTERNALIZE__THRESHOLD_CHARS": "2000"}, commands={  # it cuts at 4,000 itself
        CHAT: _asked(*_QWEN, "openai", go_on=("--continue",), OPENAI_MODEL="stand-in"),
        MESSAGES: _asked(*_QWEN, "anthropic", go_on=("--continue",), ANTHROPIC_MODEL="claude-sonnet-4-5",
                         QWEN_CODE_MAX_OUTPUT_TOKENS="64000"),  # it thinks for more than it allows itself otherwise
    }),
    Client("aider", ("aider-chat==0.86.2",), formats=(CHAT, MESSAGES), python=(3, 12), tools=False, commands={
        form: Command((*_AIDER, model, "--message"), (*_AIDER, model, "--restore-chat-history", "--message"), _KEYS,
                      ("--no-stream",))
        for form, model in ((CHAT, "openai/gpt-4o"), (MESSAGES, "anthropic/claude-sonnet-4-5"))
    }),
    Client("mini-swe-agent", ("mini-swe-agent==2.4.6",), modes=(False,), call=SHELL, lines=130, commands={
        CHAT: Command((*_MINI, "openai/stand-in", "-t"), variables=_MINIS),
        RESPONSES: Command((*_MINI, "openai/stand-in", "--model-class", "litellm_response", "-t"), variables=_MINIS),
        MESSAGES: Command((*_MINI, "anthropic/claude-sonnet-4-5", "-t"), variables=_MINIS),
    }),
)
