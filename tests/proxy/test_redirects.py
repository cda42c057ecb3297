"""The gateway behind mitmproxy serves only what was handed over to it, once."""

from __future__ import annotations

import ssl
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import make_mocked_request

from toolstub_ext.settings import Settings
from toolstub_ext.store import Store
from toolstub_proxy import headers
from toolstub_proxy.gateway import Gateway
from toolstub_proxy.redirects import Redirects, tls_of
from toolstub_proxy.upstreams import Route

URL = "https://api.example:8443/v1/chat/completions?a=b%2F"


def _redirects() -> Redirects:
    return Redirects(lambda host: False)


def test_a_ticket_is_good_for_one_request() -> None:
    """And leads where the request was going, with mitmproxy's own trust and proxy."""
    redirects = _redirects()
    request = make_mocked_request("POST", "/", headers={headers.TICKET: redirects.expect(URL, "http://proxy:1")})
    route = redirects.route(request)
    assert isinstance(route, Route)
    assert (str(route.url), route.proxy, route.tls) == (URL, "http://proxy:1", False)
    assert redirects.route(request) is None


def test_tickets_cannot_be_guessed_and_do_not_pile_up() -> None:
    """A request that never comes is forgotten at last."""
    redirects = _redirects()
    first = redirects.expect(URL)
    tickets = {redirects.expect(URL) for _ in range(10_000)}
    assert len(tickets) == 10_000
    assert len(first) >= 32
    assert redirects.route(make_mocked_request("POST", "/", headers={headers.TICKET: first})) is None


async def test_a_stranger_gets_nothing(store: Store) -> None:
    """The port is no open relay."""
    gateway = Gateway(Settings(), store, _redirects(), drain_seconds=0.1)
    port = await gateway.start("127.0.0.1", 0)
    async with aiohttp.ClientSession() as http, http.post(f"http://127.0.0.1:{port}/v1/chat/completions") as answer:
        assert answer.status == 404
    await gateway.stop()


def test_trust_is_made_once() -> None:
    """It takes long, and every request needs it."""
    options: dict[str, Any] = {"insecure": False, "cafile": None, "certificates": None}
    assert tls_of("a.example", **options) is tls_of("b.example", **options)


@pytest.mark.parametrize(("insecure", "mode"), [(False, ssl.CERT_REQUIRED), (True, ssl.CERT_NONE)])
def test_whom_mitmproxy_trusts_the_gateway_trusts(insecure: bool, mode: ssl.VerifyMode) -> None:
    """Anybody, if that is said."""
    tls = tls_of("a.example", insecure=insecure, cafile=None, certificates=None)
    assert (tls.verify_mode, tls.check_hostname) == (mode, not insecure)
