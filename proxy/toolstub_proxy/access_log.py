"""One JSON object a line for every request that was answered: what became of it, and never what it said.

    toolstub proxy --access-log requests.jsonl      # or - for standard output
"""

from __future__ import annotations

import json
import logging
import os
import sys
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Any

from .record import Record
from .reporting import shortened


class AccessLog:
    """Appends to a file, which is made anew where it was moved away, as programs that rotate logs do.

    Raises OSError if the file cannot be written to.
    """

    def __init__(self, where: str) -> None:
        if where == "-":
            self._handler: logging.Handler = logging.StreamHandler(sys.stdout)
        else:
            path = Path(where).expanduser()
            os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
            self._handler = WatchedFileHandler(path, encoding="utf-8")

    def note(self, record: Record) -> None:
        """Write one line."""
        line = json.dumps(fields_of(record), separators=(",", ":"))
        self._handler.handle(logging.LogRecord("access", logging.INFO, "", 0, line, None, None))

    def close(self) -> None:
        """Let go of the file."""
        self._handler.close()


def fields_of(record: Record) -> dict[str, Any]:
    """What a line says: times in milliseconds, sizes in bytes."""
    rewritten = record.rewritten
    said: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.at, UTC).isoformat(timespec="milliseconds"),
        "client": record.client,
        "method": record.method,
        "path": record.path,
        "format": record.format,
        "upstream": record.upstream,
        "status": record.status,
        "ms": _ms(record.seconds),
        "first_byte_ms": _ms(record.first_byte),
        "received": record.received,
        "answered": record.answered,
    }
    if rewritten is not None:
        stubs = shortened(rewritten)
        said |= {
            "added_ms": _ms(record.added),
            "owner": record.owner,
            "session": rewritten.session,
            "stubs": len(stubs),
            "chars_saved": 0 if record.dry_run else sum(d.chars_before - d.chars_after for d in stubs),
            "rounds": max(0, len(record.asked) - 1),
            "retrievals": sum(record.retrievals.values()),
        }
    if record.dry_run:
        said["dry_run"] = True
    if record.failure:
        said["failure"] = record.failure
    return said


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 1)
