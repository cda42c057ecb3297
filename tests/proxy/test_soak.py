"""The load that `make soak` puts on a proxy for half an hour, for a few seconds."""

from __future__ import annotations

import soak_proxy


async def test_no_request_fails_under_mixed_load() -> None:
    """In any format, and whoever leaves."""
    seen = await soak_proxy.soak(minutes=0.05, clients=4)
    assert seen.failures == []
    assert seen.requests
    assert seen.memory


def test_memory_that_grows_is_told_from_memory_that_does_not() -> None:
    """By what was taken in the last third, whatever the first was."""
    assert soak_proxy.growth([(at, min(at, 10.0)) for at in range(1, 61)]) == 1.0
    assert soak_proxy.growth([(at, float(at)) for at in range(1, 61)]) > soak_proxy.MOST_GROWTH
