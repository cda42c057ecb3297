"""Requests of the doctor's own, with nothing but the standard library."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Mapping
from typing import NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

_SECONDS = 10.0
_MOST_BYTES = 1 << 20


class Answer(NamedTuple):
    """An answer; `failure` says why there was none, and then `status` is 0."""

    status: int
    body: bytes = b""
    failure: str = ""


def ask(url: str, headers: Mapping[str, str], *, tls: ssl.SSLContext | None = None, direct: bool = False) -> Answer:
    """Get something; `direct` is past all proxies of the environment."""
    handlers = [ProxyHandler({})] if direct else []
    opener = build_opener(*handlers, HTTPSHandler(context=tls))
    try:
        with opener.open(Request(url, headers=dict(headers)), timeout=_SECONDS) as answer:  # noqa: S310 - checked
            return Answer(answer.status, answer.read(_MOST_BYTES))
    except HTTPError as error:
        with error:
            return Answer(error.code, error.read(_MOST_BYTES))
    except (URLError, OSError, http.client.HTTPException) as error:
        return Answer(0, failure=_why(getattr(error, "reason", error)))


def _why(reason: object) -> str:
    if isinstance(reason, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({reason.verify_message})"
    if isinstance(reason, ConnectionRefusedError):
        return "connection refused"
    if isinstance(reason, TimeoutError):
        return f"no answer within {_SECONDS:.0f} seconds"
    return (reason.strerror if isinstance(reason, OSError) else None) or str(reason) or type(reason).__name__
