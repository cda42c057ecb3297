"""Requests that mitmproxy hands over to the gateway, and where they were going.

The gateway listens on a port that any program of this machine could address. So where a request goes is not said in
the request: that carries only an unguessable id, good for once, and the address stays in memory.
"""

from __future__ import annotations

import secrets
import ssl
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from aiohttp import web
from yarl import URL

from . import headers
from .trust import trusted
from .upstreams import Route

_MOST = 10_000
"""Ids that may be waiting; of requests that never arrived, the oldest are forgotten."""


class Redirects:
    """The router of a gateway behind mitmproxy. `tls` is asked for each request and its host: options may change."""

    def __init__(self, tls: Callable[[str], ssl.SSLContext | bool]) -> None:
        self._tls = tls
        self._waiting: OrderedDict[str, tuple[URL, str | None]] = OrderedDict()

    def expect(self, url: str, proxy: str | None = None) -> str:
        """The id under which a request for `url`, through a `proxy`, will come."""
        ticket = secrets.token_urlsafe(24)
        self._waiting[ticket] = URL(url, encoded=True), proxy
        if len(self._waiting) > _MOST:
            self._waiting.popitem(last=False)
        return ticket

    def route(self, request: web.BaseRequest) -> Route | None:
        """Where the request was going, or None if nobody handed it over."""
        expected = self._waiting.pop(request.headers.get(headers.TICKET, ""), None)
        if expected is None:
            return None
        url, proxy = expected
        return Route(url, proxy=proxy, tls=self._tls(url.host or "") if url.scheme == "https" else True)


def tls_of(host: str, *, insecure: bool, cafile: str | None, certificates: str | None) -> ssl.SSLContext:
    """Whom to trust and what to show to a host, as mitmproxy's options say it: `certificates` is a file, or a folder
    with one for each host."""
    shown = Path(certificates).expanduser() if certificates else None
    if shown is not None and not shown.is_file():
        shown = shown / f"{host}.pem"
    return trusted(cafile or None, certificate=str(shown) if shown is not None and shown.is_file() else None,
                   alone=bool(cafile), anybody=insecure)
