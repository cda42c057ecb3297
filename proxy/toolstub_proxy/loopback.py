"""Which web pages are on this machine."""

from __future__ import annotations

from yarl import URL

from toolstub_ext.addresses import is_loopback


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
