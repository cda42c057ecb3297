"""What the tests of the proxy share: requests, and a client that shows answers as the bytes they are."""

from __future__ import annotations

import gzip
import json
import socket
import zlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import aiohttp
import zstandard

from toolstub_ext.store import Store
from toolstub_proxy import encodings
from toolstub_proxy.demo.upstream import UpstreamApp
from toolstub_proxy.doctor.finding import Finding
from toolstub_proxy.gateway import Gateway

TOOL = {"type": "function", "function": {
    "name": "get_log", "description": "The log of a service.",
    "parameters": {"type": "object", "properties": {"service": {"type": "string"}}},
}}


ANSWER = "ANSWER id_1234=v5214"
"""What only the original of a log says, of `id_1234`."""


ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress, "deflate": zlib.compress, "zstd": zstandard.compress,
    **({"br": encodings.brotli.compress} if encodings.brotli else {}),
}
"""How each content encoding is made that can be undone here."""


def log_of(service: str, lines: int = 3000) -> str:
    """A log too long to be sent whole, in which no line stands out."""
    return "\n".join(f"2026-01-02 INFO {service} request id_{n}=v{n * 7919 % 10007} done" for n in range(lines))


def asked(*services: str, results: bool = True) -> list[dict[str, Any]]:
    """A conversation in which the logs of some services were called for, and came."""
    function = {"name": "get_log", "arguments": "{}"}
    calls = [{"id": f"call_{s}", "type": "function", "function": function} for s in services]
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "What is id_1234?"}, {"role": "assistant", "content": None, "tool_calls": calls},
    ]
    if results:
        messages += [{"role": "tool", "tool_call_id": f"call_{s}", "content": log_of(s)} for s in services]
    return messages


def body_of(messages: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A request with the tool, as an SDK would send it."""
    return {"model": "stand-in", "messages": messages, "tools": [TOOL], **more}


def deltas_of(stream: bytes) -> list[dict[str, Any]]:
    """The chunks of a streamed answer, without `[DONE]` and comments."""
    events = [line.removeprefix(b"data: ") for line in stream.split(b"\n") if line.startswith(b"data: ")]
    return [json.loads(event) for event in events if event != b"[DONE]"]


@dataclass
class Behind:
    """A gateway with its upstream, and a client that neither decodes nor follows anything."""

    gateway: Gateway
    upstream: UpstreamApp
    store: Store
    url: str
    http: aiohttp.ClientSession

    async def post(self, body: Any, path: str = "/v1/chat/completions", **more: Any) -> tuple[int, Any, bytes]:
        """Status, headers and body of the answer to a JSON request; `body` may be its bytes."""
        return await self.post_to(self.url, body, path, **more)

    async def post_to(self, base: str, body: Any, path: str, **more: Any) -> tuple[int, Any, bytes]:
        """The same from another server than the gateway."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **more.pop("headers", {})}
        async with self.http.post(base + path, data=BytesIO(data), headers=headers, **more) as answer:
            return answer.status, answer.headers, await answer.read()

    async def streamed(self, messages: list[dict[str, Any]], **more: Any) -> list[dict[str, Any]]:
        """The chunks of a streamed answer."""
        options = {"stream": True, "stream_options": {"include_usage": True}}
        status, _, answer = await self.post(body_of(messages, **options, **more))
        assert status == 200, answer
        assert b"toolstub_" not in answer
        return deltas_of(answer)


Start = Callable[..., Awaitable[Behind]]
"""What the fixture `start` is: it starts a gateway with an upstream of its own."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wrong_in(findings: Iterable[Finding]) -> list[str]:
    """What is wrong and what to do about it, a line each."""
    return [f"{f.subject}: {f.says} -> {f.do}" for f in findings if f.ok is False]
