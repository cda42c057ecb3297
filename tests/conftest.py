"""Every test has a store, a home and settings of its own; none sees those of the person who runs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test is timed, so that none fails on a busy machine; what own_world gives is the same for every example.
settings.register_profile("toolstub", deadline=None,
                          suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
settings.load_profile("toolstub")


@pytest.fixture(autouse=True)
def own_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the caller's counts, and the default store lies in the test's folder."""
    for name in os.environ:
        if name.startswith("TOOLSTUB_") and name != "TOOLSTUB_MITMDUMP":
            monkeypatch.delenv(name)
    monkeypatch.setenv("TOOLSTUB_STORE", str(tmp_path / "store.db"))
