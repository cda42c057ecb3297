"""A certificate for servers of the tests."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path
from typing import NamedTuple


class Certificate(NamedTuple):
    """A certificate of 127.0.0.1 and api.example, which is its own authority, and its key."""

    file: Path
    key: Path

    def tls(self) -> ssl.SSLContext:
        """For a server."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.file, self.key)
        return context

    def mutual_tls(self) -> ssl.SSLContext:
        """For a server that serves only who shows this certificate."""
        context = self.tls()
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(self.file)
        return context

    def both(self, folder: Path) -> Path:
        """A file with the certificate and its key."""
        file = folder / "client.pem"
        file.write_bytes(self.file.read_bytes() + self.key.read_bytes())
        return file


def made_by(python: str | Path, folder: Path) -> Certificate:
    """A new one, made by an interpreter that has what it takes."""
    made = Certificate(folder / "certificate.pem", folder / "key.pem")
    script = Path(__file__).parent / "proxy" / "make_certificate.py"
    subprocess.run([python, script, made.file, made.key], check=True)
    return made
