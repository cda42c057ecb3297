"""What a request costs under each cache, request by request."""

from __future__ import annotations

from itertools import accumulate

import pytest

from toolstub_ext.replay.caches import MODELS, SIMPLE

GROWING = [([2_000], 0), ([2_000, 300], 1), ([2_000, 300, 700], 2)]
SMALL = [([500], 0), ([500, 300], 1), ([500, 300, 300], 2)]
CHANGED = [([2_000, 1_000], 0), ([2_000, 1_000, 500], 2), ([2_000, 100, 500, 200], 1), ([2_000, 100, 500, 200, 9], 4)]
WIDE = [([1_500], 0), ([1_500, *[10] * 25], 1), ([1_500, *[10] * 50], 26)]


def until(sizes: list[int]) -> list[int]:
    """How large the first pieces are, of none to all of them."""
    return [0, *accumulate(sizes)]


@pytest.mark.parametrize(("model", "requests", "costs"), [
    ("none", GROWING, [2_000, 2_300, 3_000]),
    (SIMPLE, GROWING, [2_000, 200 + 300, 230 + 700]),
    (SIMPLE, CHANGED, [3_000, 300 + 500, 200 + 800, 280 + 9]),
    (SIMPLE, SMALL, [500, 50 + 300, 80 + 300]),
    ("openai", GROWING, [2_000, 0.1 * 1_920 + 380, 0.1 * 2_176 + 824]),
    ("openai", SMALL, [500, 800, 1_100]),
    ("openai-5.6", GROWING, [2_500, 200 + 375, 230 + 875]),
    ("openai-5.6", SMALL, [500, 800, 1.25 * 1_100]),
    ("openai-5.6", CHANGED, [3_750, 300 + 625, 1.25 * 2_800, 280 + 1.25 * 9]),
    ("anthropic", GROWING, [2_500, 200 + 375, 230 + 875]),
    ("anthropic", SMALL, [500, 800, 1.25 * 1_100]),
    ("anthropic", CHANGED, [3_750, 300 + 625, 200 + 1.25 * 800, 280 + 1.25 * 9]),
    ("anthropic", WIDE, [1.25 * 1_500, 150 + 1.25 * 250, 150 + 1.25 * 500]),
    ("openai-5.6", WIDE, [1.25 * 1_500, 150 + 1.25 * 250, 175 + 1.25 * 250]),
])
def test_requests_cost_what_the_rules_say(model: str, requests: list[tuple[list[int], int]],
                                          costs: list[float]) -> None:
    """Growing by a message; below 1,024 tokens; changed in the middle; with more than 20 new messages at once."""
    cache = MODELS[model].cache()
    assert [cache.charge(until(sizes), same) for sizes, same in requests] == pytest.approx(costs)


def test_only_the_latest_breakpoints_are_considered() -> None:
    """With 80 requests in between, the beginning is no more found."""
    cache = MODELS["openai-5.6"].cache()
    for number in range(81):
        cache.charge(until([2_000, *[10] * number]), number)
    assert cache.charge(until([2_000, 5, 5]), 1) == pytest.approx(1.25 * 2_010)


def test_conversations_do_not_share_a_cache() -> None:
    """Each begins cold."""
    assert MODELS["anthropic"].cache() is not MODELS["anthropic"].cache()
