"""Whose originals a request may read.

A proxy for one person has one owner, `local`, who is also the owner of that person's notebooks. A proxy for several
tells them apart by their API keys, of which only a keyed digest is kept. The key of that digest lies beside the store,
so that all proxies of one store agree.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from toolstub_ext.errors import StoreError, explained

LOCAL = "local"
KEY_BYTES = 32

OwnerOf = Callable[[Mapping[str, str]], str | None]
"""The owner of a request, from its headers; None if it has none, so that nothing may be stored or read for it."""


def single(_: Mapping[str, str]) -> str:
    """The owner in a proxy for one person."""
    return LOCAL


def per_credential(key: bytes) -> OwnerOf:
    """Tells owners apart by their credential."""

    def owner_of(headers: Mapping[str, str]) -> str | None:
        credential = headers.get("authorization") or headers.get("x-api-key") or headers.get("api-key")
        if not credential:
            return None
        secret = credential.removeprefix("Bearer ").strip()
        return "key_" + hashlib.blake2b(secret.encode("utf-8", "surrogateescape"), key=key, digest_size=16).hexdigest()

    return owner_of


def key_beside(store: Path) -> bytes:
    """The key that belongs to the store file `store`, made at first use. Raises StoreError."""
    path = store.with_name(store.name + ".owner-key")
    try:
        if not path.exists():
            _create(path)
        key = path.read_bytes()
    except OSError as error:
        raise StoreError(f"cannot keep the key that tells owners apart in {path}: {explained(error)}") from error
    if len(key) != KEY_BYTES:
        raise StoreError(f"{path} is damaged: it must hold {KEY_BYTES} bytes; originals stored under it are lost to it")
    return key


def _create(path: Path) -> None:
    """Write a whole new key, unless another process was faster."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
