"""Which hosts are providers of models, so that a proxy for all traffic need look into no other."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address

PROVIDERS = (
    "api.openai.com", "chatgpt.com", "*.openai.azure.com", "*.cognitiveservices.azure.com", "*.services.ai.azure.com",
    "api.anthropic.com", "openrouter.ai", "generativelanguage.googleapis.com", "*.aiplatform.googleapis.com",
    "api.mistral.ai", "api.deepseek.com", "api.groq.com", "api.x.ai", "api.together.xyz", "api.together.ai",
    "api.fireworks.ai", "api.cerebras.ai", "api.perplexity.ai", "api.cohere.com", "api.moonshot.ai", "api.moonshot.cn",
    "api.z.ai", "open.bigmodel.cn", "dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "api.githubcopilot.com",
    "*.githubcopilot.com", "models.github.ai", "router.huggingface.co", "api.kimi.com", "api.minimax.io",
)
"""Hosts at which one of the wire formats is spoken. `*.` stands for any names in front."""


def is_wanted(host: str, wanted: Iterable[str]) -> bool:
    """Whether a host is one of those, or on this machine or its network; `*` is any."""
    name = host.strip("[]").rstrip(".").lower()
    return is_near(name) or any(_fits(name, pattern.strip().lower()) for pattern in wanted)


def is_near(host: str) -> bool:
    """Whether a host is on this machine or in its network, as models that people run themselves are."""
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".internal", ".lan"))
    return address.is_private


def _fits(host: str, pattern: str) -> bool:
    return pattern in ("*", host) or (pattern.startswith("*.") and host.endswith(pattern[1:]))
