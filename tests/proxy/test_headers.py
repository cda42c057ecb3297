"""Headers go through, but those of one connection."""

from __future__ import annotations

import pytest
from multidict import CIMultiDict, CIMultiDictProxy

from toolstub_proxy import headers


def _of(*pairs: tuple[str, str]) -> CIMultiDictProxy[str]:
    return CIMultiDictProxy(CIMultiDict(pairs))


def test_headers_keep_their_order_their_case_and_their_repetitions() -> None:
    """An upstream sees what the client wrote."""
    given = _of(("X-One", "1"), ("Authorization", "Bearer k"), ("x-one", "2"))
    assert list(headers.onward(given).items()) == list(given.items())


@pytest.mark.parametrize("name", [
    "Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Proxy-Authorization", "Host",
    "Expect", headers.TICKET,
])
def test_headers_of_one_connection_stay_on_it(name: str) -> None:
    """The upstream has a connection of its own."""
    assert not headers.onward(_of((name, "x")))


def test_a_connection_header_names_more_that_stay() -> None:
    """As RFC 9110 has it."""
    given = _of(("Connection", "close, X-Private"), ("X-Private", "1"), ("Retry-After", "3"))
    assert list(headers.back(given).items()) == [("Retry-After", "3")]


@pytest.mark.parametrize(("content_type", "is_json"), [
    ("application/json", True), ("Application/JSON; charset=utf-8", True), ("application/vnd.api+json", True),
    ("text/plain", False), ("multipart/form-data; boundary=application/json", False),
])
def test_json_is_told_by_its_type(content_type: str, is_json: bool) -> None:
    """Parameters and case do not matter."""
    assert headers.is_json(_of(("Content-Type", content_type))) is is_json


def test_what_has_no_type_is_nothing_we_know() -> None:
    """So it passes as it is."""
    assert not headers.is_json(_of())
    assert not headers.is_event_stream(_of())
