"""The usage of several rounds is their sum."""

from __future__ import annotations

from typing import Any

import pytest

from toolstub_proxy.streams.usage import added


@pytest.mark.parametrize(("one", "other", "total"), [
    ({}, {"a": 1}, {"a": 1}),
    ({"a": 1}, {}, {"a": 1}),
    ({"a": 1}, {"a": 2}, {"a": 3}),
    ({"d": {"cached": 4}}, {"d": {"cached": 5, "audio": 1}}, {"d": {"cached": 9, "audio": 1}}),
    ({"d": None}, {"d": {"cached": 5}}, {"d": {"cached": 5}}),
    ({"d": {"cached": 5}}, {"d": None}, {"d": {"cached": 5}}),
    ({"tier": "a", "flag": True}, {"tier": "b", "flag": True}, {"tier": "b", "flag": True}),
    ({"cost": 0.5}, {"cost": 0.25}, {"cost": 0.75}),
])
def test_counts_add_up_and_the_rest_is_the_last(one: Any, other: Any, total: Any) -> None:
    """Nested counts too; words and flags are no counts."""
    assert added(one, other) == total
