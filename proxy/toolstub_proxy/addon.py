"""The add-on for mitmproxy: it hands LLM requests to the gateway, which runs in the same process.

    mitmdump -s proxy/toolstub_addon.py --mode reverse:https://api.openai.com

mitmproxy does what it is good at (TLS, CONNECT, modes, the flow list); an add-on cannot continue a streamed answer with
a second upstream request, and the gateway can. If anything here fails, the request goes on as it was.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Sequence

from mitmproxy import ctx, exceptions, http
from mitmproxy.addonmanager import Loader
from mitmproxy.connection import Server
from mitmproxy.net.server_spec import parse

from toolstub_ext.errors import SettingsError
from toolstub_ext.presets import PRESETS
from toolstub_ext.settings import Settings, load_settings
from toolstub_ext.store import open_store
from toolstub_ext.wire import wire_for

from . import headers
from .gateway import Gateway
from .redirects import Redirects, tls_of
from .serving import owner_of

log = logging.getLogger(__name__)

_HOST = "127.0.0.1"
_MINE = "toolstub"
_OPTIONS = ("toolstub_config", "toolstub_preset", "toolstub_store", "toolstub_explain")


class ToolstubAddon:
    """Hooks and options. `port` is the gateway's, None as long as there is none."""

    def __init__(self) -> None:
        self.port: int | None = None
        self._settings = Settings()
        self._redirects = Redirects(self._tls, self._upstream_proxy)
        self._gateway: Gateway | None = None
        self._life: asyncio.Task[None] | None = None

    def load(self, loader: Loader) -> None:
        """Declare the options."""
        loader.add_option("toolstub_config", str, "", "toolstub: the settings file, else toolstub.yaml.")
        loader.add_option("toolstub_preset", str, "", f"toolstub: a set of policies: {', '.join(PRESETS)}.")
        loader.add_option("toolstub_store", str, "", "toolstub: where the originals are, a path or sqlite:///PATH.")
        loader.add_option("toolstub_explain", bool, False, "toolstub: log what was done with each result.")

    def configure(self, updated: set[str]) -> None:
        """Check the options. Raises OptionsError, so that mitmproxy refuses a wrong one and keeps what it had."""
        if ctx.options.stream_large_bodies:
            raise _refused("toolstub has to see whole requests: leave stream_large_bodies unset")
        if updated.intersection(_OPTIONS):
            try:
                self._settings = load_settings(
                    ctx.options.toolstub_config or None, preset=ctx.options.toolstub_preset or None,
                    store=ctx.options.toolstub_store or None)
            except SettingsError as error:
                raise _refused(str(error)) from None
            if self._life is not None:
                self.done()
                self.running()

    def running(self) -> None:
        """Start the gateway. Not `async`: mitmproxy would not call it again after a reload of the script."""
        if self._life is None:
            self._life = asyncio.get_running_loop().create_task(self._serve())
            self._life.add_done_callback(_tell_why)

    def done(self) -> None:
        """Stop the gateway."""
        if self._life is not None:
            self._life.cancel()
        self._gateway = self._life = self.port = None

    def requestheaders(self, flow: http.HTTPFlow) -> None:
        """Keep a request whole that may have to be rewritten."""
        if _is_for_us(flow):
            flow.request.stream = False

    def request(self, flow: http.HTTPFlow) -> None:
        """Send an LLM request to the gateway in place of its server."""
        if flow.response or flow.error or not flow.live or self.port is None or not _is_for_us(flow):
            return
        if self._gateway is None or not self._gateway.serving:
            log.warning("toolstub: the gateway is down, %s goes on untouched", flow.request.path)
            return
        url = flow.request.pretty_url if _hides_names(flow) else flow.request.url
        ticket = self._redirects.expect(url)
        flow.metadata[_MINE] = url
        if flow.server_conn.timestamp_start or flow.server_conn.via:
            flow.server_conn = Server(address=(_HOST, self.port))
        host = flow.request.host_header
        flow.request.scheme, flow.request.host, flow.request.port = "http", _HOST, self.port
        flow.request.host_header = host
        flow.request.headers[headers.TICKET] = ticket

    def responseheaders(self, flow: http.HTTPFlow) -> None:
        """Let streams through as they come."""
        if flow.response is not None and headers.is_event_stream(flow.response.headers):
            flow.response.stream = True

    async def _serve(self) -> None:
        """The life of one gateway. It ends by being cancelled, which mitmproxy does as well when it exits."""
        with open_store(self._settings.store, eager=False) as store:
            gateway = Gateway(self._settings, store, self._redirects, owner_of=owner_of(self._settings),
                              explain=ctx.options.toolstub_explain, drain_seconds=1.0)
            try:
                self.port = await gateway.start(_HOST, 0)
                self._gateway = gateway
                log.info("toolstub: at work")
                await asyncio.get_running_loop().create_future()
            finally:
                await gateway.stop()

    def _tls(self) -> ssl.SSLContext | bool:
        return tls_of(ctx.options.ssl_insecure, ctx.options.ssl_verify_upstream_trusted_ca)

    def _upstream_proxy(self) -> str | None:
        modes: Sequence[str] = ctx.options.mode
        for mode in modes:
            kind, _, target = mode.partition(":")
            if kind == "upstream":
                scheme, (host, port) = parse(target.partition("@")[0], "http")
                return f"{scheme}://{host}:{port}"
        return None


def _tell_why(life: asyncio.Task[None]) -> None:
    if not life.cancelled() and (error := life.exception()) is not None:
        log.error("toolstub does nothing, requests go on untouched: %s", error)


def _hides_names(flow: http.HTTPFlow) -> bool:
    """Whether this mode of mitmproxy knows servers by their IP address alone, so that only a request names them."""
    return flow.client_conn.proxy_mode.type_name in ("transparent", "local", "wireguard")


def _refused(message: str) -> exceptions.OptionsError:
    return exceptions.OptionsError(message)  # type: ignore[no-untyped-call]


def _is_for_us(flow: http.HTTPFlow) -> bool:
    request = flow.request
    return request.method == "POST" and wire_for(request.path) is not None and headers.is_json(request.headers)
