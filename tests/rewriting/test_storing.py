"""No stub leads to something that is not there, whatever becomes of the store."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rewriting_support import LARGE, OURS, SMALL, TOOL, request, sent, turn

from toolstub_ext.errors import StoreError
from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Externalize, Settings
from toolstub_ext.store import Store, open_store
from toolstub_ext.synopsis import is_stub


@pytest.fixture
def closed(store: Store) -> Store:
    """A store that fails."""
    store.close()
    return store


def test_without_a_store_the_original_goes_through(closed: Store) -> None:
    """`preserve_raw`: the results stay, the reason says why, our tools are offered all the same."""
    rewriter = Rewriter(closed, Settings())
    body = request(*turn(LARGE, SMALL))
    done = rewriter.rewrite(body)
    assert sent(done) == {**json.loads(body), "tools": [*OURS, TOOL]}
    assert [d.action for d in done.decisions] == ["kept", "kept"]
    assert done.decisions[0].reason.startswith("store unavailable: ")
    assert done.decisions[0].ref is None
    assert rewriter.faults == {"StoreError": 1}


def test_without_a_store_a_preview_leads_nowhere(closed: Store) -> None:
    """`preview_only`: a stub without a ref that says what happened."""
    settings = Settings(externalize=Externalize(failure_mode="preview_only"))
    done = rewrite(request(*turn(LARGE)), store=closed, settings=settings)
    stub = sent(done)["messages"][2]["content"]
    assert is_stub(stub)
    assert "reason: over 3,000 chars:externalization_failed\n" in stub
    assert not any(word in stub for word in ("ref:", "Explore", "stored"))
    assert (done.decisions[0].action, done.decisions[0].ref) == ("externalized", None)
    assert done.decisions[0].reason.endswith(":externalization_failed")


def test_without_a_store_a_request_may_be_rejected(closed: Store) -> None:
    """`reject`: the caller gets the store's error; a request that stores nothing is rejected too, for its rounds."""
    settings = Settings(externalize=Externalize(failure_mode="reject"))
    with pytest.raises(StoreError):
        rewrite(request(*turn(LARGE)), store=closed, settings=settings)
    body = request(*turn(LARGE), tools=[])
    assert rewrite(body, store=closed, settings=settings).body is body


def test_what_was_stored_stays_a_stub_when_the_store_goes_away(store: Store) -> None:
    """The prefix that the provider has cached does not break, only what is new stays whole."""
    rewriter = Rewriter(store, Settings())
    first = rewriter.rewrite(request(*turn(LARGE)))
    store.close()
    second = rewriter.rewrite(request(*turn(LARGE), *turn(LARGE + "new", start=1)))
    assert sent(second)["messages"][:3] == sent(first)["messages"]
    assert sent(second)["messages"][4]["content"] == LARGE + "new"


class Moody:
    """A store that fails while it is told to, and counts how often it was asked to put."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.fails = True
        self.asked = 0

    def put(self, text: str, **more: Any) -> Any:
        """As the store's, or its error."""
        self.asked += 1
        if self.fails:
            raise StoreError("disk full")
        return self._store.put(text, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def test_a_store_that_fails_is_asked_once_for_a_request(store: Store) -> None:
    """So a store that answers slowly before it fails does not hold up a request for each of its results."""
    moody = Moody(store)
    done = Rewriter(moody, Settings()).rewrite(request(*turn(LARGE, LARGE + "2", LARGE + "3")))  # type: ignore[arg-type]
    assert moody.asked == 1
    assert [decision.reason for decision in done.decisions] == ["store unavailable: disk full"] * 3


def test_when_a_fault_has_passed_the_history_is_stubbed_again(store: Store) -> None:
    """What is remembered of a conversation does not keep a fault alive."""
    moody = Moody(store)
    rewriter = Rewriter(moody, Settings())  # type: ignore[arg-type]
    history = [*turn(LARGE), *turn(LARGE + "2", start=1), *turn(LARGE + "3", start=2)]
    assert LARGE in rewriter.rewrite(request(*history)).text.replace("\\n", "\n")
    moody.fails = False
    later = request(*history, *turn(SMALL, start=3))
    assert rewriter.rewrite(later).body == rewrite(later, store=store, settings=Settings()).body
    assert LARGE not in rewriter.rewrite(later).text.replace("\\n", "\n")


def _deleted(files: list[Path]) -> None:
    for file in files:
        file.unlink()


def _moved(files: list[Path]) -> None:
    for file in files:
        file.rename(file.with_name(f"moved-{file.name}"))


def _replaced(files: list[Path]) -> None:
    _moved(files)
    with open_store(files[0]):
        pass


@pytest.mark.parametrize("lose", [_deleted, _moved, _replaced])
@pytest.mark.parametrize("grows", [False, True])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_store_that_was_lost_is_filled_again(tmp_path: Path, lose: Callable[[list[Path]], None],
                                               grows: bool, times: int) -> None:
    """While a proxy runs: clients send originals whole, so every stub of the next request leads somewhere again. And so
    where it is lost once more, behind a request that began without one."""
    history = [message for start in range(8) for message in turn(f"{LARGE}{start}", start=start)]
    with open_store(tmp_path / "store.db") as store:
        rewriter = Rewriter(store, Settings())
        before = rewriter.rewrite(request(*history))
        for time in range(times):
            lose(sorted(tmp_path.glob("store.db*")))
            more = [message for start in range(8, 9 + time) for message in turn(SMALL, start=start)] if grows else []
            done = rewriter.rewrite(request(*history, *more))
        refs = [decision.ref for decision in done.decisions if decision.action == "externalized"]
        assert len(refs) == 8
        assert sent(done)["messages"][:len(history)] == sent(before)["messages"][:len(history)]
        assert [store.read(str(ref), limit=-1).text for ref in refs] == [f"{LARGE}{start}" for start in range(8)]
