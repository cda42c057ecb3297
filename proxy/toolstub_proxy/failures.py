"""Why something failed, in one line that is true and says what to do, and in the constant words that are counted."""

from __future__ import annotations

import os
import ssl

from aiohttp import (
    ClientConnectionResetError,
    ClientConnectorCertificateError,
    ClientConnectorDNSError,
    ClientConnectorError,
    ClientHttpProxyError,
    ClientOSError,
    ClientPayloadError,
    ClientProxyConnectionError,
    ClientResponseError,
    ServerDisconnectedError,
)
from yarl import URL

UNREACHABLE = "upstream unreachable"
BROKE_OFF = "upstream broke off"
LATER_ROUND = "upstream failed in a later round"
STORE_FAILED = "store failed"
ENDING = "refused: ending"
CUT_OFF = "cut off at the end"
_REACHED = (ClientOSError, ClientConnectionResetError, ServerDisconnectedError, ClientPayloadError, ClientResponseError)


def told(error: Exception, upstream: URL, proxy: str | None = None) -> str:
    """What a client is told whose request led to no answer of `upstream`, or to none that was whole."""
    what = "cannot reach" if is_unreachable(error) or not _is_usable(proxy) else "no whole answer from"
    return f"{what} {upstream}: {why(error, proxy)}"


def is_unreachable(error: Exception) -> bool:
    """Whether the upstream was never reached; otherwise it may have done what it was asked."""
    if isinstance(error, ClientConnectorError | ClientHttpProxyError):
        return True
    return not isinstance(error, _REACHED)


def why(error: Exception, proxy: str | None = None) -> str:
    """What kept a request from its upstream, from the `proxy` in front of that, or from a whole answer."""
    match error:
        case _ if not _is_usable(proxy):
            return (f"the proxy {_without_password(proxy)} is no HTTP proxy, and no other can be used; set HTTPS_PROXY "
                    "(HTTP_PROXY for http) to one, or NO_PROXY to hosts that need none")
        case _ if is_unreachable(error):
            return _unreached(error, proxy)
        case ServerDisconnectedError():
            return "it closed the connection without an answer"
        case ClientPayloadError():
            return "it broke off in the middle"
        case ClientResponseError():
            return "what it sent is not HTTP/1.1"
        case OSError():
            return _of_system(error)
    return str(error) or type(error).__name__


def _unreached(error: Exception, proxy: str | None) -> str:
    match error:
        case ClientConnectorCertificateError():
            return _untrusted(error.certificate_error)
        case ClientProxyConnectionError():
            return f"the proxy {_without_password(proxy)} cannot be reached: {_of_system(error.os_error)}"
        case ClientHttpProxyError():
            return f"the proxy {_without_password(proxy)} answered {error.status} {error.message}".rstrip()
        case ClientConnectorDNSError():
            return f"there is no host {error.host}, or no name server answers"
        case ClientConnectorError():
            return _of_system(error.os_error)
        case TimeoutError():
            return "no connection within 30 seconds"
    return str(error) or type(error).__name__


def _untrusted(error: Exception) -> str:
    said = getattr(error, "verify_message", "") if isinstance(error, ssl.SSLCertVerificationError) else ""
    return f"its certificate is not trusted ({said or error}); name the authority that signed it with --ca FILE"


def _of_system(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return f"no TLS with it: {(error.reason or str(error)).lower().replace('_', ' ')}"
    if error.errno:
        return os.strerror(error.errno).lower()
    return error.strerror or str(error) or type(error).__name__


def _is_usable(proxy: str | None) -> bool:
    """Whether it is none, or one that HTTP is spoken with."""
    if proxy is None:
        return True
    url = _url_of(proxy)
    return url is not None and url.scheme in ("http", "https") and bool(url.host)


def _without_password(proxy: str | None) -> str:
    url = _url_of(proxy or "")
    return str(url.with_user(None)) if url is not None and url.host else "of the environment"


def _url_of(proxy: str) -> URL | None:
    try:
        return URL(proxy)
    except ValueError:
        return None
