"""Which headers go through the proxy: all but those that belong to one connection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from multidict import CIMultiDict, CIMultiDictProxy

SUMMARY: Final = "x-toolstub"
"""The header of an answer that says what was stubbed in its request."""

DRY_RUN: Final = "x-toolstub-dry-run"
"""The header by which a client asks what would be sent, in place of an answer."""

TOKEN: Final = "x-toolstub-token"  # noqa: S105 - the name of the header
"""The header in which a client gives the proxy's token; see `admission`."""

TICKET: Final = "x-toolstub-id"
"""The header by which the gateway knows a request that mitmproxy has handed over; see `redirects`."""

OF_ONE_BODY: Final = ("content-length", "content-encoding", "content-digest", "content-md5", "digest", "repr-digest")
"""Headers that are true of one body only."""

IDEMPOTENCY: Final = "Idempotency-Key"
"""The header by which an upstream knows a request that it gets once more."""

_control = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_HOP_BY_HOP = frozenset({
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
})
_NOT_ONWARD = frozenset({"host", "expect", TICKET, TOKEN, DRY_RUN})
_WEBSOCKET = frozenset({
    "sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions", "sec-websocket-protocol",
    "sec-websocket-accept",
})


def onward(headers: CIMultiDictProxy[str], *, without: Iterable[str] = ()) -> CIMultiDict[str]:
    """The headers of a request for the upstream, `without` some more (lower-case names)."""
    return _passed(headers, _NOT_ONWARD.union(without))


def back(headers: CIMultiDictProxy[str], *, without: Iterable[str] = ()) -> CIMultiDict[str]:
    """The headers of an answer for the client, `without` some more (lower-case names)."""
    return _passed(headers, frozenset(without))


def for_websocket(headers: CIMultiDictProxy[str]) -> CIMultiDict[str]:
    """The headers of a request to open a websocket, without those that each connection has of its own."""
    return _passed(headers, _NOT_ONWARD | _WEBSOCKET)


def _passed(headers: CIMultiDictProxy[str], without: frozenset[str]) -> CIMultiDict[str]:
    named = {name.strip().lower() for value in headers.getall("connection", ()) for name in value.split(",")}
    stopped = _HOP_BY_HOP | without | named
    return CIMultiDict((name, value) for name, value in headers.items()
                       if name.lower() not in stopped and _can_be_sent(value))


def _can_be_sent(value: str) -> bool:
    """Whether it holds no control characters, which some servers send, and no library sends on."""
    return value.isprintable() or not _control.search(value)


def is_json(headers: Mapping[str, str]) -> bool:
    """Whether the content is said to be JSON."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or kind.endswith("+json")


def is_signed(headers: Mapping[str, str]) -> bool:
    """Whether the client has signed what it sends, so that nothing in it may be changed."""
    return headers.get("authorization", "").startswith("AWS4-") or "signature-input" in headers


def is_event_stream(headers: Mapping[str, str]) -> bool:
    """Whether the content is said to be server-sent events."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "text/event-stream"
