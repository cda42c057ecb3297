"""The hooks of the add-on, as mitmproxy calls them."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mitmproxy import exceptions, http
from mitmproxy.addons.proxyserver import Proxyserver
from mitmproxy.connection import Server
from mitmproxy.proxy.mode_specs import ProxyMode
from mitmproxy.test import taddons, tflow, tutils

from toolstub_proxy import headers
from toolstub_proxy.addon import ToolstubAddon, upstream_proxy

PATH = b"/v1/chat/completions?a=b"


@pytest.fixture
async def addon() -> AsyncIterator[ToolstubAddon]:
    """An add-on whose gateway is said to listen on port 1234."""
    made = ToolstubAddon()
    with taddons.context(Proxyserver(), made, loadcore=True):
        made.ports = (1234,)
        made._gateway = SimpleNamespace(serving=True)  # type: ignore[assignment]
        yield made


def _flow(path: bytes = PATH, method: bytes = b"POST", kind: bytes = b"application/json") -> http.HTTPFlow:
    request = tutils.treq(method=method, path=path, content=b"{}", host="api.example", port=8443, scheme=b"https",
                          headers=http.Headers(((b"host", b"api.example"), (b"content-type", kind))))
    return tflow.tflow(req=request)


async def test_an_llm_request_goes_to_the_gateway(addon: ToolstubAddon) -> None:
    """With nothing but an id that leads to where it was going; its path and host stay for the eye."""
    flow = _flow()
    flow.server_conn = Server(address=("api.example", 8443), timestamp_start=1.0)
    addon.requestheaders(flow)
    addon.request(flow)
    assert (flow.request.scheme, flow.request.host, flow.request.port) == ("http", "127.0.0.1", 1234)
    assert (flow.request.path, flow.request.host_header) == (PATH.decode(), "api.example")
    assert flow.server_conn.address == ("127.0.0.1", 1234)
    request = SimpleNamespace(headers={headers.TICKET: flow.request.headers[headers.TICKET]})
    route = addon._redirects.route(request)  # type: ignore[arg-type]
    assert route is not None
    assert str(route.url) == "https://api.example:8443/v1/chat/completions?a=b"
    assert "api.example" not in flow.request.headers[headers.TICKET]


@pytest.mark.parametrize("path", [b"/v1/messages?beta=true", b"/v1/responses", b"/backend-api/codex/responses"])
async def test_every_format_goes_to_the_gateway(addon: ToolstubAddon, path: bytes) -> None:
    """Chat, Responses and Messages alike."""
    flow = _flow(path)
    addon.request(flow)
    assert (flow.request.host, flow.request.path.encode()) == ("127.0.0.1", path)


@pytest.mark.parametrize("flow", [
    _flow(b"/v1/models"), _flow(method=b"GET"), _flow(kind=b"text/plain"), _flow(b"/v1/chat/completions/x"),
])
async def test_everything_else_stays_mitmproxys(addon: ToolstubAddon, flow: http.HTTPFlow) -> None:
    """Untouched."""
    before = flow.request.copy()
    addon.requestheaders(flow)
    addon.request(flow)
    assert flow.request.data == before.data


async def test_without_a_gateway_a_request_goes_on_as_it_is(addon: ToolstubAddon) -> None:
    """Not yet started, or dead: nothing is saved, and nothing fails."""
    for ports, serving in (((), True), ((1234,), False)):
        addon.ports = ports
        addon._gateway = SimpleNamespace(serving=serving)  # type: ignore[assignment]
        flow = _flow()
        addon.request(flow)
        assert flow.request.host == "api.example"


async def test_a_flow_that_is_answered_already_is_left_alone(addon: ToolstubAddon) -> None:
    """Another add-on was faster."""
    flow = _flow()
    flow.response = http.Response.make(200)
    addon.request(flow)
    assert flow.request.host == "api.example"


@pytest.mark.parametrize(("kind", "streamed"), [
    ("text/event-stream; charset=utf-8", True), ("application/json", False),
])
async def test_event_streams_are_not_collected(addon: ToolstubAddon, kind: str, streamed: bool) -> None:
    """By default mitmproxy waits for the end of an answer."""
    flow = _flow()
    flow.response = http.Response.make(200, b"", {"Content-Type": kind})
    addon.responseheaders(flow)
    assert bool(flow.response.stream) is streamed


@pytest.mark.parametrize(("option", "value", "says"), [
    ("stream_large_bodies", "1k", "stream_large_bodies"), ("toolstub_preset", "nope", "nope"),
    ("toolstub_config", "/does/not/exist.yaml", "exist.yaml"), ("toolstub_access_log", "/no/such/x", "/no/such/x"),
    ("toolstub_config", "counter.yaml", "no.such:count cannot be imported"),
])
async def test_a_wrong_option_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, value: str,
                                         says: str) -> None:
    """So mitmproxy keeps what it had, and says why."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counter.yaml").write_text("clear: {token_counter: 'no.such:count'}\n")
    made = ToolstubAddon()
    refused = pytest.raises(exceptions.OptionsError, match=says)
    with taddons.context(Proxyserver(), made, loadcore=True) as mitm, refused:
        mitm.configure(made, **{option: value})


