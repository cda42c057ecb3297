"""Every setting there is, with its default and what it may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Any, Literal

from ..addresses import HIGHEST_PORT, host_and_port
from ..configuration import url, whole
from ..presets import DEFAULT_BY_KIND, FEW, KINDS, STAGES

FailureMode = Literal["preserve_raw", "preview_only", "reject"]
Preset = Literal["default", "careful", "saver", "openviking", "eino", "gliding-horse", "off"]


def _address(default: str) -> Any:
    return field(default=default, metadata={
        "expected": f"HOST:PORT (such as {default}; ports end at {HIGHEST_PORT})",
        "accepts": lambda value: host_and_port(value) is not None,
    })


def _words() -> Any:
    return field(default=(), metadata={
        "expected": "a list of words that are not blank", "accepts": lambda value: all(map(str.strip, value)),
    })


@dataclass(frozen=True, slots=True)
class Externalize:
    """One result above a threshold, and the largest of a turn that is too long as a whole.

    Without `threshold_chars` each kind of result has its own, and its own budget: see `by_kind`.
    """

    enabled: bool = True
    threshold_chars: int | None = whole(None)
    preview_chars: int = whole(2_000)
    min_preview_chars: int = whole(1_000)
    turn_inline_budget_chars: int | None = whole(100_000)
    turn_preview_budget_chars: int = whole(10_000)
    aggregate_selection_strategy: Literal["largest_first"] = "largest_first"
    failure_mode: FailureMode = "preserve_raw"


@dataclass(frozen=True, slots=True)
class Route:
    """Gliding Horse's rule: by its size in bytes a result passes, is truncated, or is summarized."""

    enabled: bool = False
    register_bytes: int = whole(3_072)
    pass_bytes: int = whole(16_384)
    pass_file_lines: int = whole(1_000)
    truncate_bytes: int = whole(32_768)
    truncate_to_bytes: int = whole(2_048, least=200)
    summary_chars: int = whole(500, least=200)


@dataclass(frozen=True, slots=True)
class KindRule:
    """The thresholds for results of one kind, in the first requests of a conversation and later, and the budget of
    their stubs."""

    threshold_chars: tuple[int, int] = field(default=(4_000, 4_000), metadata={
        "expected": "a whole number, or two: for the first requests and for later",
        "accepts": lambda value: min(value) >= 0,
    })
    budget: int = whole(FEW, least=200)


@dataclass(frozen=True, slots=True)
class Arguments:
    """An experiment: long texts are left out of the calls that handed them over; what an edit replaces, and others."""

    enabled: bool = False
    replaced_chars: int = whole(200, least=100)
    threshold_chars: int | None = whole(None, least=100)

    @property
    def least(self) -> int | None:
        """Texts of up to so many characters always stay; None: all do."""
        if not self.enabled:
            return None
        return self.replaced_chars if self.threshold_chars is None else min(self.replaced_chars, self.threshold_chars)


@dataclass(frozen=True, slots=True)
class Dedupe:
    """A result that earlier turns show already becomes a pointer to it, or what has changed since."""

    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Compact:
    """What stays whole loses the padding of line numbers, paths said again and terminal codes."""

    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Clear:
    """Eino's rule: results that are not recent become a placeholder."""

    enabled: bool = False
    tool_result_token_threshold: int = whole(20_000)
    keep_recent_tokens: int = whole(40_000)
    clear_at_least: int = whole(0)
    step_tokens: int = whole(20_000)
    placeholder: str = "[Old tool result content cleared; toolstub_read {ref}]"
    exclude_tools: tuple[str, ...] = ()
    token_counter: str | None = field(default=None, metadata={
        "expected": "package:function", "accepts": lambda value: re.fullmatch(r"[\w.]+:[\w.]+", value) is not None,
    })


@dataclass(frozen=True, slots=True)
class Compress:
    """Gliding Horse's rule: of many results the older keep their first lines."""

    enabled: bool = False
    max_tool_messages: int = whole(10, least=1)
    keep: int = whole(2, least=1)
    lines: int = whole(3, least=1)


@dataclass(frozen=True, slots=True)
class Reclaim:
    """Gliding Horse's rule: under pressure, results that were passed whole become references."""

    enabled: bool = False
    min_bytes: int = whole(500)
    max_tokens: int = whole(16_000)
    step_tokens: int = whole(8_000)


@dataclass(frozen=True, slots=True)
class Window:
    """Gliding Horse's rule: of a long conversation the newest messages stay, and what is older becomes a history."""

    enabled: bool = False
    max_messages: int = whole(30, least=3)
    max_tokens: int = whole(16_000)
    keep_recent_messages: int = whole(4, least=1)
    step_tokens: int = whole(8_000)
    every_turns_when_streaming: int = whole(3, least=1)


@dataclass(frozen=True, slots=True)
class Pasted:
    """Results that an agent pastes into what it says as the user, told by the marker with which such a text begins.

    A line that begins with one of `ends` is no part of the result any more.
    """

    markers: tuple[str, ...] = _words()
    ends: tuple[str, ...] = _words()


@dataclass(frozen=True, slots=True)
class ToolRule:
    """What differs for one tool. None means: as for all."""

    exclude: bool = False
    threshold_chars: int | None = whole(None)


@dataclass(frozen=True, slots=True)
class Notebook:
    """Cell outputs. Small enough that a whole cell stays below what agents' notebook readers take."""

    threshold_chars: int = whole(4_000)
    cell_budget_chars: int = whole(8_000)
    stub_chars: int = whole(800, least=400)


@dataclass(frozen=True)
class Settings:
    """Every setting there is. Build one with `load_settings`, which validates."""

    preset: Preset = "default"
    store: str | None = None
    externalize: Externalize = field(default_factory=Externalize)
    by_kind: Mapping[str, KindRule] = field(metadata={"names": KINDS}, default_factory=lambda: MappingProxyType({
        kind: KindRule(**rule) for kind, rule in DEFAULT_BY_KIND.items()
    }))
    arguments: Arguments = field(default_factory=Arguments)
    dedupe: Dedupe = field(default_factory=Dedupe)
    route: Route = field(default_factory=Route)
    compact: Compact = field(default_factory=Compact)
    clear: Clear = field(default_factory=Clear)
    compress: Compress = field(default_factory=Compress)
    reclaim: Reclaim = field(default_factory=Reclaim)
    window: Window = field(default_factory=Window)
    tools: Mapping[str, ToolRule] = field(default_factory=lambda: MappingProxyType({}))
    exclude_tools: tuple[str, ...] = ()
    pasted: Pasted = field(default_factory=Pasted)
    notebook: Notebook = field(default_factory=Notebook)
    reply_chars: int = whole(6_000, least=500)
    inject: Literal["always", "when_stubbed"] = "always"
    owners: Literal["single", "per-credential"] = "single"
    listen: str = _address("127.0.0.1:8788")
    upstream: str | None = url(None)
    openai_upstream: str = url("https://api.openai.com")
    anthropic_upstream: str = url("https://api.anthropic.com")

    @property
    def rules(self) -> Literal["default", "openviking"]:
        """By whose rules synopses are written: those of the preset's namesake, or ours."""
        return "openviking" if self.preset == "openviking" else "default"

    @cached_property
    def changes_anything(self) -> bool:
        """Whether any policy is on."""
        return self.preset != "off" and any(getattr(self, stage).enabled for stage in STAGES)

    @cached_property
    def least_by_kind(self) -> int:
        """The lowest threshold in `by_kind`: a result of no more characters stays, whatever it is."""
        return min(chain.from_iterable(rule.threshold_chars for rule in self.by_kind.values()), default=0)
