"""The servers of the proxy's figures, each a process of its own: a provider that answers at once, and a pass-through.

    python -m bench.servers provider|passthrough PORT [UPSTREAM]
"""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from aiohttp import ClientSession, TCPConnector, web

ROOT = Path(__file__).parent.parent
_HOST = "127.0.0.1"
_START_SECONDS = 20
_LARGEST = 64 * 1024 * 1024

_ANSWER = json.dumps({
    "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-5",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
}).encode()  # fmt: skip


def _event(delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\n".encode()


async def _answered(request: web.Request) -> web.StreamResponse:
    body = await request.read()
    if not body.rstrip().endswith(b'"stream": true}'):
        return web.Response(body=_ANSWER, content_type="application/json")
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    await response.write(_event({"role": "assistant", "content": ""}))
    for number in range(20):
        await response.write(_event({"content": f"word {number} "}))
        await asyncio.sleep(0.001)
    await response.write(_event({}, "stop") + b"data: [DONE]\n\n")
    return response


def provider() -> web.Application:
    """Answers every request with the same few words, streamed if asked to."""
    app = web.Application(client_max_size=_LARGEST)
    app.router.add_post("/{path:.*}", _answered)
    return app


def passthrough(upstream: str) -> web.Application:
    """The least that an aiohttp proxy does: reads a request, sends it on, streams the answer back."""

    async def session(app: web.Application) -> AsyncIterator[None]:
        async with ClientSession(connector=TCPConnector(limit=0), auto_decompress=False) as app[_SESSION]:
            yield

    async def passed(request: web.Request) -> web.StreamResponse:
        headers = {"Content-Type": request.headers["Content-Type"]}
        body = await request.read()
        async with request.app[_SESSION].post(upstream + request.path_qs, data=body, headers=headers) as answer:
            response = web.StreamResponse(status=answer.status)
            response.content_type = answer.content_type
            await response.prepare(request)
            async for data in answer.content.iter_any():
                await response.write(data)
            return response

    app = web.Application(client_max_size=_LARGEST)
    app.cleanup_ctx.append(session)
    app.router.add_post("/{path:.*}", passed)
    return app


_SESSION = web.AppKey("session", ClientSession)


@contextmanager
def running() -> Iterator[dict[str, tuple[str, int]]]:
    """The addresses of the provider (`direct`), and of the pass-through (`plain`) and toolstub (`ours`) before it."""
    ports = dict(zip(("direct", "plain", "ours"), _free_ports(3), strict=True))
    upstream = f"http://{_HOST}:{ports['direct']}"
    server, toolstub = ("-m", "bench.servers"), ("-m", "toolstub_ext")
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="toolstub-bench-"))
        commands = {
            "direct": (*server, "provider", str(ports["direct"])),
            "plain": (*server, "passthrough", str(ports["plain"]), upstream),
            "ours": (*toolstub, "--store", str(Path(folder, "store.db")), "proxy",
                     "--listen", f"{_HOST}:{ports['ours']}", "--upstream", upstream),
        }  # fmt: skip
        for name, command in commands.items():
            stack.enter_context(_process(command, ports[name], Path(folder, f"{name}.log")))
        yield {name: (_HOST, port) for name, port in ports.items()}


@contextmanager
def _process(command: tuple[str, ...], port: int, log: Path) -> Iterator[None]:
    arguments = [sys.executable, *command]
    with log.open("wb") as out, subprocess.Popen(arguments, cwd=ROOT, stdout=out, stderr=out) as process:
        try:
            if not _answers(port, process):
                raise RuntimeError(f"{' '.join(command)} does not answer: {log.read_text(errors='replace')[-1000:]}")
            yield
        finally:
            process.terminate()


def _answers(port: int, process: subprocess.Popen[bytes]) -> bool:
    """Whether somebody listens at the port, as soon as that is so or the process has ended."""
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection((_HOST, port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return True
    return False


def _free_ports(number: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server((_HOST, 0))) for _ in range(number)]
        return [one.getsockname()[1] for one in sockets]


def main(name: str, port: str, upstream: str = "") -> None:
    """Serve until terminated."""
    app = passthrough(upstream) if name == "passthrough" else provider()
    web.run_app(app, host=_HOST, port=int(port), print=None)


if __name__ == "__main__":
    main(*sys.argv[1:])
