"""What lies on a request's way: the running proxy, with what it has seen, and the upstreams behind it."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from toolstub_ext import __version__
from toolstub_ext.addresses import url_from_here
from toolstub_ext.errors import SettingsError
from toolstub_ext.phrases import counted
from toolstub_ext.settings import Settings

from .asking import ask
from .finding import Finding, ill, said, well

Trust = Callable[[], ssl.SSLContext]
_REFUSED = (401, 403)
_SERVER_ERROR = 500
_ADVICE = {
    "upstream answered 401": "check the client's API key",
    "upstream answered 403": "check what the client's API key may do",
    "upstream answered 404": "check the upstream's URL and the model's name",
    "upstream answered 429": "the provider's limit is reached; the client has to slow down",
    "upstream unreachable": "see what is said of the upstream",
    "store failed": "see what is said of the store",
}


def running(host: str, port: int, token: str | None) -> Iterator[Finding]:
    """The proxy itself, and what it has seen since its start."""
    answer = ask(f"{url_from_here(host, port)}/healthz", {"x-toolstub-token": token} if token else {}, direct=True)
    if answer.failure:
        yield ill("proxy", f"none on {host}:{port}: {answer.failure}", "start it: toolstub proxy")
        return
    try:
        told = json.loads(answer.body)
        found = told["version"], told["status"]
    except (ValueError, TypeError, KeyError):
        yield ill("proxy", f"{host}:{port} is taken by another program", "choose another port with --listen HOST:PORT")
        return
    if found[0] != __version__:
        yield ill("proxy", f"it is of version {found[0]}, and this is {__version__}", "start it again")
    if "requests" not in told:
        yield said("proxy", f"{found[1]} on {host}:{port}; what it has seen, it tells only those who know its token",
                   "set TOOLSTUB_TOKEN")
        return
    yield well("proxy", f"{found[1]} on {host}:{port}, for {counted(told['seconds'], 'second')}")
    if str(told["store"]).startswith("unusable"):
        yield ill("proxy", f"its store is {told['store']}", "start it with another --store, or mend the path")
    yield from _traffic(told)


def _traffic(told: dict[str, Any]) -> Iterator[Finding]:
    requests, known = told["requests"], told["of_a_known_format"]
    results: dict[str, int] = told["results"]
    made = {action: number for action, number in results.items() if action != "kept"}
    if not requests:
        yield ill("traffic", "no request has arrived yet", "point a client's base URL at the proxy, and start it anew")
    elif not known:
        yield ill("traffic", f"{counted(requests, 'request')}, and none to a path that is read",
                  "only .../chat/completions, .../responses and .../v1/messages are")
    elif told["without_tools"] == known:
        yield ill("traffic", f"none of {counted(known, 'request')} has tools, so nothing may be stubbed",
                  "results pasted into messages are not looked at; use the client's tool calling")
    elif not results:
        yield said("traffic", f"{counted(known, 'request')}, and no tool result in them yet")
    elif not made:
        yield ill("traffic", f"of {counted(results['kept'], 'tool result')} none became shorter",
                  "toolstub proxy --explain says why, for each")
    else:
        yield well("traffic", f"{counted(known, 'request')}; tool results: "
                              + ", ".join(f"{number:,} {action}" for action, number in sorted(results.items()))
                              + f"; {told['cost_saved']:.0%} of the cost saved")
    for reason, number in sorted(told["failures"].items()):
        finding = ill if reason in _ADVICE or reason.startswith("fault") else said
        yield finding("traffic", f"{counted(number, 'time')}: {reason}", _ADVICE.get(reason, ""))


def upstreams(settings: Settings, environment: Mapping[str, str], trust: Trust) -> Iterator[Finding]:
    """Whether the providers can be reached from here, and take the keys of this shell."""
    openai, anthropic = environment.get("OPENAI_API_KEY"), environment.get("ANTHROPIC_API_KEY")
    shown = {"Authorization": f"Bearer {openai}"} if openai else {}
    yield from _upstream(settings.upstream or settings.openai_upstream, "OPENAI_API_KEY", shown, trust)
    if not settings.upstream and (anthropic or environment.get("ANTHROPIC_BASE_URL")):
        shown = {"x-api-key": anthropic, "anthropic-version": "2023-06-01"} if anthropic else {}
        yield from _upstream(settings.anthropic_upstream, "ANTHROPIC_API_KEY", shown, trust)


def _upstream(base: str, key: str, shown: Mapping[str, str], trust: Trust) -> Iterator[Finding]:
    try:
        tls = trust()
    except SettingsError as error:
        yield ill("upstream", str(error), "correct --ca FILE or --client-cert FILE")
        return
    base = base.rstrip("/")
    answer = ask(base + ("/models" if base.endswith("/v1") else "/v1/models"), shown, tls=tls)
    if answer.failure:
        do = "name the authority that signed it with --ca FILE" if "certificate" in answer.failure else \
            "check the upstream's URL, the network, and HTTPS_PROXY"
        yield ill("upstream", f"{base} cannot be reached: {answer.failure}", do)
    elif answer.status in _REFUSED and shown:
        yield ill("upstream", f"{base} refuses the key in {key} ({answer.status})", f"correct {key}")
    elif answer.status >= _SERVER_ERROR:
        yield ill("upstream", f"{base} answers {answer.status}", "wait, or ask the provider")
    else:
        yield well("upstream", f"{base} can be reached" + ("" if shown else f"; {key} is not set, so no key was tried"))
