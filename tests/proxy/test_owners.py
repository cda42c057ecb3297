"""Owners are told apart by their credentials, of which nothing is kept."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from toolstub_ext.errors import StoreError
from toolstub_proxy.owners import key_beside, per_credential, single


def test_a_proxy_for_one_person_has_one_owner() -> None:
    """The same as that person's notebooks."""
    assert single({"authorization": "Bearer a"}) == single({}) == "local"


def test_credentials_make_owners() -> None:
    """The same credential is the same owner, however it is sent; the owner's name does not give it away."""
    owner_of = per_credential(b"k" * 32)
    alice = owner_of({"authorization": "Bearer alice"})
    assert alice == owner_of({"x-api-key": "alice"})
    assert alice != owner_of({"authorization": "Bearer bob"})
    assert alice is not None
    assert "alice" not in alice
    assert alice != per_credential(b"j" * 32)({"x-api-key": "alice"})


def test_without_a_credential_there_is_no_owner() -> None:
    """So nothing is stored or read for such a request."""
    assert per_credential(b"k" * 32)({}) is None


def test_all_proxies_of_a_store_have_one_key(tmp_path: Path) -> None:
    """It is made once, for its owner's eyes."""
    store = tmp_path / "store.db"
    assert key_beside(store) == key_beside(store)
    assert list(tmp_path.iterdir()) == [tmp_path / "store.db.owner-key"]
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "store.db.owner-key").stat().st_mode) == 0o600


def test_a_damaged_key_is_no_key(tmp_path: Path) -> None:
    """A short one would be as good as none."""
    (tmp_path / "store.db.owner-key").write_bytes(b"short")
    with pytest.raises(StoreError, match="damaged"):
        key_beside(tmp_path / "store.db")


def test_a_key_that_cannot_be_kept_is_an_error(tmp_path: Path) -> None:
    """In one line, with the place."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError, match="owner-key"):
        key_beside(tmp_path / "file" / "store.db")
