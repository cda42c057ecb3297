"""A store, and two originals in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from retrieval_support import LOG, ORDERS

from toolstub_ext.store import Entry, Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store, closed after the test."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened


@pytest.fixture
def log(store: Store) -> Entry:
    """Many short lines."""
    return store.put(LOG, session="s", tool="bash", kind="text (log)")


@pytest.fixture
def orders(store: Store) -> Entry:
    """One long line."""
    return store.put(ORDERS, session="s", tool="list_orders", kind="json")
