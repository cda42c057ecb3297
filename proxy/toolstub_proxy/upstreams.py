"""Where a request goes on to.

An upstream is written as a client's base URL would be, `/v1` included where the provider has it. What a client appends
to its own base URL is appended to the upstream; a `/v1` that stands in both is not doubled. So with the upstream
`https://host/api/v1` a client may use `http://127.0.0.1:8788/v1` or `http://127.0.0.1:8788` as its base URL.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from functools import partial
from typing import Protocol
from urllib.request import getproxies, proxy_bypass

from aiohttp import web
from yarl import URL

from toolstub_ext.addresses import is_loopback
from toolstub_ext.errors import SettingsError
from toolstub_ext.settings import Settings

from .trust import trusted

OPENAI = "https://api.openai.com"


@dataclass(frozen=True, slots=True)
class Route:
    """An address to send a request to: through which proxy, and trusting whom (False: anybody)."""

    url: URL
    proxy: str | None = None
    tls: ssl.SSLContext | bool = True


class Router(Protocol):
    """Decides where requests go on to."""

    def route(self, request: web.BaseRequest) -> Route | None:
        """Where `request` goes, or None if it has no business here."""
        ...


class Upstreams:
    """The router of a proxy that clients address themselves: Anthropic's paths to one upstream, the rest to another.

    `cafile` holds further authorities to trust, `certificate` one to show, with its key. Raises SettingsError for an
    upstream that is no http(s) URL, and for a file that does not hold what it should.
    """

    def __init__(self, settings: Settings, *, cafile: str | None = None, certificate: str | None = None) -> None:
        self._openai = _checked(settings.upstream or settings.openai_upstream)
        self._anthropic = _checked(settings.upstream or settings.anthropic_upstream)
        self._tls = partial(trusted, cafile, certificate=certificate)
        if cafile is not None or certificate is not None:
            self._tls()

    def route(self, request: web.BaseRequest) -> Route:
        """The upstream of the request's path, which is kept as it was written, query included."""
        path = request.raw_path
        url = URL(joined(self._anthropic if is_anthropic(path) else self._openai, path), encoded=True)
        return Route(url, proxy=proxy_for(url), tls=self._tls() if url.scheme == "https" else True)


def is_anthropic(path: str) -> bool:
    """Whether a path is one of Anthropic's Messages API."""
    steps = path.partition("?")[0].split("/")
    return "messages" in steps[1:3] or steps[1:3] == ["v1", "complete"]


def joined(upstream: str, path: str) -> str:
    """The address of `path` at an upstream."""
    if not path.startswith("/"):
        path = URL(path).raw_path_qs if "://" in path else "/" + path
    if upstream == OPENAI:
        upstream += "/v1"
    if upstream.endswith("/v1") and (path + "/").startswith(("/v1/", "/v1?")):
        path = path.removeprefix("/v1")
    return upstream + path


def proxy_for(url: URL) -> str | None:
    """The proxy that the environment names for an address, with or without `http://`; none for this machine's own."""
    host = url.host or ""
    if is_loopback(host) or proxy_bypass(f"{host}:{url.port}"):
        return None
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def _checked(upstream: str) -> str:
    url = URL(upstream)
    if url.scheme not in ("http", "https") or not url.host or url.query_string or url.fragment:
        raise SettingsError(f"upstream must be an http or https URL without a query, such as {OPENAI}/v1: {upstream}")
    return upstream.rstrip("/")
