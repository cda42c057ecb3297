"""Law 6: a fault of ours forwards the original."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws_support import PRESETS, TIGHT, Failing, body_of, faults, slow, texts_of, turns

from toolstub_ext.rewriting import Rewriter, rewrite
from toolstub_ext.settings import Settings
from toolstub_ext.store import Store


@slow
@given(st.binary() | turns().map(body_of).flatmap(
    lambda body: st.integers(0, len(body)).map(lambda cut: body[:cut])), st.sampled_from(PRESETS))
def test_law_6_what_is_no_request_goes_as_it_came(store: Store, body: bytes, preset: Settings) -> None:
    """Random bytes, and requests that were cut off: no fault, and no change."""
    rewriter = Rewriter(store, preset)
    done = rewriter.rewrite(body)
    assert not rewriter.faults
    assert done.body is body or done.injected


@slow
@given(turns(), faults)
def test_law_6_a_fault_of_ours_forwards_the_original(
    store: Store, monkeypatch: pytest.MonkeyPatch, conversation: list[Any], fault: Exception
) -> None:
    """A synopsis that raises, a store that raises: the client's bytes, and a count of it."""
    body = body_of(conversation)
    would_change = rewrite(body, store=store, settings=TIGHT).decisions
    described = any(decision.action == "externalized" for decision in would_change)
    stored = any(decision.action != "kept" for decision in would_change)

    def broken(*_: object, **__: object) -> None:
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr("toolstub_ext.rewriting.memory.synopsis_of", broken)
        rewriter = Rewriter(store, TIGHT)
        done = rewriter.rewrite(body)
        assert not described or (done.body is body and sum(rewriter.faults.values()) == 1)
    rewriter = Rewriter(Failing(store, 0, fault), TIGHT)  # type: ignore[arg-type]
    done = rewriter.rewrite(body)
    assert texts_of(done.body) == texts_of(body)
    assert sum(rewriter.faults.values()) == int(stored)
