"""Which requests come from web pages that have no business on this machine."""

from __future__ import annotations

from collections.abc import Mapping

from yarl import URL

from toolstub_ext.addresses import is_loopback

_LOCAL_NAMES = (".localhost", ".internal", ".local", ".lan", ".home.arpa", ".test")
"""Names that nobody can register, so that no web site can make one of them its own: `host.docker.internal`, say."""


def is_foreign(origin: str | None) -> bool:
    """Whether an `Origin` is a web page's of some other site, which must not reach what is on this machine.

    Pages of this machine may, and applications with a scheme of their own (`vscode-webview:`). `null` is anybody's.
    """
    if origin is None:
        return False
    try:
        url = URL(origin)
    except ValueError:
        return True
    return origin == "null" or (url.scheme in ("http", "https") and not is_loopback(url.host or ""))


def is_from_a_web_page(headers: Mapping[str, str]) -> bool:
    """Whether a browser sent this for a page of some other site.

    A page can neither leave out nor change `Origin` and `Sec-Fetch-Site`; one that loads an image or a script sends the
    latter alone. Desktop applications built on Electron load their pages from files, whose origin may be `null`.
    """
    origin = headers.get("origin")
    if origin == "null" and " Electron/" in headers.get("user-agent", ""):
        return False
    if origin is None:
        return headers.get("sec-fetch-site", "").lower() == "cross-site"
    return is_foreign(origin)


def is_rebound(host: str | None) -> bool:
    """Whether a `Host` is a name that a web site may have pointed at this machine, to pass for its own server.

    Addresses cannot be pointed anywhere, nor can names without a dot and those of local networks.
    """
    if host is None:
        return False
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    name = name.strip("[]").rstrip(".").lower()
    is_address = ":" in name or name.replace(".", "").isdigit()
    return not (is_address or "." not in name or is_loopback(name) or name.endswith(_LOCAL_NAMES))
