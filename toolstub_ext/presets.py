"""What each preset sets, before anybody else does. Nothing but names and numbers.

`default` was chosen by replaying recorded conversations: what counts most is which results become stubs, and that
depends on what a result is, on how it was asked for and on when. `careful` has higher thresholds, `saver` lower ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

FEW, NAMED, MANY = 1_000, 1_700, 2_000
"""Characters of a stub's sections: where facts suffice, where the names in a text are worth as much again, and where a
reader wants lines."""

_PRINTED = ("grep", "log")
_SPOKEN = ("text", "markdown", "diff", "repr")
_DATA = ("json", "csv", "html")
KINDS = ("code", "code_named", "code_part", "instructions", "report", *_PRINTED, "listing", *_SPOKEN, *_DATA)
"""Of which kind a result is judged to be."""
STAGES = ("arguments", "dedupe", "route", "externalize", "compact", "clear", "compress", "reclaim", "window")
"""What can be switched on and off."""


def _by_kind(*, code: tuple[int, int], named: tuple[int, int], part: tuple[int, int], told: int, printed: int,
             listing: int, other: int) -> Mapping[str, Any]:
    """Thresholds: for a file of code, for one that the user named, for a part of one, for what an agent is told or
    reports, for what a search or a program printed, for names of files, and for all other kinds."""
    def rule(threshold: tuple[int, int] | int, budget: int) -> Mapping[str, Any]:
        both = threshold if isinstance(threshold, tuple) else (threshold, threshold)
        return MappingProxyType({"threshold_chars": both, "budget": budget})

    return MappingProxyType({
        "code": rule(code, NAMED),
        "code_named": rule(named, NAMED),
        "code_part": rule(part, MANY),
        **dict.fromkeys(("instructions", "report"), rule(told, MANY)),
        **dict.fromkeys(_PRINTED, rule(printed, NAMED)),
        "listing": rule(listing, NAMED),
        **dict.fromkeys(_SPOKEN, rule(other, NAMED)),
        **dict.fromkeys(_DATA, rule(other, FEW)),
    })


def _without(*stages: str) -> dict[str, Any]:
    """These stages off."""
    return {stage: {"enabled": False} for stage in stages}


DEFAULT_BY_KIND = _by_kind(code=(6_000, 10_000), named=(12_000, 60_000), part=(8_000, 20_000), told=20_000,
                           printed=3_000, listing=6_000, other=4_000)

PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType({
    "default": {"by_kind": DEFAULT_BY_KIND},
    "careful": {"by_kind": _by_kind(code=(10_000, 16_000), named=(24_000, 60_000), part=(20_000, 40_000), told=40_000,
                                    printed=5_000, listing=8_000, other=8_000)},
    "saver": {"by_kind": _by_kind(code=(4_000, 6_000), named=(8_000, 24_000), part=(4_000, 12_000), told=12_000,
                                  printed=2_500, listing=4_000, other=2_500)},
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
