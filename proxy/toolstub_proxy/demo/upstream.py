"""A strict local stand-in for the paid chat API: it refuses what the API refuses, and answers as the API streams.

    async with UpstreamApp() as upstream:
        client = openai.OpenAI(base_url=upstream.url + "/v1", api_key="any")

It plays a model that goes by simple rules. It reads the last line of the last user message that says `What is NAME?`;
`NAME` is known once a visible text holds `NAME=value`. If it is not:

- a tool result that is a stub, and a search tool in the request: it searches for NAME, and reads around what it finds;
- no tool result yet: it calls the client's first tool, for each `SERVICE=x` in the question (or with no arguments);
- nothing left to try: it says that it does not know.

`script` puts turns of a test's own in front of that: a function from the request body to a `Reply`, or None to go on.
`fault` does the same for HTTP faults. Every request body is kept in `requests`. A subclass may speak another format:
it says at which `PATH`, and how that checks, understands, answers and refuses.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from aiohttp import web

from .upstream_model import Reply, decide
from .upstream_rules import RefusedError, check

OK = 200
HELD_BACK = 2
"""Events at the end of an answer that wait for the gate."""
STREAM_PIECE = 12
"""Characters of a text or of arguments in one streamed event."""


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one answer. `events` counts the events sent before `cut` or `stall`; `torn` adds half of the
    next one."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    delay: float = 0.0
    events: int = 0
    cut: bool = False
    stall: bool = False
    torn: bool = False


class UpstreamApp:
    """The stand-in, serving on a loopback port for as long as it is entered."""

    PATH = "chat/completions"

    def __init__(self, *, script: Callable[[dict[str, Any]], Reply | None] | None = None,
                 fault: Callable[[dict[str, Any]], Fault | None] | None = None, host: str = "127.0.0.1") -> None:
        self.requests: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.cancelled = 0
        self.halted = 0
        """Answers that a fault has brought to a halt."""
        self.gate: asyncio.Event | None = None
        """If set, a streamed answer waits for it before its last events."""
        self._news = asyncio.Event()
        self._script = script
        self._fault = fault
        self._host = host
        app = web.Application(client_max_size=1024**3)
        app.router.add_post("/{prefix:.*}" + self.PATH, self._posted)
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        self.url = ""

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The request bodies, parsed."""
        return [json.loads(body) for body in self.requests]

    async def until(self, holds: Callable[[], bool], within: float = 30.0) -> None:
        """Wait until `holds()`, which is asked again at every request, halt and cancellation. Raises TimeoutError."""
        async with asyncio.timeout(within):
            while not holds():
                self._news.clear()
                await self._news.wait()

    async def start(self, port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        """Listen, on a free port unless one is given."""
        await self._runner.setup()
        await web.TCPSite(self._runner, self._host, port, ssl_context=tls).start()
        self.url = f"http{'s' if tls else ''}://{self._host}:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        """Close."""
        await self._runner.cleanup()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    async def _posted(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        self.requests.append(raw)
        self.headers.append(dict(request.headers))
        self._news.set()
        try:
            return await self._answered(request, raw)
        except asyncio.CancelledError:
            self.cancelled += 1
            self._news.set()
            raise
        except RefusedError as refused:
            return web.json_response(self.refused(refused), status=400)

    def check(self, raw: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
        """The request, if the API would take it. Raises RefusedError."""
        return check(raw, headers.get("content-type", ""))

    def decide(self, body: dict[str, Any]) -> Reply:
        """What the model does."""
        return decide(body)

    def answer(self, number: int, body: dict[str, Any], reply: Reply) -> Answer:
        """That, in the API's words."""
        return ChatAnswer(number, body, reply)

    def refused(self, error: RefusedError) -> dict[str, Any]:
        """A refusal, in the API's words."""
        said = {"message": str(error), "type": "invalid_request_error", "param": error.param, "code": None}
        return {"error": said}

    async def _answered(self, request: web.Request, raw: bytes) -> web.StreamResponse:
        body = self.check(raw, request.headers)
        fault = (self._fault(body) if self._fault else None) or Fault()
        if fault.delay:
            await self._halt(fault.delay)
        if fault.status != OK or fault.body is not None:
            return web.Response(status=fault.status, headers=fault.headers, body=fault.body or b"")
        reply = (self._script(body) if self._script else None) or self.decide(body)
        answer = self.answer(len(self.requests), body, reply)
        if not body.get("stream"):
            return web.json_response(answer.whole())
        return await self._streamed(request, answer, fault)

    async def _halt(self, seconds: float) -> None:
        self.halted += 1
        self._news.set()
        await asyncio.sleep(seconds)

    async def _streamed(self, request: web.Request, answer: Answer, fault: Fault) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "x-request-id": answer.id})
        await response.prepare(request)
        events = answer.events()
        for number, event in enumerate(events):
            if (fault.cut or fault.stall) and number == fault.events:
                await response.write(event[:len(event) // 2] if fault.torn else b"")
                if fault.stall:
                    await self._halt(3600)
                if request.transport is not None:
                    request.transport.abort()
                return response
            if self.gate is not None and number == len(events) - HELD_BACK:
                await self.gate.wait()
            await response.write(event)
        return response


class Answer(Protocol):
    """A reply in an API's words."""

    id: str

    def whole(self) -> dict[str, Any]:
        """As one JSON object."""
        ...

    def events(self) -> list[bytes]:
        """As the events of a stream."""
        ...


class ChatAnswer:
    """A reply in the words of the chat API."""

    def __init__(self, number: int, request: dict[str, Any], reply: Reply) -> None:
        self.id = f"chatcmpl-{number:06d}"
        self._number = number
        self._request = request
        self._reply = reply
        self._finish = reply.finish or ("tool_calls" if reply.calls else "stop")

    def whole(self) -> dict[str, Any]:
        """The answer as one JSON object."""
        message: dict[str, Any] = {"role": "assistant", "content": self._reply.text or None, "refusal": None}
        if self._reply.calls:
            message["tool_calls"] = self._calls()
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": self._finish}
        return {"id": self.id, "object": "chat.completion", "created": 1_700_000_000 + self._number,
                "model": self._request["model"], "choices": [choice], "usage": self._usage()}

    def events(self) -> list[bytes]:
        """The answer as the events of a stream."""
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": None if self._reply.calls else ""}]
        deltas += [{"content": piece} for piece in pieces(self._reply.text)]
        for index, call in enumerate(self._calls()):
            function = {"name": call["function"]["name"], "arguments": ""}
            deltas.append({"tool_calls": [{"index": index, **call, "function": function}]})
            deltas += [{"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
                       for piece in pieces(call["function"]["arguments"])]
        events = [self._event([_choice(delta, None)]) for delta in deltas]
        events.append(self._event([_choice({}, self._finish)]))
        if (self._request.get("stream_options") or {}).get("include_usage"):
            events.append(self._event([], usage=self._usage()))
        return [*events, b"data: [DONE]\n\n"]

    def _event(self, choices: list[dict[str, Any]], **more: Any) -> bytes:
        chunk = {"id": self.id, "object": "chat.completion.chunk", "created": 1_700_000_000 + self._number,
                 "model": self._request["model"], "choices": choices, **more}
        return b"data: " + json.dumps(chunk, separators=(",", ":")).encode() + b"\n\n"

    def _calls(self) -> list[dict[str, Any]]:
        return [{"id": f"call_{self._number}_{n}", "type": "function", "function": {"name": tool, "arguments": given}}
                for n, (tool, given) in enumerate(self._reply.calls)]

    def _usage(self) -> dict[str, Any]:
        read, written = len(json.dumps(self._request)) // 4, len(self._reply.text) // 4 + 1
        return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written,
                "prompt_tokens_details": {"cached_tokens": 0}}


def _choice(delta: dict[str, Any], finish: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}


def pieces(text: str) -> list[str]:
    """A text, cut as a stream cuts it."""
    return [text[at:at + STREAM_PIECE] for at in range(0, len(text), STREAM_PIECE)]
