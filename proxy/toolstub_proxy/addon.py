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
from itertools import count
from urllib.parse import quote

from aiohttp import web
from mitmproxy import ctx, exceptions, http
from mitmproxy.addonmanager import Loader
from mitmproxy.connection import Server
from mitmproxy.proxy.mode_specs import UpstreamMode
from mitmproxy.tls import ClientHelloData

from toolstub_ext.errors import SettingsError
from toolstub_ext.policy import check_token_counter
from toolstub_ext.presets import PRESETS
from toolstub_ext.rewriting import Rewritten
from toolstub_ext.settings import Settings, load_settings
from toolstub_ext.store import open_store
from toolstub_ext.wire import wire_for

from . import contentview, headers
from .access_log import AccessLog
from .apart import Apart
from .changes import changes_in
from .gateway import Gateway
from .hosts import PROVIDERS, is_wanted
from .recalled import forgotten, recalled
from .redirects import Redirects, tls_of
from .serving import complain, owner_of

log = logging.getLogger(__name__)

_HOST = "127.0.0.1"
_MINE = "toolstub"
_PORTS = 16
"""mitmproxy opens at most five connections to one address for a client, so a client with more than five requests at
once over HTTP/2 needs more than one address."""
_DRAIN_SECONDS = 600.0
"""How long the answers of a gateway may go on when a reload has put another in its place. Where mitmproxy itself ends,
that cancels once more, and nothing is waited for."""
_OPTIONS = ("toolstub_config", "toolstub_preset", "toolstub_store", "toolstub_explain", "toolstub_access_log")


