"""Responses that a provider keeps, when a client asks for one again, for what was said before it, or to forget it.

Of both the provider tells all that it was told: our tools, calls of them and what we replied. The client gets it
without these, and otherwise in its bytes. A streamed answer it knows by the id of the first round; how that ended
stands in the last, so that one is asked for, and shown under the id that the client knows. As events a provider tells
again only what runs in the background, where there are no rounds; so those of an id are asked for as they are.

    GET .../responses/{id}                  the answer, as JSON or (`?stream=true`) as events
    GET .../responses/{id}/input_items      a page of what was said before it
    DELETE .../responses/{id}               the answer is to be forgotten, and so are all of its rounds
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import quote

from aiohttp import ClientError, ClientResponse, web
from yarl import URL

from toolstub_ext.errors import StoreError, WireError
from toolstub_ext.hidden_rounds import last_round, rounds_behind
from toolstub_ext.retrieval import PREFIX, meant
from toolstub_ext.store.base import Store
from toolstub_ext.wire import Edit, splice
from toolstub_ext.wire.spans import Span, scan

from . import headers
from .encodings import decoded
from .incoming import Incoming
from .relay import Whole, begun, cut, relayed
from .streams import responses
from .streams.replacing import replaced
from .streams.responses import ResponsesStream
from .streams.responses_items import is_ours
from .turns import Mine
from .upstreams import Route

log = logging.getLogger(__name__)

_INPUT = "input_items"


class Recalled(NamedTuple):
    """What a client asks for: the answer of an id, or its `input`. `last` is the provider's id of it, if another."""

    answer: str
    input: bool
    last: str | None = None

    def visible(self, body: bytes) -> bytes:
        """What the client may see of a body; the very same if there is nothing of ours in it."""
        try:
            text = body.decode("utf-8", "surrogatepass")
            shown = _page(text) if self.input else self._answer(text)
        except (WireError, UnicodeDecodeError):
            return body
        return body if shown is None else shown

    def stream(self) -> ResponsesStream:
        """A filter for the events of an answer."""
        return responses.stream(_mine(()))

    def _answer(self, text: str) -> bytes | None:
        root = scan(text, {"tools": [None]}).value
        if not isinstance(root, dict):
            return None
        known = root.get("id")
        if known is not None and known.value == self.last:
            text = splice(text, [replaced(known, json.dumps(self.answer))])
        body = text.encode("utf-8", "surrogatepass")
        offered = root.get("tools")
        tools = offered.value if offered is not None and isinstance(offered.value, list) else []
        answer = responses.answer(body, _mine(tool.value for tool in tools))
        return body if answer is None else answer.render("", {})


def at_last_round(route: Route, asked: Recalled, store: Store,
                  owner: str | None) -> tuple[Route, Recalled]:
    """Where the last round is of the answer that is `asked` for, as far as `owner` has seen one."""
    if asked.input or owner is None or route.url.query.get("stream", "false").lower() not in ("false", "0"):
        return route, asked
    try:
        last = last_round(store, asked.answer, owner=owner)
    except StoreError as error:
        log.warning("an answer is asked for by the id that the client knows: %s", error)
        return route, asked
    if last == asked.answer:
        return route, asked
    return _beside(route, last), asked._replace(last=last)


def hidden_behind(route: Route, answer: str, store: Store, owner: str | None) -> list[Route]:
    """Where the other rounds are of an answer that a client wants to be forgotten, as far as `owner` has seen them."""
    try:
        return [_beside(route, name) for name in rounds_behind(store, answer, owner=owner or "")]
    except StoreError as error:
        log.warning("rounds behind an answer that is to be forgotten are not known: %s", error)
        return []


def _beside(route: Route, name: str) -> Route:
    """Where another answer is than the one that is asked for."""
    known, mark, query = str(route.url).partition("?")
    above = known.rstrip("/").rpartition("/")[0]
    return replace(route, url=URL(f"{above}/{quote(name, safe='')}{mark}{query}", encoded=True))


def recalled(method: str, path: str, sent: Mapping[str, str]) -> Recalled | None:
    """What is asked for, if that is an answer or its input, by a client that does not sign what it sends; of the
    request the method, the path and the headers."""
    steps = _steps(path)
    if method != "GET" or headers.is_signed(sent):
        return None
    if steps[-2:-1] == ["responses"]:
        return Recalled(steps[-1], input=False)
    return Recalled(steps[-2], input=True) if steps[-3:-2] == ["responses"] and steps[-1] == _INPUT else None


def forgotten(method: str, path: str, sent: Mapping[str, str]) -> str | None:
    """The id of the answer that is to be forgotten, if a request asks for that."""
    steps = _steps(path)
    return steps[-1] if method == "DELETE" and steps[-2:-1] == ["responses"] and not headers.is_signed(sent) else None


def _steps(path: str) -> list[str]:
    return path.partition("?")[0].rstrip("/").split("/")


def _page(text: str) -> bytes | None:
    """A page of items, without our calls and what we replied."""
    root = scan(text, {"data": [None]}).value
    data = root.get("data") if isinstance(root, dict) else None
    if data is None or not isinstance(data.value, list):
        return None
    mine = _mine(())
    calls = {str(item.value.get("call_id")) for item in data.value if is_ours(item.value, mine)}
    theirs = [item for item in data.value if not (is_ours(item.value, mine) or _answers(item.value, calls))]
    if len(theirs) == len(data.value):
        return None
    return splice(text, [_only(data, theirs, text)]).encode("utf-8", "surrogatepass")


def _only(items: Span, kept: list[Span], text: str) -> Edit:
    return replaced(items, f"[{','.join(text[item.start:item.end] for item in kept)}]")


def _answers(item: Any, calls: set[str]) -> bool:
    return isinstance(item, dict) and item.get("type") == "function_call_output" and str(item.get("call_id")) in calls


def _mine(offered: Iterable[Any]) -> Mine:
    """Tells our tools by their names, those of Gliding Horse only beside ours, and where the client has none of it."""
    names = {str(tool.get("name")) for tool in offered if isinstance(tool, dict)}
    with_ours = any(name.startswith(PREFIX) for name in names)
    return lambda name: name.startswith(PREFIX) or (with_ours and name not in names and meant(name) is not None)


async def answered(request: web.BaseRequest, upstream: ClientResponse, asked: Recalled) -> web.StreamResponse:
    """Pass an upstream's answer on, as far as it is the client's. Raises ClientError as long as the client has seen
    nothing."""
    incoming = Incoming(upstream)
    if incoming.is_readable and headers.is_event_stream(upstream.headers) and not asked.input:
        return await _streamed(request, incoming, asked)
    if not (incoming.is_readable and headers.is_json(upstream.headers)):
        return await relayed(request, upstream, {})
    data = await incoming.whole()
    plain = decoded(data, incoming.encoding)
    shown = asked.visible(plain) if plain is not None else None
    changed = shown is not None and shown != plain
    passed = headers.back(upstream.headers, without=headers.OF_ONE_BODY if changed else ("content-length",))
    return Whole(status=upstream.status, reason=upstream.reason, headers=passed, body=shown if changed else data)


async def _streamed(request: web.BaseRequest, incoming: Incoming, asked: Recalled) -> web.StreamResponse:
    response = await begun(request, incoming.upstream, {}, without=headers.OF_ONE_BODY)
    stream, read = asked.stream(), incoming.reader()
    try:
        while data := await read():
            await response.write(stream.feed(data))
        await response.write(stream.close() + stream.release())
    except ClientError as error:
        cut(request, error)
    return response
