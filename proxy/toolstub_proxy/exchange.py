"""One request of a client in which our tools are offered, and all the upstream requests that its answer takes.

The client's status line waits for the first upstream status, so an error or a `Retry-After` arrives as it is. After
that the client reads one answer, whatever goes on behind it; while a later round is silent, comments keep the stream
alive. If the client leaves, its handler is cancelled, and with it the upstream request of the moment.
"""

from __future__ import annotations

import asyncio
import json
import logging
from codecs import BOM_UTF8
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

from aiohttp import ClientError, ClientResponse, web

from . import headers
from .encodings import decoded
from .failures import BROKE_OFF, LATER_ROUND, why
from .incoming import Incoming
from .record import current
from .relay import Whole, begun, cut, has_left, relayed
from .rounds import Rounds
from .streams import Format, Stream
from .streams.usage import added
from .turns import Mine, Turn

log = logging.getLogger(__name__)

T = TypeVar("T")


class Exchange:
    """`ask` sends a body upstream, `off_loop` runs blocking work in a thread; `extra` headers go with the answer.
    `streamed` says that the client asked for a stream, which counts where an answer does not say what it is."""

    def __init__(self, request: web.BaseRequest, rounds: Rounds, fmt: Format, mine: Mine, *, streamed: bool,
                 ask: Callable[[bytes], Awaitable[ClientResponse]],
                 off_loop: Callable[[Callable[[Turn], bytes | None], Turn], Awaitable[bytes | None]],
                 extra: Mapping[str, str], keep_alive: float) -> None:
        self._request = request
        self._rounds = rounds
        self._format = fmt
        self._mine = mine
        self._wants_stream = streamed
        self._ask = ask
        self._off_loop = off_loop
        self._extra = extra
        self._keep_alive = keep_alive
        self._sign_of_life = fmt.KEEP_ALIVE

    async def run(self, body: bytes) -> web.StreamResponse:
        """Answer the client. Raises ClientError as long as the client has seen nothing."""
        incoming, streams = await self._asked(body)
        if streams:
            return await self._streamed(incoming)
        return await self._whole(incoming)

    async def _asked(self, body: bytes) -> tuple[Incoming, bool]:
        """What the upstream answers, and whether this is a stream of events that can be read as it comes."""
        incoming = Incoming(await self._ask(body))
        try:
            return incoming, incoming.is_readable and await incoming.streams(wanted=self._wants_stream)
        except BaseException:
            incoming.upstream.close()
            raise

    async def _whole(self, incoming: Incoming) -> web.StreamResponse:
        usage: dict[str, Any] = {}
        while True:
            upstream = incoming.upstream
            async with upstream:
                if not incoming.is_readable:
                    return await relayed(self._request, upstream, self._extra)
                data = await incoming.whole()
            plain = decoded(data, incoming.encoding)
            body = (plain or b"").removeprefix(BOM_UTF8)
            answer = self._format.answer(body, self._mine)
            if answer is None:
                return self._response(upstream, data)
            turn = answer.turn()
            following = await self._next(turn)
            if following is None:
                text = self._rounds.text if turn.ours or self._rounds.count else turn.text
                shown = answer.render(text, usage, self._rounds.parts, self._rounds.fields)
                if shown == body:
                    return self._response(upstream, data)
                return self._response(upstream, shown, without=headers.OF_ONE_BODY)
            usage = added(usage, answer.usage)
            incoming, streams = await self._asked(following)
            if streams:
                return await self._streamed(incoming)

    def _response(self, upstream: ClientResponse, body: bytes,
                  without: tuple[str, ...] = ("content-length",)) -> web.Response:
        passed = headers.back(upstream.headers, without=without)
        passed.extend(self._extra)
        response = Whole(status=upstream.status, reason=upstream.reason, headers=passed, body=body)
        response.untyped = "content-type" not in passed
        return response

    async def _streamed(self, incoming: Incoming) -> web.StreamResponse:
        self._rounds.streamed = True
        async with incoming.upstream:
            response = await begun(self._request, incoming.upstream, self._extra, without=headers.OF_ONE_BODY)
            stream = self._format.stream(self._mine)
            try:
                following = await self._round(incoming, stream, response, keep_alive=False)
            except ClientError as error:
                cut(self._request, error)
                return response
        while following is not None:
            self._sign_of_life = self._format.KEEP_ALIVE_AMID_IDS if stream.has_ids else self._sign_of_life
            stream = stream.successor()
            try:
                following = await self._later_round(following, stream, response)
            except ClientError as error:
                if has_left(self._request):
                    raise
                current().failure = LATER_ROUND
                log.warning("a later round of an answer failed: %s", why(error))
                await response.write(self._failed(stream, f"the upstream failed: {why(error)}"))
                break
        return response

    async def _later_round(self, body: bytes, stream: Stream, response: web.StreamResponse) -> bytes | None:
        incoming, streams = await self._alive(response, self._asked(body))
        async with incoming.upstream:
            if not streams:
                await response.write(await self._error_of(incoming, stream))
                return None
            following = await self._round(incoming, stream, response, keep_alive=True)
            if stream.turn() is None:
                current().failure = BROKE_OFF
                log.warning("the upstream ended its answer early, in round %d", self._rounds.count + 1)
                await response.write(self._failed(stream, "the upstream ended its answer early"))
            return following

    async def _round(self, incoming: Incoming, stream: Stream, response: web.StreamResponse,
                     *, keep_alive: bool) -> bytes | None:
        """Pass one streamed answer on, as far as it is the client's; the request that has to follow."""
        settled, read = False, incoming.reader()
        while data := await (self._alive(response, read()) if keep_alive else read()):
            await self._write(response, stream.feed(data))
            if stream.done and not settled:
                settled = True
                if (following := await self._settle(stream, response)) is not None:
                    return following
        await self._write(response, stream.close())
        return None if settled else await self._settle(stream, response)

    async def _settle(self, stream: Stream, response: web.StreamResponse) -> bytes | None:
        turn = stream.turn()
        following = await self._next(turn) if turn is not None else None
        if following is None:
            await self._write(response, stream.release())
            if stream.done:
                current().status = response.status
        return following

    async def _next(self, turn: Turn) -> bytes | None:
        if not turn.ours and not self._rounds.count:
            return None
        with current().adding():
            return await self._off_loop(self._rounds.next, turn)

    async def _alive(self, response: web.StreamResponse, waiting: Coroutine[Any, Any, T]) -> T:
        """The outcome of `waiting`, with a sign of life to the client whenever there was nothing for long."""
        task = asyncio.ensure_future(waiting)
        try:
            while not (await asyncio.wait({task}, timeout=self._keep_alive))[0]:
                await response.write(self._sign_of_life)
            return task.result()
        finally:
            task.cancel()

    @staticmethod
    async def _write(response: web.StreamResponse, data: bytes) -> None:
        if data:
            await response.write(data)

    async def _error_of(self, incoming: Incoming, stream: Stream) -> bytes:
        """An upstream's error as an event: its own words, if it is JSON."""
        body = decoded(await incoming.whole(), incoming.encoding) or b""
        log.warning("the upstream answered %s in round %d", incoming.upstream.status, self._rounds.count + 1)
        try:
            said = json.loads(body)
        except (ValueError, RecursionError):
            said = None
        if isinstance(said, dict) and "error" in said:
            return stream.failed(json.dumps(said).encode())
        what = "without a stream" if incoming.is_answer else str(incoming.upstream.status)
        return self._failed(stream, f"the upstream answered {what}")

    def _failed(self, stream: Stream, message: str) -> bytes:
        return stream.failed(self._format.error(f"toolstub: {message}", "api_error"))
