"""Whom to trust upstream: the authorities of the system and of certifi, and one more file of the user's; and what to
show to an upstream that asks who comes.

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

from toolstub_ext.errors import SettingsError, explained


@cache
def trusted(cafile: str | None = None, *, certificate: str | None = None, alone: bool = False,
            anybody: bool = False) -> ssl.SSLContext:
    """Verifies against those authorities, with `alone` against none but the file's, with `anybody` not at all.

    `certificate` is a file with a certificate of ours and its key. Made once: it takes 50 ms. Raises SettingsError for
    a file that does not hold what it should.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if alone else ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])  # it is what we speak, so a server of several need not guess
    if anybody:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if certificate is not None:
        _show(context, certificate)
    if not alone and not _chosen():
        with suppress(ImportError):
            import certifi

            context.load_verify_locations(certifi.where())
    if cafile is not None:
        try:
            context.load_verify_locations(Path(cafile).expanduser())
        except OSError as error:
            why = "no certificates in it (PEM)" if isinstance(error, ssl.SSLError) else explained(error)
            raise SettingsError(f"cannot use the authorities in {cafile}: {why}") from error
    return context


def _show(context: ssl.SSLContext, certificate: str) -> None:
    def no_password() -> str:
        raise SettingsError(f"the key in {certificate} has a password, for which nobody can be asked")

    try:
        context.load_cert_chain(Path(certificate).expanduser(), password=no_password)
    except OSError as error:
        why = "no certificate with its key in it (PEM)" if isinstance(error, ssl.SSLError) else explained(error)
        raise SettingsError(f"cannot use the certificate in {certificate}: {why}") from error


def _chosen() -> bool:
    return any(os.environ.get(name) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"))
