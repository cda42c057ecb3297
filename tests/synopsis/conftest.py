"""No fault of a kind goes unseen in these tests, although `synopsize` has an answer to each."""

from __future__ import annotations

from typing import NoReturn

import pytest

import toolstub_ext.synopsis
from toolstub_ext.synopsis import Source


def _reveal(_: Source, error: Exception) -> NoReturn:
    raise error


@pytest.fixture(autouse=True)
def faults_are_revealed(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Let a fault through, except to the test that is about faults."""
    if "hides_faults" not in request.keywords:
        monkeypatch.setattr(toolstub_ext.synopsis, "_without_kind", _reveal)
