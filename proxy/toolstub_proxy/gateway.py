"""The gateway: receives requests, rewrites those that carry tool results, and passes everything else on as it is.

    gateway = Gateway(settings, store, Upstreams(settings))
    port = await gateway.start("127.0.0.1", 0)
    ...
    await gateway.stop()

What it cannot understand, it forwards. What it forwards, it does not change: not the bytes, not their encoding, not
the moment at which they arrive.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector, web
from aiohttp.http import SERVER_SOFTWARE
from multidict import CIMultiDict

from toolstub_ext.errors import StoreError
from toolstub_ext.rewriting import Rewritten
from toolstub_ext.settings import Settings
from toolstub_ext.store.base import Store
from toolstub_ext.wire import wire_for

from . import headers, own, owners, reporting, strangers
from .access_log import AccessLog
from .admission import Admission, Refused
from .apart import Apart
from .counting import Counts
from .encodings import DECODED_BYTES, decoded
from .exchange import Exchange
from .failures import BROKE_OFF, CUT_OFF, ENDING, STORE_FAILED, UNREACHABLE, is_unreachable, told
from .jobs import Job
from .provider_errors import refusal
from .recalled import answered, at_last_round, forgotten, hidden_behind, recalled
from .record import CLIENT_GONE, CLIENT_GONE_STATUS, Record, current, recorded
from .relay import Passed, Whole, body_of, ended, go_on, has_left, read_body, relayed
from .retrieving import is_mine, rounds_of
from .rounds import LIMITS, Limits
from .streams import format_for
from .upstreams import Route, Router
from .websockets import need_not_be_opened, opens_websocket, tunnelled
from .workplaces import Workplaces

log = logging.getLogger(__name__)

OnRewritten = Callable[[web.BaseRequest, Rewritten], None]
"""Told of every request that was rewritten, before that goes on."""

HEADER_BYTES = 256 * 1024
SESSION_HEADERS = ("x-session-id", "session_id", "x-claude-code-session-id")
_CUT_SECONDS = 0.1
"""What answers still running get to notice that they are cut off."""
_OWN_AUTOMATIC = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")


class Gateway:
    """Serves on one address until stopped. It keeps no state outside the store but connections and remembered stubs."""

    def __init__(self, settings: Settings, store: Store, router: Router, *, owner_of: owners.OwnerOf = owners.single,
                 admission: Admission | None = None, access_log: AccessLog | None = None, explain: bool = False,
                 apart: Apart | None = None, on_rewritten: OnRewritten | None = None, keep_alive: float = 10.0,
                 limits: Limits = LIMITS, drain_seconds: float = 10.0) -> None:
        self._settings = settings
        self._store = store
        self._router = router
        self._owner_of = owner_of
        self._admission = admission
        self._access_log = access_log
        self._on_rewritten = on_rewritten
        self._drain_seconds = drain_seconds
        self._ending = False
        self._idle = asyncio.Event()
        self._keep_alive = keep_alive
        self._limits = limits
        self._workplaces = Workplaces(store, settings, apart)
        self.counts = Counts(self._workplaces.faults)
        self._report = reporting.Reporter(settings, explain=explain)
        app = web.Application(middlewares=[own.no_tunnel])
        app.router.add_route("*", "/{path:.*}", self._handle, expect_handler=go_on)
        app.on_response_prepare.append(_without_additions)
        self._runner = web.AppRunner(
            app, handler_cancellation=True, auto_decompress=False, access_log=None, shutdown_timeout=_CUT_SECONDS,
            max_line_size=HEADER_BYTES, max_field_size=HEADER_BYTES, read_bufsize=1024 * 1024, logger=strangers.log,
        )
        self._client: ClientSession | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen; the port, which the system chooses if `port` is 0. Raises OSError if the address is taken."""
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        await site.start()
        self._client = ClientSession(
            connector=TCPConnector(limit=0), cookie_jar=DummyCookieJar(), auto_decompress=False, trust_env=False,
            timeout=ClientTimeout(total=None, sock_connect=30), max_line_size=HEADER_BYTES,
            max_field_size=HEADER_BYTES, read_bufsize=256 * 1024, skip_auto_headers=_OWN_AUTOMATIC,
        )
        self._workplaces.open()
        bound: int = self._runner.addresses[0][1]
        return bound

    async def listen_too(self, host: str) -> int:
        """Listen on one more port, which the system chooses."""
        await web.TCPSite(self._runner, host, 0).start()
        also: int = self._runner.addresses[-1][1]
        return also

    async def stop(self) -> None:
        """Let running answers end, for a while, in which new requests are refused; then close."""
        self._ending = True
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._drain_seconds):
                    while self.counts.running:
                        self._idle.clear()
                        await self._idle.wait()
            await self._runner.cleanup()
        finally:
            self._workplaces.close()
            if self._client is not None:
                await self._client.close()

    @property
    def serving(self) -> bool:
        """Whether requests are being received."""
        return self._client is not None and not self._client.closed and bool(self._runner.addresses)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        try:
            if self._admission is not None:
                request, token = self._admission.opened(request)
                if own.is_own(request):
                    wrong = self._admission.wrong(own.token_in(request, token))
                    return await own.answered(request, self.counts, self._store, ending=self._ending, wrong=wrong)
                self._admission.admit(request, token)
        except Refused as error:
            self.counts.failures[f"refused: {error.kind}"] += 1
            return refusal(request, error.status, str(error), error.kind)
        if self._ending:
            refused = refusal(request, 503, "the proxy is ending", "api_error")
            refused.force_close()
            self.counts.failures[ENDING] += 1
            return refused
        with recorded(Record(request.method, request.path, client=request.remote or "",
                             dry_run=reporting.wants_dry_run(request))) as record:
            return await self._noted(request, record)

    async def _noted(self, request: web.Request, record: Record) -> web.StreamResponse:
        """Answer a request, and count and log it when that has ended: a client does not wait for our books."""
        self.counts.running += 1
        try:
            response = await self._answered(request, record)
            await ended(request, response)
        except asyncio.CancelledError:
            if not record.status:  # many clients close a stream at its last event, before it has ended
                record.status, record.failure = CLIENT_GONE_STATUS, CUT_OFF if self._ending else CLIENT_GONE
            raise
        else:
            record.status = response.status
            if isinstance(response, web.Response) and isinstance(response.body, bytes):
                record.answered = len(response.body)
            return response
        finally:
            self.counts.running -= 1
            self._idle.set()
            self.counts.note(record)
            if self._access_log is not None:
                self._access_log.note(record)

    async def _answered(self, request: web.Request, record: Record) -> web.StreamResponse:
        route = self._router.route(request)
        if route is None:
            return refusal(request, 404, "this port serves only requests that mitmproxy hands over")
        record.upstream = str(route.url.origin())
        try:
            if opens_websocket(request):
                if need_not_be_opened(request):
                    return refusal(request, 426, "toolstub reads this conversation over HTTP alone")
                return await tunnelled(request, self._http, route)
            signed = headers.is_signed(request.headers)
            if (request.method == "POST" and (wire := wire_for(request.raw_path)) and headers.is_json(request.headers)
                    and not signed):
                record.format = wire.name
                return await self._understood(request, route, record)
            if record.dry_run:
                return reporting.dry_run(str(route.url), None, reporting.SIGNED if signed else reporting.OTHER)
            return await self._passed(request, route, body_of(request) if request.body_exists else None)
        except (ClientError, TimeoutError) as error:
            if has_left(request):
                raise asyncio.CancelledError from error
            record.failure = UNREACHABLE if is_unreachable(error) else BROKE_OFF
            message = told(error, route.url.origin(), route.proxy)
            log.warning("%s", message)
            return refusal(request, 502, message, "api_connection_error")
        except StoreError as error:
            record.failure = STORE_FAILED
            return refusal(request, 503, f"the store failed, and failure_mode is reject: {error}", "api_error")

    @property
    def _http(self) -> ClientSession:
        if self._client is None:
            raise RuntimeError("the gateway has not been started")
        return self._client

    async def _passed(self, request: web.Request, route: Route, body: Any) -> web.StreamResponse:
        """Send a request on as it is, and its answer back as it is, but for what of a kept one is not the client's."""
        onward, owner = headers.onward(request.headers), self._owner_of(request.headers)
        if (asked := recalled(request.method, request.raw_path, request.headers)) is not None:
            onward["Accept-Encoding"] = "identity"
            route, asked = await self._workplaces.off_loop(at_last_round, route, asked, self._store, owner)
        elif (gone := forgotten(request.method, request.raw_path, request.headers)) is not None:
            for hidden in await self._workplaces.off_loop(hidden_behind, route, gone, self._store, owner):
                async with await self._ask(request, hidden, onward, None):
                    pass
        async with await self._ask(request, route, onward, body) as upstream:
            return await (relayed(request, upstream, {}) if asked is None else answered(request, upstream, asked))

    async def _understood(self, request: web.Request, route: Route, record: Record) -> web.StreamResponse:
        """Rewrite a request, if that can be done, and send it on, or show it if that is what the client asks for."""
        raw, whole = await read_body(request, DECODED_BYTES)
        record.received = len(raw)
        encoding = request.headers.get("content-encoding", "")
        plain = raw if whole else None
        if encoding and whole:
            plain = await self._workplaces.off_loop(decoded, raw, encoding)
        owner = self._owner_of(request.headers)
        if plain is None or owner is None:
            if record.dry_run:
                why = reporting.NO_OWNER if owner is None else reporting.ENCODED
                return reporting.dry_run(str(route.url), None, why)
            return await self._passed(request, route, raw if whole else body_of(request, raw))
        with record.adding():
            rewritten = await self._rewritten(request, plain, owner)
        record.owner, record.rewritten = owner, rewritten
        self._report(request, rewritten)
        if self._on_rewritten is not None:
            await self._workplaces.off_loop(self._on_rewritten, request, rewritten)
        if record.dry_run:
            return reporting.dry_run(str(route.url), rewritten, reporting.why_as_it_came(rewritten, self._settings))
        return await self._sent(request, route, rewritten, raw)

    async def _sent(self, request: web.Request, route: Route, rewritten: Rewritten, raw: bytes) -> web.StreamResponse:
        """Send on what was made of the body `raw`, and answer the tools of ours that the model calls."""
        record, changed = current(), rewritten.body != rewritten.original
        onward = headers.onward(request.headers, without=headers.OF_ONE_BODY if changed else ())
        extra = reporting.summary_of(rewritten)
        fmt = format_for(request.raw_path)
        if fmt is None or rewritten.understood is None or not rewritten.injected:
            record.asked.append(len(rewritten.body))
            async with await self._ask(request, route, onward, rewritten.body if changed else raw) as upstream:
                return await relayed(request, upstream, extra)
        onward["Accept-Encoding"] = "identity"
        rounds = rounds_of(rewritten, fmt, store=self._store, settings=self._settings, owner=record.owner,
                           limits=self._limits)
        exchange = Exchange(
            request, rounds, fmt, is_mine(rewritten.understood), streamed=rewritten.understood.streamed,
            ask=partial(self._ask_again, request, route, onward), off_loop=self._workplaces.off_loop, extra=extra,
            keep_alive=self._keep_alive,
        )
        return await exchange.run(rewritten.body)

    async def _rewritten(self, request: web.Request, body: bytes, owner: str) -> Rewritten:
        session = next((request.headers[name] for name in SESSION_HEADERS if name in request.headers), None)
        job = Job(owner, request.raw_path, session)
        return await self._workplaces.rewrite(body, job, alone=self.counts.running == 1)

    async def _ask_again(self, request: web.Request, route: Route, onward: CIMultiDict[str],
                         body: bytes) -> ClientResponse:
        rounds = len(current().asked)
        current().asked.append(len(body))
        if rounds and (key := onward.get(headers.IDEMPOTENCY)):
            onward = onward.copy()
            onward[headers.IDEMPOTENCY] = f"{key}-{rounds}"  # under the same key it would be no new request
        return await self._ask(request, route, onward, body)

    async def _ask(self, request: web.Request, route: Route, onward: CIMultiDict[str], body: Any) -> ClientResponse:
        upstream = await self._http.request(
            request.method, route.url, headers=onward, data=body, allow_redirects=False, proxy=route.proxy,
            ssl=route.tls,
        )
        if upstream.status >= HTTPStatus.BAD_REQUEST:
            current().failure = f"upstream answered {upstream.status}"
        return upstream


async def _without_additions(_: web.BaseRequest, response: web.StreamResponse) -> None:
    """Take off the headers that aiohttp adds of its own, so that a client sees the upstream's alone."""
    if response.headers.get("Server") == SERVER_SOFTWARE:
        del response.headers["Server"]
    current().first_byte = current().seconds
    if isinstance(response, Passed | Whole) and response.untyped:
        response.headers.popall("Content-Type", None)
