"""A row of `make clients` that needs nothing installed: the SDKs that are beside the tests, behind the real proxy."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from clients import trial
from clients.catalogue import CLIENTS, Trial

HERE = [one for client in CLIENTS if client.name in ("openai", "anthropic") and find_spec(client.name) is not None
        for one in client.trials]


@pytest.mark.parametrize("one", HERE, ids=lambda one: f"{one.client.name}-{one.format}{one.variant}-{one.streamed}")
async def test_an_sdk_sees_no_trace_of_us(one: Trial) -> None:
    """It solves its task, and the strict upstream refuses nothing."""
    outcome = await trial.run(one, Path(sys.prefix))
    assert outcome.faults == []
    assert outcome.hidden >= 4
