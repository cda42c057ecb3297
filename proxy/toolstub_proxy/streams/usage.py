"""What several rounds cost together."""

from __future__ import annotations

from typing import Any


def usage_in(value: Any) -> dict[str, Any]:
    """What an answer says of its cost; nothing if that is no object."""
    return value if isinstance(value, dict) else {}


def added(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The sum of two usage objects, member by member; of what is no count, the later one's."""
    total = dict(one)
    for key, value in other.items():
        total[key] = _sum(total.get(key), value)
    return total


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, dict) and isinstance(other, dict):
        return added(one, other)
    if _is_count(one) and _is_count(other):
        return one + other
    return one if other is None else other


def _is_count(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
