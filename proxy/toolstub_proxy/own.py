"""What a proxy answers itself: whether it is well, and what it has done.

    GET /healthz     200 {"status": "ok", ...}, or 503 while it ends
    GET /metrics     the same and more for Prometheus
"""

from __future__ import annotations

import asyncio

from aiohttp import web
from aiohttp.typedefs import Handler

from toolstub_ext import __version__
from toolstub_ext.errors import StoreError
from toolstub_ext.installing import how_to_install
from toolstub_ext.store.base import Store

from .counting import Counts
from .metrics import CONTENT_TYPE, exposition

PATHS = ("/healthz", "/metrics")
_STORE_SECONDS = 1.0
"""How long the store may take to show that it can be used. Requests go on without it, and so is it with health."""


def is_own(request: web.BaseRequest) -> bool:
    """Whether a request is for the proxy itself."""
    return request.method in ("GET", "HEAD") and request.raw_path.partition("?")[0] in PATHS


@web.middleware
async def no_tunnel(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Tell who takes this for a proxy of all traffic what it is; of the answer, such clients show the reason alone."""
    if request.method != "CONNECT":
        return await handler(request)
    return web.Response(status=405, reason="toolstub opens no tunnels: make it the base URL and not HTTPS_PROXY")


def token_in(request: web.BaseRequest, given: str) -> str:
    """The token that a request for the proxy itself shows: as any other, or as a bearer token, which is ours here."""
    return given or request.headers.get("authorization", "").removeprefix("Bearer ")


async def answered(request: web.BaseRequest, counts: Counts, store: Store, *, ending: bool,
                   wrong: str) -> web.Response:
    """The answer. `wrong` says what is wrong with the token; who has no other learns only whether the proxy is well."""
    if request.path == "/metrics":
        if wrong:
            return web.Response(status=401, text=f"the proxy's token {wrong}\n")
        try:
            body = await asyncio.to_thread(exposition, counts)
        except ModuleNotFoundError as error:
            return web.Response(status=501, text=how_to_install(error) + "\n")
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE})
    told: dict[str, object] = {"status": "ending" if ending else "ok", "version": __version__}
    if not wrong:
        told |= {"store": await _state_of(store), "running": counts.running, **counts.told()}
    return web.json_response(told, status=503 if ending else 200)


async def _state_of(store: Store) -> str:
    try:
        await asyncio.wait_for(asyncio.to_thread(store.list, limit=1), _STORE_SECONDS)
    except TimeoutError:
        return "busy"
    except StoreError as error:
        return f"unusable: {error}"
    return "ok"
