"""A strict upstream, and a gateway in front of it, with a process of its own or none."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from apart_support import Counted, until
from certificates import Certificate, made_by
from proxy_processes import MITMDUMP
from proxy_support import Behind, Start

from toolstub_ext.settings import load_settings
from toolstub_ext.store import Store, open_store
from toolstub_proxy import workplaces
from toolstub_proxy.admission import Admission
from toolstub_proxy.demo.upstream import UpstreamApp
from toolstub_proxy.demo.upstream_model import Reply
from toolstub_proxy.gateway import Gateway
from toolstub_proxy.upstreams import Upstreams
from toolstub_proxy.workplaces import LARGE_BYTES


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


@pytest.fixture
def sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that is alone goes there as any other does."""
    monkeypatch.setattr(workplaces, "LARGE_ALONE_BYTES", LARGE_BYTES)


@pytest.fixture
def apart_of(start: Start, tmp_path: Path, sooner: None) -> Callable[..., Any]:
    """A gateway with a process of its own that is ready, and that process."""

    async def begin(settings: dict[str, Any] | None = None, **more: Any) -> tuple[Behind, Counted]:
        chosen = {"store": str(tmp_path / "store.db"), **(settings or {})}
        apart = Counted(load_settings(**chosen), **more)
        behind = await start(gateway={"apart": apart}, settings=chosen, script=lambda body: Reply("Done."))
        await until(lambda: apart.ready)
        return behind, apart

    return begin
