"""Connections that do not speak HTTP: they are answered with 400, in one line of the log, and others do not notice."""

from __future__ import annotations

import asyncio
import logging

import pytest
from aiohttp.http_exceptions import BadHttpMessage
from proxy_support import Start
from spoken import FORMATS, Spoken

from toolstub_proxy import strangers

_POST = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n"


@pytest.mark.parametrize(("sent", "told"), [
    (_POST + b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\nzz\r\n', "Invalid character in chunk size"),
    (_POST + b"Content-Length: -1\r\n\r\n", "Invalid character in Content-Length"),
    (b"GET / HTTP/9.9\r\n\r\n", "Bad status line"),
    (b"GET\r\n\r\n", ""),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01", ""),
], ids=["chunks", "length", "version", "method", "TLS"])
async def test_no_http_is_told_in_one_line(
    start: Start, caplog: pytest.LogCaptureFixture, sent: bytes, told: str,
) -> None:
    """Without a traceback, which only a fault of ours is worth; what is common from the internet is not told at all."""
    behind = await start()
    reader, writer = await asyncio.open_connection(*behind.url.removeprefix("http://").split(":"))
    writer.write(sent)
    assert b" 400 " in await reader.readline()
    writer.close()
    said = [record.getMessage() for record in caplog.records if record.name == strangers.__name__]
    assert [line.endswith(f"sent what is no HTTP: {told}") for line in said] == [True] * bool(told)
    assert not any(record.exc_info and record.levelno >= logging.WARNING for record in caplog.records)
    spoken: Spoken = FORMATS[0]
    assert (await behind.post(spoken.body(), spoken.path, headers=dict(spoken.headers)))[0] == 200


@pytest.mark.parametrize(("error", "told"), [
    (BadHttpMessage("Bad:\n\n  b'x'"), False), (BadHttpMessage(""), False), (RuntimeError("ours"), True),
])
def test_other_errors_are_told_with_where_they_were_raised(
    caplog: pytest.LogCaptureFixture, error: Exception, told: bool,
) -> None:
    """For those are bugs."""
    strangers.log.error("Error handling request from %s", "somewhere", exc_info=error)
    assert bool(caplog.records[0].exc_info) is told
    assert "\n" not in caplog.records[0].getMessage()
