"""What a first request needs is ready before it comes."""

from __future__ import annotations

import subprocess
import sys

from toolstub_ext.errors import StoreError
from toolstub_ext.store import Store
from toolstub_proxy.warming import warm_up

_SCRIPT = """
import json, sys
from toolstub_ext.rewriting import rewrite
from toolstub_ext.settings import Settings
from toolstub_ext.store import open_store
from toolstub_proxy.warming import warm_up

with open_store(sys.argv[1]) as store:
    warm_up(store)
    before = set(sys.modules)
    for text in ('[{"a": 1}]' * 900, "a,b\\n1,2\\n" * 3000, "def f(x):\\n    return x\\n" * 2000, "words\\n" * 5000):
        messages = [{"role": "tool", "tool_call_id": "c", "content": text}]
        done = rewrite(json.dumps({"tools": [{"name": "t"}], "messages": messages}).encode(), store=store,
                       settings=Settings())
        assert done.decisions
    print(*sorted(set(sys.modules) - before))
"""


def test_after_warming_up_a_request_imports_nothing(tmp_path: object) -> None:
    """Of whatever kind its results are."""
    done = subprocess.run([sys.executable, "-c", _SCRIPT, f"{tmp_path}/store.db"], capture_output=True, text=True,
                          check=True)
    assert done.stdout.split() == []


def test_warming_up_keeps_nothing(store: Store) -> None:
    """The store is opened, and that is all."""
    warm_up(store)
    assert store.stats()["originals"] == store.stats()["sightings"] == 0


def test_a_store_that_fails_does_so_when_it_is_needed() -> None:
    """And not in a thread to which nobody listens."""
    asked = []

    class Failing:
        def rounds(self, **who: str) -> None:
            asked.append(who)
            raise StoreError("the disk is full")

    warm_up(Failing())  # type: ignore[arg-type]
    assert asked
