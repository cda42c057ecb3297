"""A store for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from toolstub_ext.store import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened
