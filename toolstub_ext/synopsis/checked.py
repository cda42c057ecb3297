"""What CMake says that it has checked, before anything is compiled: a log, and no comments of Lua or SQL."""

from __future__ import annotations

from .patterns import Pattern

CHECKED = Pattern(r"-- .{1,200} - (?:done|found|not found|skipped|works|yes|no|Success|Failed)$")
