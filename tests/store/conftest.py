"""A store in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from toolstub_ext.store import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store, closed after the test."""
    with open_store(tmp_path / "own" / "store.db") as opened:
        yield opened
