"""Who may use a proxy that clients address themselves.

A proxy for this machine is for everyone on it but the pages of web sites. One that others can reach asks for its token,
which a client gives apart from its API key, since that is the provider's: in the header `x-toolstub-token`, or as the
beginning of its base URL, `http://HOST:8788/toolstub-token/TOKEN/v1`. The token never goes upstream, nor into a log.
"""

from __future__ import annotations

from hmac import compare_digest

from aiohttp import web
from yarl import URL

from . import headers
from .loopback import is_from_a_web_page, is_rebound

PREFIX = "/toolstub-token/"
"""Where a path begins with this, the token follows, and after the next slash the path that is meant."""


class Refused(Exception):
    """A request that may not go on: the status it gets, and the provider's word for that kind of error."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


class Admission:
    """Checks requests. `token` is what they have to show, if anything; `here` says that only this machine can come."""

    def __init__(self, token: str | None = None, *, here: bool = True) -> None:
        self._token = token
        self._here = here

    def opened(self, request: web.Request) -> tuple[web.Request, str]:
        """The request without the token in its path, if that has one, and the token that it shows."""
        if not request.raw_path.startswith(PREFIX):
            return request, request.headers.get(headers.TOKEN, "")
        given, slash, path = request.raw_path.removeprefix(PREFIX).partition("/")
        return request.clone(rel_url=URL(slash + path or "/", encoded=True)), given

    def admit(self, request: web.BaseRequest, given: str) -> None:
        """Let a request with this token go on, or raise Refused."""
        if is_from_a_web_page(request.headers):
            raise Refused(403, "permission_error", "requests from web pages are refused")
        if self._here and is_rebound(request.headers.get("host")):
            raise Refused(403, "permission_error", f"this proxy is for this machine, and not called {request.host}; "
                                                   "address it as 127.0.0.1 or localhost")
        if wrong := self.wrong(given):
            raise Refused(401, "authentication_error", f"the proxy's token {wrong}: give it in the header "
                                                       f"{headers.TOKEN}, or as {PREFIX}TOKEN in the base URL")

    def wrong(self, given: str) -> str:
        """What is wrong with a token; nothing if it is the proxy's, or the proxy has none."""
        if self._token is None or _same(given, self._token):
            return ""
        return "is wrong" if given else "is missing"


def _same(one: str, other: str) -> bool:
    return compare_digest(one.encode("utf-8", "surrogateescape"), other.encode("utf-8", "surrogateescape"))
