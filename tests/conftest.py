"""Every test has a store, a home and settings of its own; none sees those of the person who runs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the caller's counts, and the default store lies in the test's folder."""
    for name in os.environ:
        if name.startswith("TOOLSTUB_") and name != "TOOLSTUB_MITMDUMP":
            monkeypatch.delenv(name)
    monkeypatch.setenv("TOOLSTUB_STORE", str(tmp_path / "store.db"))
