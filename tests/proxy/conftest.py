"""A strict upstream, and a gateway in front of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from proxy_support import Behind, Start

from toolstub_ext.settings import load_settings
from toolstub_ext.store import Store, open_store
from toolstub_proxy.admission import Admission
from toolstub_proxy.demo.upstream import UpstreamApp
from toolstub_proxy.gateway import Gateway
from toolstub_proxy.upstreams import Upstreams


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened


@pytest.fixture
async def start(store: Store) -> AsyncIterator[Start]:
    """Start a gateway: arguments of the upstream (of class `api`), of the gateway (`gateway=`) and `settings=`."""
    async with AsyncExitStack() as stack:

        async def begin(*, gateway: dict[str, Any] | None = None, settings: dict[str, Any] | None = None,
                        store: Store = store, api: type[UpstreamApp] = UpstreamApp, **upstream: Any) -> Behind:
            app = await stack.enter_async_context(api(**upstream))
            chosen = load_settings(**{"upstream": app.url, **(settings or {})})
            served = Gateway(chosen, store, Upstreams(chosen), **{
                "drain_seconds": 0.1, "admission": Admission(), **(gateway or {})})
            stack.push_async_callback(served.stop)
            port = await served.start("127.0.0.1", 0)
            http = await stack.enter_async_context(aiohttp.ClientSession(auto_decompress=False))
            return Behind(served, app, store, f"http://127.0.0.1:{port}", http)

        yield begin