async def test_the_gateway_trusts_whom_mitmproxy_trusts() -> None:
    """Its calls bypass mitmproxy, so they must not bypass its options."""
    made = ToolstubAddon()
    with taddons.context(Proxyserver(), made, loadcore=True) as context:
        assert made._tls("a.example").verify_mode is ssl.CERT_REQUIRED
        context.options.update(ssl_insecure=True)
        assert made._tls("a.example").verify_mode is ssl.CERT_NONE


async def test_a_gateway_lives_from_running_to_done() -> None:
    """And again after a reload of the script; both hooks are plain functions, as a reload requires."""
    made = ToolstubAddon()
    with taddons.context(Proxyserver(), made, loadcore=True):
        for _ in range(2):
            made.running()
            life = made._life
            assert life is not None
            while not made.ports:
                await _tick()
            (port, *others), before = made.ports, asyncio.all_tasks() - {life}
            assert len({port, *others}) == 16
            made.done()
            assert made.ports == ()
            while not life.done():
                await _tick()
            assert asyncio.all_tasks() <= before
            for closed in (port, *others):
                with pytest.raises(OSError):
                    await asyncio.open_connection("127.0.0.1", closed)


@pytest.mark.parametrize(("mode", "credentials", "proxy"), [
    ("regular", None, None), ("reverse:https://api.example", None, None),
    ("upstream:http://proxy:3128", None, "http://proxy:3128"),
    ("upstream:https://proxy:3128", "me:p@ss", "https://me:p%40ss@proxy:3128"),
])
def test_the_gateway_goes_on_through_the_proxy_that_mitmproxy_would(
    mode: str, credentials: str | None, proxy: str | None,
) -> None:
    """By the mode of the port at which the client came."""
    flow = _flow()
    flow.client_conn.proxy_mode = ProxyMode.parse(mode)
    assert upstream_proxy(flow, credentials) == proxy


async def test_a_request_is_shown_as_the_client_meant_it(addon: ToolstubAddon) -> None:
    """Where it went in between is nobody's concern, and a replay must not go there."""
    flow = _flow()
    addon.request(flow)
    flow.response = http.Response.make(200)
    addon.responseheaders(flow)
    assert flow.request.url == "https://api.example:8443" + PATH.decode()
    assert flow.request.host_header == "api.example"
    assert headers.TICKET not in flow.request.headers
    assert addon._flows == {}


async def test_a_gateway_that_was_killed_is_started_again(tmp_path: Path) -> None:
    """The request that finds it dead goes on untouched."""
    made = ToolstubAddon()
    with taddons.context(Proxyserver(), made, loadcore=True) as mitm:
        mitm.configure(made, toolstub_store=str(tmp_path / "store.db"))
        made.running()
        while not made.ports:
            await _tick()
        killed = made._life
        assert killed is not None
        killed.cancel()
        while not killed.done():
            await _tick()
        flow = _flow()
        made.request(flow)
        assert flow.request.host == "api.example"
        while not made.ports:
            await _tick()
        made.request(flow)
        assert flow.request.host == "127.0.0.1"
        made.done()


@pytest.mark.parametrize(("mode", "host", "options", "ignored"), [
    ("regular", "api.openai.com", {}, False), ("regular", "bank.example", {}, True),
    ("regular", "me.openai.azure.com", {}, False), ("regular", "openai.azure.com.evil.example", {}, True),
    ("regular", "127.0.0.1", {}, False), ("regular", "192.168.1.5", {}, False), ("regular", "8.8.8.8", {}, True),
    ("regular", "bank.example", {"toolstub_hosts": ["*"]}, False),
    ("regular", "llm.example", {"toolstub_hosts": ["*.example"]}, False),
    ("regular", "bank.example", {"allow_hosts": ["bank"]}, False),
    ("reverse:https://bank.example", "bank.example", {}, False),
    ("transparent", "bank.example", {}, True), ("upstream:http://proxy:1", "bank.example", {}, True),
])
async def test_only_hosts_of_models_are_decrypted(mode: str, host: str, options: dict[str, Any], ignored: bool) -> None:
    """Where all of a machine's traffic comes by; whoever says more is obeyed."""
    made = ToolstubAddon()
    with taddons.context(Proxyserver(), made, loadcore=True) as mitm:
        mitm.configure(made, **options)
        client = tflow.tclient_conn()
        client.proxy_mode = ProxyMode.parse(mode)
        data = SimpleNamespace(context=SimpleNamespace(client=client, server=Server(address=(host, 443))),
                               client_hello=SimpleNamespace(sni=host), ignore_connection=False)
        made.tls_clienthello(data)  # type: ignore[arg-type]
        assert data.ignore_connection is ignored


async def _tick() -> None:
    await asyncio.sleep(0.01)
