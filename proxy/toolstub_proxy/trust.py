"""Whom to trust upstream: the authorities of the system and of certifi, and one more file of the user's.

The clients in front of this proxy mostly trust certifi's authorities, people's machines trust the system's, and a
company's own stand in either; whoever could reach the upstream without us can do so with us. `SSL_CERT_FILE` and
`SSL_CERT_DIR` are a choice: they replace both, as they do for other programs.
"""

from __future__ import annotations

import os
import ssl
from contextlib import suppress
from functools import cache
from pathlib import Path

from toolstub_ext.errors import SettingsError


@cache
def trusted(cafile: str | None = None, *, alone: bool = False) -> ssl.SSLContext:
    """Verifies against those authorities, or with `alone` against none but the file's. Made once: it takes 50 ms.

    Raises SettingsError for a file that holds no certificates.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if alone else ssl.create_default_context()
    if not alone and not _chosen():
        with suppress(ImportError):
            import certifi

            context.load_verify_locations(certifi.where())
    if cafile is not None:
        try:
            context.load_verify_locations(Path(cafile).expanduser())
        except OSError as error:
            why = "no certificates in it (PEM)" if isinstance(error, ssl.SSLError) else error.strerror
            raise SettingsError(f"cannot use the authorities in {cafile}: {why}") from error
    return context


def _chosen() -> bool:
    return any(os.environ.get(name) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"))
