"""A strict upstream, and a gateway in front of it."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from certificates import Certificate, made_by
from proxy_processes import MITMDUMP
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


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """A new one, made by ours or mitmproxy's environment: one of them has the library."""
    python = sys.executable
    if find_spec("cryptography") is None:
        if MITMDUMP is None:
            pytest.skip("neither cryptography nor mitmproxy is installed, so there is nothing to make it with")
        python = str(Path(MITMDUMP).with_name("python.exe" if os.name == "nt" else "python"))
    return made_by(python, tmp_path_factory.mktemp("certificate"))


@pytest.fixture
async def start(store: Store) -> AsyncIterator[Start]:
    """Start a gateway: arguments of the upstream (of class `api`), of the gateway (`gateway=`) and `settings=`."""
    async with AsyncExitStack() as stack:

        async def begin(*, gateway: dict[str, Any] | None = None, settings: dict[str, Any] | None = None,
                        store: Store = store, api: type[UpstreamApp] = UpstreamApp, cafile: str | None = None,
                        certificate: str | None = None, **upstream: Any) -> Behind:
            app = await stack.enter_async_context(api(**upstream))
            chosen = load_settings(**{"upstream": app.url, **(settings or {})})
            served = Gateway(chosen, store, Upstreams(chosen, cafile=cafile, certificate=certificate), **{
                "drain_seconds": 0.1, "admission": Admission(), **(gateway or {})})
            stack.push_async_callback(served.stop)
            port = await served.start("127.0.0.1", 0)
            http = await stack.enter_async_context(aiohttp.ClientSession(auto_decompress=False))
            return Behind(served, app, store, f"http://127.0.0.1:{port}", http)

        yield begin
