"""All settings, with their defaults; read from files, the environment and arguments, and validated once.

    preset: default
    store: sqlite:///...                      # default: the platform's data directory
    by_kind: {log: {threshold_chars: 8000}}
    tools: {Read: {threshold_chars: 60000}, get_status: {exclude: true}}

An environment variable is `TOOLSTUB_` and the path, joined by two underscores: `TOOLSTUB_EXTERNALIZE__THRESHOLD_CHARS`.
Arguments win over the environment, the environment over the project's file, that over the user's own, and all over
the preset.
"""

from __future__ import annotations

from .loading import PREFIX, load_settings
from .values import (
    Arguments,
    Clear,
    Compact,
    Compress,
    Dedupe,
    Externalize,
    KindRule,
    Notebook,
    Pasted,
    Reclaim,
    Route,
    Settings,
    ToolRule,
    Window,
)

__all__ = ["PREFIX", "Arguments", "Clear", "Compact", "Compress", "Dedupe", "Externalize", "KindRule", "Notebook",
           "Pasted", "Reclaim", "Route", "Settings", "ToolRule", "Window", "load_settings"]
