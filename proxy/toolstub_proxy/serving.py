"""A gateway in a process of its own, from its start to its last answer."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial

from toolstub_ext.addresses import host_and_port, is_loopback
from toolstub_ext.errors import SettingsError
from toolstub_ext.settings import Settings
from toolstub_ext.store import Store, open_store
from toolstub_ext.store.location import locate

from . import owners
from .gateway import Gateway
from .upstreams import Upstreams

_ENDS = {signal.SIGINT: 130, signal.SIGTERM: 0}


def serve(settings: Settings, *, explain: bool = False) -> int:
    """Serve until Ctrl-C or SIGTERM; the exit status. Raises ToolstubError or OSError if it cannot start."""
    log_to_stderr(explain)
    return asyncio.run(_serve(settings, explain))


async def _serve(settings: Settings, explain: bool) -> int:
    host, port = address_of(settings)
    with open_store(settings.store, eager=False) as store:
        async with listening(settings, store, host, port, explain=explain) as base:
            sys.stderr.write(f"toolstub proxy: set OPENAI_BASE_URL={base}/v1 (or ANTHROPIC_BASE_URL={base})\n")
            return await _ended()


@asynccontextmanager
async def listening(settings: Settings, store: Store, host: str, port: int, *, explain: bool) -> AsyncIterator[str]:
    """A gateway that serves while the context lasts; its URL."""
    gateway = Gateway(settings, store, Upstreams(settings), owner_of=owner_of(settings), explain=explain)
    try:
        bound = await gateway.start(host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise OSError(f"port {port} of {host} is taken; choose another with --listen HOST:PORT") from error
        raise
    try:
        yield f"http://{f'[{host}]' if ':' in host else host}:{bound}"
    finally:
        await gateway.stop()


def address_of(settings: Settings) -> tuple[str, int]:
    """Host and port to listen on. Raises SettingsError if others could reach a proxy that is for one person."""
    address = host_and_port(settings.listen)
    if address is None:
        raise SettingsError(f"listen must be HOST:PORT, such as 127.0.0.1:8788: {settings.listen}")
    host, port = address
    if not is_loopback(host) and settings.owners != "per-credential":
        raise SettingsError(f"others could read your originals on {host}: add --owners per-credential to listen there")
    return host, port


def owner_of(settings: Settings) -> owners.OwnerOf:
    """How the owner of a request is told. Raises StoreError."""
    if settings.owners == "single":
        return owners.single
    return owners.per_credential(owners.key_beside(locate(settings.store).path))


def log_to_stderr(explain: bool) -> None:
    """Warnings, and with `explain` every decision, a line each."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="toolstub: %(message)s")
    if explain:
        logging.getLogger("toolstub_proxy").setLevel(logging.INFO)


async def _ended() -> int:
    """Wait for a signal to end; the exit status it asks for. The same signal again ends at once."""
    loop = asyncio.get_running_loop()
    status: asyncio.Future[int] = loop.create_future()
    for number, code in _ENDS.items():
        on_signal(loop, number, partial(_end, number, code, status))
    return await status


def _end(number: signal.Signals, code: int, status: asyncio.Future[int]) -> None:
    if status.done():
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    else:
        status.set_result(code)


def on_signal(loop: asyncio.AbstractEventLoop, number: signal.Signals, action: Callable[[], None]) -> None:
    """Call `action` in the loop when a signal arrives, also where the loop itself cannot (Windows)."""
    try:
        loop.add_signal_handler(number, action)
    except NotImplementedError:
        with suppress(ValueError):  # not in the main thread
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(action))
