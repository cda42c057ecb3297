"""What requests would have cost, and what they did."""

from __future__ import annotations

import json
from typing import Any

import pytest
from proxy_support import asked, body_of

from toolstub_ext.rewriting import Rewriter, Rewritten
from toolstub_ext.settings import load_settings
from toolstub_ext.store import Store
from toolstub_ext.tokens import estimate
from toolstub_proxy.savings import CACHED, Bill, Densities, bill_of, decided_now

SAID: list[dict[str, Any]] = [{"role": "assistant", "content": "Fine."}, {"role": "user", "content": "And now?"}]


def _rewritten(store: Store, messages: list[dict[str, Any]], **settings: Any) -> Rewritten:
    return Rewriter(store, load_settings(**settings)).rewrite(json.dumps(body_of(messages)).encode())


def _bill(rewritten: Rewritten, *asked: int) -> Bill:
    densities = Densities()
    densities.note(rewritten)
    return bill_of(rewritten, list(asked or (len(rewritten.body),)), densities)


def test_the_first_request_is_new_from_end_to_end(store: Store) -> None:
    """Before and after; tokens are what an estimate of the whole says, within a tenth."""
    rewritten = _rewritten(store, asked("a"))
    bill = _bill(rewritten)
    assert bill.cost_before == bill.tokens_before == pytest.approx(estimate(json.dumps(body_of(asked("a")))), rel=0.1)
    assert bill.cost_after == bill.tokens_after == pytest.approx(rewritten.tokens_after, rel=0.2)
    assert bill.tokens_saved == bill.cost_saved > 0.9


def test_what_is_sent_again_is_read_from_a_cache(store: Store) -> None:
    """All but the last turn; what was saved of it counts as little."""
    again = _bill(_rewritten(store, [*asked("a"), *SAID, *asked("b")]))
    assert again.cost_before < again.tokens_before * (0.5 + CACHED)
    assert again.tokens_saved > 0.9
    assert again.cost_saved > 0.8


def test_where_nothing_is_changed_nothing_is_saved(store: Store) -> None:
    """Not even a little."""
    bill = _bill(_rewritten(store, [*asked("a"), *SAID, *asked("b")], preset="off"))
    assert (bill.tokens_saved, bill.cost_saved) == (0.0, pytest.approx(0.0, abs=1e-9))


@pytest.mark.parametrize("digits", range(40, 360, 40))
def test_what_our_tools_add_is_never_told_as_saved(store: Store, digits: int) -> None:
    """Where results stay, more goes out than came, wherever in a text of many densities samples are taken."""
    text = "".join(f"{n * 7919 % 10007}," * digits + "word and word " * 40 for n in range(20))
    result = {"role": "tool", "tool_call_id": "call_a", "content": text}
    rewritten = _rewritten(store, [*asked("a", results=False), result], preset="eino")
    grown = rewritten.chars_after / rewritten.chars_before - 1
    assert grown > 0
    assert _bill(rewritten).tokens_saved == pytest.approx(-grown)


def test_a_hidden_round_repeats_what_was_asked_and_adds_what_was_read(store: Store) -> None:
    """The first at the price of a cache, the second as new."""
    rewritten = _rewritten(store, asked("a"))
    one, two = _bill(rewritten), _bill(rewritten, len(rewritten.body), len(rewritten.body) + 4000)
    assert two.tokens_after > 2 * one.tokens_after
    assert two.cost_after == pytest.approx(one.cost_after * (1 + CACHED) + 4000 * one.tokens_before
                                           / len(json.dumps(body_of(asked("a")))), rel=0.01)


def test_results_count_with_the_request_that_brings_them(store: Store) -> None:
    """Those of earlier turns were counted then."""
    assert decided_now(_rewritten(store, asked("a", "b"))).total() == 2
    assert decided_now(_rewritten(store, [*asked("a", "b"), *SAID, *asked("c")])).total() == 1


def test_bills_add_up() -> None:
    """Without any request there is nothing to divide by."""
    assert Bill().tokens_saved == Bill().cost_saved == 0.0
    total = Bill(10, 5, 10, 5) + Bill(10, 10, 2, 2)
    assert (total.tokens_saved, total.cost_saved) == (0.25, pytest.approx(5 / 12))