class ToolstubAddon:
    """Hooks and options. `ports` are the gateway's, none as long as there is no gateway."""

    def __init__(self) -> None:
        self.ports: tuple[int, ...] = ()
        self._settings = Settings()
        self._redirects = Redirects(self._tls)
        self._gateway: Gateway | None = None
        self._life: asyncio.Task[None] | None = None
        self._turns = count()
        self._flows: dict[str, http.HTTPFlow] = {}

    def load(self, loader: Loader) -> None:
        """Declare the options."""
        add = loader.add_option
        add("toolstub_config", str, "", "toolstub: the settings file, else toolstub.yaml.")
        add("toolstub_preset", str, "", f"toolstub: a set of policies: {', '.join(PRESETS)}.")
        add("toolstub_store", str, "", "toolstub: where the originals are, a path or sqlite:///PATH.")
        add("toolstub_explain", bool, False, "toolstub: log what was done with each result.")
        add("toolstub_access_log", str, "", "toolstub: a file for a JSON line about every request, without bodies.")
        add("toolstub_hosts", Sequence[str], [],
            "toolstub: hosts to decrypt where mitmproxy sees all traffic, beside the known providers of models and "
            "this network; `*` is every host. Without effect if allow_hosts or ignore_hosts is set.")
        contentview.show()

    def configure(self, updated: set[str]) -> None:
        """Check the options. Raises OptionsError, so that mitmproxy refuses a wrong one and keeps what it had."""
        if ctx.options.stream_large_bodies:
            raise _refused("toolstub has to see whole requests: leave stream_large_bodies unset")
        if updated.intersection(_OPTIONS):
            try:
                self._settings = load_settings(
                    ctx.options.toolstub_config or None, preset=ctx.options.toolstub_preset or None,
                    store=ctx.options.toolstub_store or None)
                check_token_counter(self._settings)
                if ctx.options.toolstub_access_log:
                    AccessLog(ctx.options.toolstub_access_log).close()
            except (SettingsError, OSError) as error:
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
        self._gateway = self._life = None
        self.ports = ()

    def tls_clienthello(self, data: ClientHelloData) -> None:
        """Leave alone what goes to hosts that are no business of ours, where all of a machine's traffic comes by."""
        options = ctx.options
        if data.context.client.proxy_mode.type_name == "reverse" or options.allow_hosts or options.ignore_hosts:
            return
        address = data.context.server.address
        host = data.client_hello.sni or (address[0] if address else "")
        if not is_wanted(host, (*PROVIDERS, *options.toolstub_hosts)):
            data.ignore_connection = True

    def requestheaders(self, flow: http.HTTPFlow) -> None:
        """Keep a request whole that may have to be rewritten, or its answer."""
        if _is_for_us(flow):
            flow.request.stream = False

    def request(self, flow: http.HTTPFlow) -> None:
        """Send an LLM request to the gateway in place of its server."""
        if flow.response or flow.error or not flow.live or not self.ports or not _is_for_us(flow):
            return
        if self._gateway is None or not self._gateway.serving:
            log.warning("toolstub: the gateway is down, %s goes on untouched; it is started again", flow.request.path)
            self.done()
            self.running()
            return
        request, port = flow.request, self.ports[next(self._turns) % len(self.ports)]
        url = request.pretty_url if _hides_names(flow) else request.url
        ticket = self._redirects.expect(url, upstream_proxy(flow, getattr(ctx.options, "upstream_auth", None)))
        flow.metadata[_MINE] = (request.scheme, request.host, request.port)
        if flow.server_conn.timestamp_start or flow.server_conn.via:
            flow.server_conn = Server(address=(_HOST, port))
        host = request.host_header
        request.scheme, request.host, request.port = "http", _HOST, port
        request.host_header = host
        request.headers[headers.TICKET] = ticket
        self._flows[ticket] = flow

    def responseheaders(self, flow: http.HTTPFlow) -> None:
        """Let streams through as they come."""
        self._restore(flow)
        if flow.response is not None and headers.is_event_stream(flow.response.headers):
            flow.response.stream = True

    def error(self, flow: http.HTTPFlow) -> None:
        """The client left, or something broke."""
        self._restore(flow)

    def _restore(self, flow: http.HTTPFlow) -> None:
        """Show the request as the client meant it, and not how it got to the gateway."""
        host, ticket = flow.request.host_header, flow.request.headers.pop(headers.TICKET, None)
        if ticket is not None and _MINE in flow.metadata:
            flow.request.scheme, flow.request.host, flow.request.port = flow.metadata[_MINE]
            flow.request.host_header = host
            self._flows.pop(ticket, None)

    def _changed(self, request: web.BaseRequest, rewritten: Rewritten) -> None:
        """Note for the view what became of a request."""
        flow = self._flows.get(request.headers.get(headers.TICKET, ""))
        if flow is not None and (changes := changes_in(rewritten, request.raw_path)):
            flow.metadata[contentview.CHANGES] = changes

    async def _serve(self) -> None:
        """The life of one gateway. It ends by being cancelled, which mitmproxy does as well when it exits."""
        access_log = AccessLog(ctx.options.toolstub_access_log) if ctx.options.toolstub_access_log else None
        with open_store(self._settings.store, eager=False) as store:
            gateway = Gateway(self._settings, store, self._redirects, owner_of=owner_of(self._settings),
                              explain=ctx.options.toolstub_explain, access_log=access_log,
                              on_rewritten=self._changed, apart=Apart(self._settings), drain_seconds=_DRAIN_SECONDS)
            try:
                ports = [await gateway.start(_HOST, 0)]
                ports += [await gateway.listen_too(_HOST) for _ in range(_PORTS - 1)]
                self._gateway, self.ports = gateway, tuple(ports)
                log.info("toolstub: at work")
                await asyncio.to_thread(complain, store)
                await asyncio.get_running_loop().create_future()
            finally:
                await gateway.stop()
                if access_log is not None:
                    access_log.close()
                log.info("toolstub: ended")

    def _tls(self, host: str) -> ssl.SSLContext:
        options = ctx.options
        return tls_of(host, insecure=options.ssl_insecure, cafile=options.ssl_verify_upstream_trusted_ca,
                      certificates=options.client_certs)


def _tell_why(life: asyncio.Task[None]) -> None:
    if not life.cancelled() and (error := life.exception()) is not None:
        log.error("toolstub does nothing, requests go on untouched: %s", error)


def _hides_names(flow: http.HTTPFlow) -> bool:
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


def _refused(message: str) -> exceptions.OptionsError:
    return exceptions.OptionsError(message)  # type: ignore[no-untyped-call]


def _is_for_us(flow: http.HTTPFlow) -> bool:
    request = flow.request
    if request.method == "POST":
        return wire_for(request.path) is not None and headers.is_json(request.headers)
    return any(asks(request.method, request.path, request.headers) is not None for asks in (recalled, forgotten))
