"""Brotli is undone where mitmproxy has brought the library."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from toolstub_proxy import encodings
from toolstub_proxy.encodings import decoded

TEXT = b'{"messages": []}' * 100
brotli: Any = import_module("brotli")


def test_a_body_is_undone_within_a_bound() -> None:
    """A few bytes of it can hold megabytes."""
    assert decoded(brotli.compress(TEXT), "br") == TEXT
    bomb = brotli.compress(bytes(3_000_000))
    assert decoded(bomb, "br", limit=2_999_999) is None
    assert decoded(bomb, "br", limit=3_000_000) == bytes(3_000_000)


@pytest.mark.parametrize("body", [b"anything", b"", brotli.compress(TEXT)[:-3], brotli.compress(TEXT) + b"x"])
def test_what_is_cut_or_longer_is_left_alone(body: bytes) -> None:
    """Then the body is forwarded as it came."""
    assert decoded(body, "br") is None


def test_without_the_library_a_body_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not one of ours."""
    monkeypatch.setattr(encodings, "brotli", None)
    assert decoded(brotli.compress(TEXT), "br") is None
