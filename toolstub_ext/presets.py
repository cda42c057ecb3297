"""What each preset sets, before anybody else does. Nothing but names and numbers.

`default` was chosen by replaying recorded conversations: what counts most is which results become stubs, and that
depends on what a result is, on how it was asked for and on when. `careful` doubles its thresholds, `saver` takes about
two thirds of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

FEW, MANY = 1_000, 2_000
"""Characters of a stub's sections: where names suffice, and where a reader wants lines."""

_SHORT = ("text", "markdown", "diff", "repr", "csv", "html")
_LONG = ("grep", "listing", "log", "json")
KINDS = ("code", "code_named", "code_part", "instructions", "report", *_LONG, *_SHORT)
"""Of which kind a result is judged to be."""
STAGES = ("dedupe", "route", "externalize", "compact", "clear", "compress", "reclaim", "window")
"""What can be switched on and off."""


def _by_kind(code: tuple[int, int], named: tuple[int, int], part: int, other: int) -> Mapping[str, Any]:
    """Thresholds: for a file of code, for one that the user named, for a part of one, and for all other kinds."""
    def rule(threshold: tuple[int, int], budget: int) -> Mapping[str, Any]:
        return MappingProxyType({"threshold_chars": threshold, "budget": budget})

    return MappingProxyType({
        "code": rule(code, FEW),
        "code_named": rule(named, FEW),
        **dict.fromkeys(("code_part", "instructions", "report"), rule((part, part), MANY)),
        **dict.fromkeys(_LONG, rule((other, other), MANY)),
        **dict.fromkeys(_SHORT, rule((other, other), FEW)),
    })


def _without(*stages: str) -> dict[str, Any]:
    """These stages off."""
    return {stage: {"enabled": False} for stage in stages}


DEFAULT_BY_KIND = _by_kind((6_000, 12_000), (12_000, 24_000), 20_000, 4_000)

PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType({
    "default": {"by_kind": DEFAULT_BY_KIND},
    "careful": {"by_kind": _by_kind((12_000, 24_000), (24_000, 48_000), 40_000, 8_000)},
    "saver": {"by_kind": _by_kind((4_000, 8_000), (8_000, 16_000), 12_000, 2_500)},
    "openviking": {
        "externalize": {
            "threshold_chars": 20_000, "preview_chars": 2_000, "min_preview_chars": 1_000,
            "turn_inline_budget_chars": 100_000, "turn_preview_budget_chars": 10_000,
        },
        **_without("dedupe", "compact"),
    },
    "eino": {
        "externalize": {"threshold_chars": 80_000, "turn_inline_budget_chars": None},
        **_without("dedupe", "compact"),
        "clear": {"enabled": True, "tool_result_token_threshold": 20_000, "keep_recent_tokens": 40_000},
    },
    "gliding-horse": {
        **_without("dedupe", "externalize", "compact"),
        **{stage: {"enabled": True} for stage in ("route", "compress", "reclaim", "window")},
    },
    "off": _without(*STAGES),
})
