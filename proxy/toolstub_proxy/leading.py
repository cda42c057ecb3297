"""What leads a command to the proxy: variables that clients read, and an option for one that reads none.

Nothing is written to the user's files. opencode takes a configuration from a variable, which goes over its files; Codex
takes its base URL from an option alone, which stands before the user's own, so that theirs win.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from toolstub_ext.settings import Settings

from .upstreams import OPENAI

_PROXIES = ("http_proxy", "https_proxy", "all_proxy")
_OPENCODE = "OPENCODE_CONFIG_CONTENT"
_CODEX = "codex"


def upstreams_of(environment: Mapping[str, str]) -> dict[str, str | None]:
    """The upstreams that a command would use in this environment."""
    openai = environment.get("OPENAI_BASE_URL") or environment.get("OPENAI_API_BASE")
    anthropic = environment.get("ANTHROPIC_BASE_URL") or environment.get("ANTHROPIC_API_BASE")
    return {"openai_upstream": openai, "anthropic_upstream": anthropic}


def openai_url(base: str, settings: Settings) -> str:
    """The proxy's URL for clients of OpenAI, with `/v1` where the upstream's is written so."""
    upstream = (settings.upstream or settings.openai_upstream).rstrip("/")
    return base + "/v1" if upstream == OPENAI or upstream.endswith("/v1") else base


def environment_of(given: Mapping[str, str], base: str, settings: Settings) -> dict[str, str]:
    """A command's environment: `given`, with the proxy at `base` for every API."""
    openai, host = openai_url(base, settings), base.removeprefix("http://").partition(":")[0]
    environment = {**given, "OPENAI_BASE_URL": openai, "OPENAI_API_BASE": openai, "ANTHROPIC_BASE_URL": base,
                   "ANTHROPIC_API_BASE": base}
    if (configured := _for_opencode(given.get(_OPENCODE, ""), openai, base)) is not None:
        environment[_OPENCODE] = configured
    if any(environment.get(name) or environment.get(name.upper()) for name in _PROXIES):
        for name in ("no_proxy", "NO_PROXY"):
            environment[name] = ",".join(filter(None, (environment.get(name), host)))
    return environment


def command_of(command: Sequence[str], openai: str) -> list[str]:
    """The command to start: Codex reads no variable for its base URL, and so gets an option."""
    name = PurePath(command[0]).name.lower()
    if name.removesuffix(".exe").removesuffix(".cmd") != _CODEX:
        return [*command]
    return [command[0], "-c", f"openai_base_url={json.dumps(openai)}", *command[1:]]


def _for_opencode(given: str, openai: str, anthropic: str) -> str | None:
    """Its configuration with our base URLs where it has none; None if it is no JSON object, and not ours to change."""
    try:
        configuration = json.loads(given or "{}")
        providers = configuration.setdefault("provider", {})
        for name, url in (("openai", openai), ("anthropic", f"{anthropic}/v1")):
            providers.setdefault(name, {}).setdefault("options", {}).setdefault("baseURL", url)
    except (ValueError, AttributeError):
        return None
    return json.dumps(configuration)
