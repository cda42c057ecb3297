"""What the server says of connections that do not speak HTTP: a line each, for the fault is not ours."""

from __future__ import annotations

import logging

from aiohttp.http_exceptions import HttpProcessingError


def _of_others(record: logging.LogRecord) -> bool:
    """Puts into one line what such an error says; any other error is told with where it was raised."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError):
        said = error.message.strip().partition("\n")[0].rstrip(":") or type(error).__name__
        record.msg, record.args = "%s sent what is no HTTP: %s", (*(record.args or ("somebody",)), said)
        record.exc_info, record.levelno, record.levelname = None, logging.WARNING, "WARNING"
    return True


log = logging.getLogger(__name__)
log.addFilter(_of_others)
