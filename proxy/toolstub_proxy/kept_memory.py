"""Memory that a large request took is kept for the next one, where the C library is glibc.

Of itself that gives it back to the system at once, and each page of it has to be made anew for the next request.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_MB = 1024 * 1024
VARIABLES = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": f"{32 * _MB}", "MALLOC_TRIM_THRESHOLD_": f"{64 * _MB}"}
"""Say so to a process when it starts."""
_OPTIONS = {"MALLOC_ARENA_MAX": -8, "MALLOC_MMAP_THRESHOLD_": -3, "MALLOC_TRIM_THRESHOLD_": -1}
"""What `mallopt` calls them."""


def keep_memory() -> None:
    """Say so to this process, unless its environment says something else."""
    if sys.platform != "linux":
        return
    with suppress(ImportError, OSError, AttributeError):
        from ctypes import CDLL

        mallopt = CDLL(None).mallopt
        for name, value in VARIABLES.items():
            if name not in os.environ:
                mallopt(_OPTIONS[name], int(value))
