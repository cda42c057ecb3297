"""A store, and a way to ask it about a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from toolstub_ext.querying import Answer, query
from toolstub_ext.store import Store, open_store

Ask = Callable[[str, str], Answer]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store, closed after the test."""
    with open_store(tmp_path / "store.db") as opened:
        yield opened


@pytest.fixture
def ask(store: Store) -> Ask:
    """What an expression selects from a text."""
    return lambda text, expression: query(store, store.put(text, call_id="c").ref, expression)
