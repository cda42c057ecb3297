"""What an address to listen on means on this machine and to others."""

from __future__ import annotations

import pytest

from toolstub_ext.addresses import host_and_port, is_any, is_loopback, url_from_here


@pytest.mark.parametrize(("host", "url", "everywhere", "here_alone"), [
    ("127.0.0.1", "http://127.0.0.1:8788", False, True),
    ("::1", "http://[::1]:8788", False, True),
    ("localhost", "http://localhost:8788", False, True),
    ("0.0.0.0", "http://127.0.0.1:8788", True, False),
    ("::", "http://[::1]:8788", True, False),
    ("192.168.1.5", "http://192.168.1.5:8788", False, False),
    ("proxy.lan", "http://proxy.lan:8788", False, False),
])
def test_a_host(host: str, url: str, everywhere: bool, here_alone: bool) -> None:
    """The URL to ask it at from here, whether it is every address, and whether nobody else can reach it."""
    assert url_from_here(host, 8788) == url
    assert (is_any(host), is_loopback(host)) == (everywhere, here_alone)


@pytest.mark.parametrize(("listen", "parts"), [
    ("127.0.0.1:8788", ("127.0.0.1", 8788)), ("[::1]:0", ("::1", 0)), ("localhost:65535", ("localhost", 65535)),
    ("::1:80", None), ("host:65536", None), (":80", None), ("host:", None), ("a b:1", None), ("host:\uff11", None),
])
def test_an_address_is_a_host_and_a_port(listen: str, parts: tuple[str, int] | None) -> None:
    """An IPv6 host stands in brackets; a port fits 16 bits."""
    assert host_and_port(listen) == parts
