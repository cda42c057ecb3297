"""A request that is begun is rewritten as any other, but for when the store is asked to write."""

from __future__ import annotations

from typing import Any

import pytest
from rewriting_support import LARGE, SMALL, USER, request, sent, turn

from toolstub_ext.errors import StoreError
from toolstub_ext.rewriting import Rewriter, Rewritten, rewrite
from toolstub_ext.rewriting.rewriter import QUICK_CHARS
from toolstub_ext.settings import Externalize, Settings
from toolstub_ext.store import Store

JOB: dict[str, Any] = {"owner": "local", "path": "/v1/chat/completions", "session": None}


MEDIUM = LARGE[:QUICK_CHARS - 10]
"""Long enough for a stub, and not too long for one to be made at once."""


class Watched:
    """A store that counts what it is asked to put, and fails if it is told to."""

    def __init__(self, store: Store, error: Exception | None = None) -> None:
        self._store = store
        self.error = error
        self.asked = 0

    def put(self, text: str, **more: Any) -> Any:
        """As the store's, or the error."""
        self.asked += 1
        if self.error:
            raise self.error
        return self._store.put(text, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def watched(store: Store, error: Exception | None = None, settings: Settings | None = None) -> tuple[Watched, Rewriter]:
    """A store, and a rewriter that uses it."""
    at = Watched(store, error)
    return at, Rewriter(at, settings or Settings())  # type: ignore[arg-type]


def test_nothing_is_stored_before_the_end_and_all_of_it_then(store: Store) -> None:
    """A conversation that grows: each body is what it would be without that, and only new originals have to wait."""
    at, rewriter = watched(store)
    said: list[dict[str, Any]] = []
    for number, results in enumerate([(SMALL,), (MEDIUM,), (SMALL,), (MEDIUM + "2", MEDIUM + "3"), (MEDIUM,), ()]):
        said += turn(*results, start=10 * number) if results else [USER]
        asked = at.asked
        begun = rewriter.begin(request(*said), **JOB)
        assert at.asked == asked
        assert begun.waits == any(result.startswith(MEDIUM) for result in results)
        done = begun.finish()
        assert at.asked - asked == sum(result.startswith(MEDIUM) for result in results)
        assert done.body == rewrite(request(*said), store=store, settings=Settings()).body
        assert all(store.read(decision.ref).text for decision in done.decisions if decision.ref)
    assert not rewriter.begin(request(*said), **JOB).waits
    assert not rewriter.faults


def test_a_request_that_is_alone_has_nothing_left_to_the_end(store: Store) -> None:
    """Its originals are stored when it is begun, however long they are."""
    at, rewriter = watched(store)
    body = request(*turn(MEDIUM, LARGE, SMALL))
    begun = rewriter.begin(body, **JOB, alone=True)
    assert (begun.waits, at.asked) == (False, 2)
    done = begun.finish()
    assert done.body == rewrite(body, store=store, settings=Settings()).body
    assert [store.read(decision.ref, limit=-1).text for decision in done.decisions if decision.ref] == [MEDIUM, LARGE]
    assert at.asked == 2


@pytest.mark.parametrize("mode", ["preserve_raw", "preview_only", "reject"])
def test_what_fails_for_one_that_is_alone_is_tried_again_at_the_end(store: Store, mode: Any) -> None:
    """The store might only have been busy, for which nobody waits before. No fault is noted for that."""
    at, rewriter = watched(store, StoreError("busy"), Settings(externalize=Externalize(failure_mode=mode)))
    body = request(*turn(LARGE))
    begun = rewriter.begin(body, **JOB, alone=True)
    assert begun.waits
    at.error = None
    assert begun.finish().body == rewrite(body, store=store, settings=Settings()).body
    assert not rewriter.faults


def test_what_is_begun_is_remembered_when_it_is_done(store: Store) -> None:
    """Not before: another request could be told that an original is stored."""
    _, rewriter = watched(store)
    body = request(*turn(SMALL), *turn(MEDIUM, start=1), *turn(MEDIUM + "2", start=2))
    longer = request(*turn(SMALL), *turn(MEDIUM, start=1), *turn(MEDIUM + "2", start=2), *turn(SMALL, start=3))
    begun = rewriter.begin(body, **JOB)
    assert rewriter.begin(longer, **JOB).waits
    assert rewriter.new_at_a_look(longer, JOB["path"]) == len(longer)
    begun.finish()
    assert (rewriter.new_at_a_look(longer, JOB["path"]) or 0) < len(longer)
    assert not rewriter.begin(longer, **JOB).waits


def _outcome(rewriter: Rewriter, body: bytes, *, begun: bool) -> Rewritten | str:
    try:
        return rewriter.begin(body, **JOB).finish() if begun else rewriter.rewrite(body, **JOB)
    except StoreError as error:
        return str(error)


@pytest.mark.parametrize("error", [StoreError("disk full"), ValueError("a fault of ours")])
@pytest.mark.parametrize("mode", ["preserve_raw", "preview_only", "reject"])
def test_a_store_that_fails_at_the_end_is_asked_once(store: Store, error: Exception, mode: Any) -> None:
    """What becomes of the request is what would have become of it if that had been known at once."""
    settings = Settings(externalize=Externalize(failure_mode=mode))
    body = request(*turn(MEDIUM, SMALL, MEDIUM + "2"))
    outcomes = []
    for begun in (True, False):
        at, rewriter = watched(store, error, settings)
        outcome = _outcome(rewriter, body, begun=begun)
        seen = (sent(outcome), outcome.decisions) if isinstance(outcome, Rewritten) else outcome
        outcomes.append((seen, rewriter.faults, at.asked))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][2] == 1


def test_what_takes_long_is_left_to_the_end_altogether(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new result that is long, and not one that was there before."""
    _, rewriter = watched(store)
    said = [*turn(MEDIUM), *turn(LARGE, start=1), *turn(SMALL, start=2)]
    with monkeypatch.context() as patch:
        patch.setattr("toolstub_ext.rewriting.memory.synopsis_of", lambda *_, **__: pytest.fail("a synopsis was made"))
        begun = rewriter.begin(request(*said), **JOB)
    assert begun.waits
    assert begun.finish().body == rewrite(request(*said), store=store, settings=Settings()).body
    assert not rewriter.begin(request(*said, USER), **JOB).waits


def test_a_look_tells_how_much_is_new_where_a_conversation_goes_on(store: Store) -> None:
    """As a closer one does; where it began otherwise, or another request goes on from it just now, it tells nothing."""
    _, rewriter = watched(store)
    said = [message for start in range(90) for message in turn(f"{SMALL}{start}", start=start)]
    body, longer, other = request(*said), request(*said, USER), request(*said, USER).replace(b'"m"', b'"n"', 1)
    path = JOB["path"]
    assert [rewriter.new_at_a_look(body, "/v1/models"), rewriter.new_at_a_look(body, path)] == [0, len(body)]
    rewriter.rewrite(body, **JOB)
    new = rewriter.new_at_a_look(longer, path)
    assert new == rewriter.new_in(longer, path)
    assert 0 < (new or 0) < 1_000
    assert rewriter.new_at_a_look(longer, "/v1/messages") == len(longer)
    assert rewriter.new_at_a_look(other, path) is None
    rewriter.begin(longer, **JOB)
    assert rewriter.new_at_a_look(longer, path) is None
