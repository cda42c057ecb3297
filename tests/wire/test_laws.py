"""The laws of rewriting in every wire format, on the same conversations told in each.

3. A byte once sent does not change.  4. Untouched bytes stay untouched.  5. Never larger.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from formats_support import EDITS, FORMATS, PATHS, Turns, turns
from hypothesis import given, settings
from hypothesis import strategies as st

from toolstub_ext import retrieval
from toolstub_ext.rewriting import Rewriter, Rewritten, rewrite
from toolstub_ext.settings import Arguments, Externalize, Settings
from toolstub_ext.store import Store, open_store

TIGHT = Settings(externalize=Externalize(threshold_chars=900, preview_chars=400, min_preview_chars=200),
                 arguments=Arguments(enabled=True))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One real store for all examples."""
    with open_store(tmp_path_factory.mktemp("laws") / "store.db") as opened:
        yield opened


def _bodies(wire: str, said: Turns) -> Iterator[bytes]:
    """The requests of a growing conversation."""
    member, tell, tool = FORMATS[wire]
    items: list[dict[str, Any]] = [{"role": "user", "content": "What is it?"}]
    yield json.dumps({"model": "m", "x": 1e5, "tools": [tool], member: items}).encode()
    for more in tell(said):
        items += more
        yield json.dumps({"model": "m", "x": 1e5, "tools": [tool], member: items, "stream": True}).encode()


@pytest.mark.parametrize("wire", PATHS)
@given(said=turns, preset=st.sampled_from([TIGHT, Settings()]))
@settings(max_examples=30)
def test_the_laws_hold_in_every_format(store: Store, wire: str, said: Turns, preset: Settings) -> None:
    """With the memory of earlier requests and without it; what differs are the slots of results and our tools."""
    rewriter, before = Rewriter(store, preset), ""
    for body in _bodies(wire, said):
        sent = rewriter.rewrite(body, path=PATHS[wire])
        assert sent.body == rewrite(body, store=store, settings=preset, path=PATHS[wire]).body
        assert sent.text.startswith(before)
        before = sent.text[:sent.messages_end]
        assert len(sent.body) <= len(body) + 2_000
        _assert_untouched(wire, json.loads(body), sent)


def _assert_untouched(wire: str, body: dict[str, Any], sent: Rewritten) -> None:
    ours = json.loads(f"[{retrieval.definitions(wire)}]")
    client, provider = _opened(body), _opened(json.loads(sent.body))
    for decision in sent.decisions:
        *way, last = decision.slot.path
        place = _at(client, way)
        assert len(place[last]) == decision.chars_before
        if decision.chars_after < decision.chars_before:
            place[last] = _at(provider, decision.slot.path)
            assert len(place[last]) == decision.chars_after
    assert provider == {**client, "tools": [*ours, *client["tools"]]}


def _opened(body: Any) -> Any:
    """A body whose arguments are objects, also where they are written as texts."""
    if isinstance(body, dict):
        return {key: json.loads(value) if key == "arguments" else _opened(value) for key, value in body.items()}
    return [*map(_opened, body)] if isinstance(body, list) else body


def _at(whole: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        whole = whole[step]
    return whole


def test_the_conversations_reach_the_limits(store: Store) -> None:
    """Or the laws would hold for want of stubs."""
    said: Turns = [([(EDITS, "INFO 12:00:01 request served\n" * 400, False)], "so"),
                   ([("Read", "INFO 12:00:02 request served\n" * 400, True)], "so")]
    for wire, path in PATHS.items():
        *_, body = _bodies(wire, said)
        sent = rewrite(body, store=store, settings=TIGHT, path=path)
        assert [decision.chars_after < decision.chars_before for decision in sent.decisions] == [True, True, True]
