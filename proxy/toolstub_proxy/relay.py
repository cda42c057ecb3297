"""Requests and answers that pass through as they are, live, in both directions."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress

from aiohttp import ClientError, ClientResponse, HttpVersion11, web

from . import headers
from .failures import BROKE_OFF, why
from .record import CLIENT_GONE, current

log = logging.getLogger(__name__)


class Passed(web.StreamResponse):
    """An answer with an upstream's head; `untyped` if that named no content type."""

    untyped = False

    async def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send a piece, and count it."""
        await super().write(data)
        current().answered += len(data)


class Whole(web.Response):
    """The same, of an answer that was read whole."""

    untyped = False


async def relayed(request: web.BaseRequest, upstream: ClientResponse, extra: Mapping[str, str]) -> web.StreamResponse:
    """Pass an upstream's answer on as it comes, with `extra` headers; if it breaks off, so does ours."""
    response = await begun(request, upstream, extra)
    try:
        async for data in upstream.content.iter_any():
            await response.write(data)
    except ClientError as error:
        cut(request, error)
    return response


async def begun(request: web.BaseRequest, upstream: ClientResponse, extra: Mapping[str, str],
                *, without: tuple[str, ...] = ()) -> web.StreamResponse:
    """The head of an upstream's answer, sent."""
    passed = headers.back(upstream.headers, without=without)
    passed.extend(extra)
    response = Passed(status=upstream.status, reason=upstream.reason, headers=passed)
    response.untyped = "content-type" not in passed
    await response.prepare(request)
    return response


async def ended(request: web.BaseRequest, response: web.StreamResponse) -> None:
    """Send what there still is to be sent of an answer, if the client is still there."""
    with suppress(ConnectionError):
        await response.prepare(request)
        await response.write_eof()


def has_left(request: web.BaseRequest) -> bool:
    """Whether the client has closed its connection."""
    return request.transport is None or request.transport.is_closing()


def cut(request: web.BaseRequest, error: Exception) -> None:
    """Close the client's connection in the middle of the answer, as the upstream's was."""
    if has_left(request):
        current().failure = CLIENT_GONE
    else:
        current().failure = BROKE_OFF
        log.warning("the upstream did not end its answer to %s: %s", request.path, why(error))
    if request.transport is not None:
        request.transport.close()


async def go_on(request: web.BaseRequest) -> None:
    """Tell a client that waits for it to send its body. Nothing else that it may expect is ours to refuse."""
    if request.headers.get("expect", "").lower() == "100-continue" and request.version >= HttpVersion11:
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0


async def body_of(request: web.BaseRequest, start: bytes = b"") -> AsyncIterator[bytes]:
    """What a client sends, as it comes, after what was read of it already."""
    if start:
        yield start
    async for data in request.content.iter_any():
        yield data


async def read_body(request: web.BaseRequest, limit: int) -> tuple[bytes, bool]:
    """A request's body and whether that is all of it; reading stops beyond `limit` bytes."""
    parts, size = [], 0
    async for data in request.content.iter_any():
        parts.append(data)
        size += len(data)
        if size > limit:
            return b"".join(parts), False
    return b"".join(parts), True
