"""What mitmproxy's modes mean for where a request goes on to."""

from __future__ import annotations

from urllib.parse import quote

from mitmproxy import http
from mitmproxy.proxy.mode_specs import UpstreamMode


def hides_names(flow: http.HTTPFlow) -> bool:
    """Whether this mode knows servers by their IP address alone, so that only a request names them."""
    return flow.client_conn.proxy_mode.type_name in ("transparent", "local", "wireguard", "tun")


def upstream_proxy(flow: http.HTTPFlow, credentials: str | None) -> str | None:
    """The proxy behind mitmproxy through which a flow goes on, with the `USER:PASSWORD` of `upstream_auth`, if any."""
    mode = flow.client_conn.proxy_mode
    if not isinstance(mode, UpstreamMode):
        return None
    host, port = mode.address
    user, _, password = (credentials or "").partition(":")
    who = f"{quote(user, safe='')}:{quote(password, safe='')}@" if credentials else ""
    return f"{mode.scheme}://{who}{f'[{host}]' if ':' in host else host}:{port}"
