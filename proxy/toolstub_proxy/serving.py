"""A gateway in a process of its own, from its start to its last answer.

SIGTERM and Ctrl-C end it: answers under way go on for `drain` seconds at most, what comes anew gets a 503, and a second
signal ends it at once.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from toolstub_ext.addresses import host_and_port, is_any, is_loopback, url_from_here
from toolstub_ext.errors import SettingsError, StoreError, explained
from toolstub_ext.settings import Settings
from toolstub_ext.store import Store, open_store
from toolstub_ext.store.location import locate

from . import owners
from .access_log import AccessLog
from .admission import Admission
from .apart import Apart
from .gateway import Gateway
from .kept_memory import keep_memory
from .upstreams import Upstreams

log = logging.getLogger(__name__)

_ENDS = {signal.SIGINT: 130, signal.SIGTERM: 0}
_VARIABLE = "TOOLSTUB_TOKEN"
_SHORTEST_TOKEN = 16
_TURN_SECONDS = 0.0005
"""How long a thread that rewrites keeps the event loop waiting for its turn, at each of the steps in which that passes
a request on. Of itself Python lets it wait ten times as long."""


@dataclass(frozen=True, slots=True)
class Operation:
    """How a proxy is run, as the command line says it: what to log where, further authorities, a certificate to show,
    a token to ask for."""

    explain: bool = False
    access_log: str | None = None
    cafile: str | None = None
    certificate: str | None = None
    token: str | None = None
    drain: float = 10.0


def serve(settings: Settings, operation: Operation) -> int:
    """Serve until Ctrl-C or SIGTERM; the exit status. Raises ToolstubError or OSError if it cannot start."""
    log_to_stderr(explain=operation.explain)
    return asyncio.run(_serve(settings, operation))


async def _serve(settings: Settings, operation: Operation) -> int:
    host, port = address_of(settings, operation.token)
    ended = _asked_to_end()  # before anybody is told that there is something to end
    with open_store(settings.store, eager=False) as store:
        async with listening(settings, store, host, port, operation) as base:
            sys.stderr.write(f"toolstub proxy: set OPENAI_BASE_URL={base}/v1 (or ANTHROPIC_BASE_URL={base})\n")
            if is_any(host):
                sys.stderr.write("toolstub proxy: other machines put this one's name in place of that address\n")
            if operation.token:
                sys.stderr.write("toolstub proxy: clients show the token in the header x-toolstub-token, or in their "
                                 f"base URL: {base}/toolstub-token/TOKEN/v1\n")
            await asyncio.to_thread(complain, store)
            return await ended


def complain(store: Store) -> None:
    """Say so at the start if the store cannot be used; requests go on without it, and it is tried again with each."""
    try:
        store.list(limit=1)
    except StoreError as error:
        log.warning("the store cannot be used, so nothing is stubbed until it can: %s", error)


@asynccontextmanager
async def listening(settings: Settings, store: Store, host: str, port: int,
                    operation: Operation) -> AsyncIterator[str]:
    """A gateway that serves while the context lasts; its URL."""
    keep_memory()
    sys.setswitchinterval(_TURN_SECONDS)
    gc.freeze()  # what is imported stays: to look through it for garbage would now and then stop everybody for 20 ms
    access_log = AccessLog(operation.access_log) if operation.access_log else None
    upstreams = Upstreams(settings, cafile=operation.cafile, certificate=operation.certificate)
    gateway = Gateway(settings, store, upstreams, owner_of=owner_of(settings),
                      admission=Admission(operation.token, here=is_loopback(host)), access_log=access_log,
                      explain=operation.explain, apart=Apart(settings), drain_seconds=operation.drain)
    try:
        bound = await gateway.start(host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise OSError(f"port {port} of {host} is taken; choose another with --listen HOST:PORT") from error
        raise
    try:
        yield url_from_here(host, bound)
    finally:
        await gateway.stop()
        if access_log is not None:
            access_log.close()


def token_of(file: str | None) -> str | None:
    """The token that clients have to show: a file's, or the environment's; None if there is none.

    Raises SettingsError for a file that cannot be read and for a token that could be guessed or not be sent.
    """
    try:
        token = Path(file).expanduser().read_text("ascii").strip() if file else os.environ.get(_VARIABLE, "")
    except OSError as error:
        raise SettingsError(f"cannot read a token from {file}: {explained(error)}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"cannot read a token from {file}: it holds more than ASCII") from error
    if (file or token) and not re.fullmatch(rf"[A-Za-z0-9._~-]{{{_SHORTEST_TOKEN},}}", token):
        raise SettingsError(f"the token in {file or _VARIABLE} must be at least {_SHORTEST_TOKEN} letters, "
                            "digits, or characters of ._~- (openssl rand -hex 24 makes one)")
    return token or None


def address_of(settings: Settings, token: str | None) -> tuple[str, int]:
    """Host and port to listen on. Raises SettingsError if others could reach a proxy that is for one person, or use
    this one without showing a token."""
    address = host_and_port(settings.listen)
    if address is None:
        raise SettingsError(f"listen must be HOST:PORT, such as 127.0.0.1:8788: {settings.listen}")
    host, port = address
    if not is_loopback(host) and settings.owners != "per-credential":
        raise SettingsError(f"others could read your originals on {host}: add --owners per-credential to listen there")
    if not is_loopback(host) and token is None:
        raise SettingsError(f"anybody could use the proxy on {host}: give it a token, with --token-file FILE or "
                            f"{_VARIABLE}, to listen there")
    return host, port


def owner_of(settings: Settings) -> owners.OwnerOf:
    """How the owner of a request is told. Raises StoreError."""
    if settings.owners == "single":
        return owners.single
    return owners.per_credential(owners.key_beside(locate(settings.store).path))


def log_to_stderr(*, explain: bool) -> None:
    """Warnings, and with `explain` every decision, a line each."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="toolstub: %(message)s")
    if explain:
        logging.getLogger("toolstub_proxy").setLevel(logging.INFO)


def _asked_to_end() -> asyncio.Future[int]:
    """The exit status that a signal asks for, once it has come. The same signal again ends at once."""
    loop = asyncio.get_running_loop()
    status: asyncio.Future[int] = loop.create_future()
    for number, code in _ENDS.items():
        on_signal(loop, number, partial(_end, number, code, status))
    return status


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
