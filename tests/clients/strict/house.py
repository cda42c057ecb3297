"""All three APIs under one roof: what the proxy of a trial has behind it.

Each request is checked as its API checks it, and answered by one model. What came, what was refused and what was
answered is kept.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Mapping
from typing import Any, Self

from aiohttp import web
from messages_upstream import MessagesUpstream, signature_of
from responses_upstream import ResponsesUpstream

from toolstub_proxy.demo.upstream import Answer, UpstreamApp
from toolstub_proxy.demo.upstream_model import Reply
from toolstub_proxy.demo.upstream_rules import RefusedError

from . import chat, messages, responses
from .heard import Asked, refuse
from .model import decide

_MODEL = {"id": "stand-in", "object": "model", "type": "model", "created": 1, "owned_by": "stand-in",
          "created_at": "2025-01-01T00:00:00Z", "display_name": "stand-in"}


class House:
    """The three APIs on one loopback port, for as long as it is entered."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.asked: list[Asked] = []
        """What was taken, in the order in which it came."""
        self.refusals: list[str] = []
        self.usages: list[dict[str, Any]] = []
        self.calls: dict[str, str] = {}
        """The calls the model made: the name of the tool for each id."""
        self.bodies: list[bytes] = []
        self.strangers: list[str] = []
        """Requests to no path of an API."""
        self.url = ""
        app = web.Application(client_max_size=1024**3)
        for room in (_Chat(self), _Responses(self), _Messages(self)):
            app.router.add_post("/{prefix:.*}" + room.PATH, room._posted)
        app.router.add_post("/{prefix:.*}v1/messages/count_tokens", self._counted)
        app.router.add_get("/{prefix:.*}models", self._models)
        app.router.add_route("*", "/{rest:.*}", self._other)
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self._tls).start()
        self.url = f"http{'s' if self._tls else ''}://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._runner.cleanup()

    @property
    def hidden(self) -> list[str]:
        """The calls of our tools that the model made."""
        return [name for name in self.calls.values() if name.startswith("toolstub_")]

    def take(self, raw: bytes, asked: Asked) -> None:
        """Remember a request that passed its check."""
        self.bodies.append(raw)
        self.asked.append(asked)

    def told(self, answer: Answer) -> Answer:
        """Remember an answer."""
        whole = answer.whole()
        self.usages.append(whole["usage"])
        message = whole["choices"][0]["message"] if "choices" in whole else whole
        for call in message.get("tool_calls") or message.get("output") or message.get("content") or ():
            if isinstance(call, dict) and (name := call.get("name") or call.get("function", {}).get("name")):
                self.calls[call.get("call_id") or call["id"]] = name
        return answer

    async def _counted(self, request: web.Request) -> web.Response:
        return web.json_response({"input_tokens": len(await request.read()) // 4})

    async def _models(self, request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [_MODEL], "has_more": False, "first_id": "stand-in",
                                  "last_id": "stand-in"})

    async def _other(self, request: web.Request) -> web.Response:
        if request.method != "HEAD":
            self.strangers.append(f"{request.method} {request.path}")
        return web.json_response({"error": {"message": "no such path", "type": "invalid_request_error"}}, status=404)


class _Room(UpstreamApp):
    """What the three have in common."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self.house = house
        self._asked: dict[int, Asked] = {}

    def understood(self, body: dict[str, Any], headers: Mapping[str, str]) -> Asked:
        """What is asked. Raises RefusedError."""
        raise NotImplementedError

    def check(self, raw: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
        """The request, if the API would take it. Raises RefusedError."""
        try:
            is_json = headers.get("content-type", "").partition(";")[0] == "application/json"
            refuse(is_json, "the content type must be application/json")
            refuse("authorization" in headers or "x-api-key" in headers, "there is no API key")
            body: dict[str, Any] = json.loads(raw)
            asked = self.understood(body, headers)
        except RefusedError as refused:
            self.house.refusals.append(str(refused))
            raise
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            self.house.refusals.append(f"malformed: {error!r}")
            raise RefusedError(f"malformed: {error!r}") from error
        self._asked[id(body)] = asked
        self.house.take(raw, asked)
        return body

    def decide(self, body: dict[str, Any]) -> Reply:
        """What the model does."""
        return decide(self._asked.pop(id(body)))

    def answer(self, number: int, body: dict[str, Any], reply: Reply) -> Answer:
        """That, in the API's words."""
        return self.house.told(super().answer(number, body, reply))


class _Chat(_Room):
    def understood(self, body: dict[str, Any], headers: Mapping[str, str]) -> Asked:
        return chat.check(body)


class _Responses(_Room, ResponsesUpstream):
    def understood(self, body: dict[str, Any], headers: Mapping[str, str]) -> Asked:
        before = body.get("previous_response_id")
        if before is not None and before not in self.kept:
            raise RefusedError(f"previous response {before} not found")
        known = {item["id"]: item for items in self.kept.values() for item in items if item.get("id")}
        return responses.check(body, self._all(body), known)


class _Messages(_Room, MessagesUpstream):
    def understood(self, body: dict[str, Any], headers: Mapping[str, str]) -> Asked:
        return messages.check(body, headers, signature_of)

    def answer(self, number: int, body: dict[str, Any], reply: Reply) -> Answer:
        return super().answer(number, body if messages.thinks(body) else {**body, "thinking": None}, reply)
