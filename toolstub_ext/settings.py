"""All settings, with their defaults; read from a file, the environment and arguments, and validated once.

    preset: default
    store: sqlite:///...                      # default: the platform's data directory
    externalize: {threshold_chars: 20000}
    tools: {Read: {threshold_chars: 60000}, get_status: {exclude: true}}

An environment variable is `TOOLSTUB_` and the path, joined by two underscores: `TOOLSTUB_EXTERNALIZE__THRESHOLD_CHARS`.
Arguments win over the environment, the environment over the file, the file over the preset.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

FailureMode = Literal["preserve_raw", "preview_only", "reject"]
Preset = Literal["default", "openviking", "off"]


@dataclass(frozen=True, slots=True)
class Externalize:
    """OpenViking's rule: one result above a threshold, and the largest of a turn that is too long as a whole."""

    enabled: bool = True
    threshold_chars: int = 20_000
    preview_chars: int = 2_000
    min_preview_chars: int = 1_000
    turn_inline_budget_chars: int = 100_000
    turn_preview_budget_chars: int = 10_000
    aggregate_selection_strategy: Literal["largest_first"] = "largest_first"
    failure_mode: FailureMode = "preserve_raw"


@dataclass(frozen=True, slots=True)
class ToolRule:
    """What differs for one tool. None means: as for all."""

    exclude: bool = False
    threshold_chars: int | None = None


@dataclass(frozen=True, slots=True)
class Notebook:
    """Cell outputs. Small enough that a whole cell stays below what agents' notebook readers take."""

    threshold_chars: int = 4_000
    cell_budget_chars: int = 8_000
    stub_chars: int = 800


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting there is. Build one with `load_settings`, which validates."""

    preset: Preset = "default"
    store: str | None = None
    externalize: Externalize = field(default_factory=Externalize)
    tools: Mapping[str, ToolRule] = MappingProxyType({})
    exclude_tools: tuple[str, ...] = ()
    notebook: Notebook = field(default_factory=Notebook)
    reply_chars: int = 6_000
    inject: Literal["always", "when_stubbed"] = "always"
    owners: Literal["single", "per-credential"] = "single"
    listen: str = "127.0.0.1:8788"
    upstream: str | None = None
    openai_upstream: str = "https://api.openai.com"
    anthropic_upstream: str = "https://api.anthropic.com"

    @property
    def rules(self) -> Literal["default", "openviking"]:
        """By whose rules synopses are written: those of the preset's namesake, or ours."""
        return "openviking" if self.preset == "openviking" else "default"


def load_settings(path: str | Path | None = None, *, preset: str | None = None, **overrides: Any) -> Settings:
    """The settings in force: arguments over environment over file over preset.

    Without `path`, `toolstub.yaml` is looked for from the working directory upwards, then in the user's config
    directory. A file found that way may not set `store`, `owners`, `listen` or an upstream, unless it is the user's own.
    Raises SettingsError for a key that does not exist (naming the nearest that does) and for a value out of range.
    """
    raise NotImplementedError
