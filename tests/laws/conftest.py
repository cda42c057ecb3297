"""The laws of rewriting, tried on conversations that nobody would think of. Each test names its law.

1. Nothing is lost.  2. A stub is a pure function.  3. A byte once sent does not change.
4. Untouched bytes stay untouched.  5. Never larger.  6. Never worse than not being there.  8. Owners are apart.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from toolstub_ext.store import Store, open_store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One real store for all examples."""
    with open_store(tmp_path_factory.mktemp("laws") / "store.db") as opened:
        yield opened
