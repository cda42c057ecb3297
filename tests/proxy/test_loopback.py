"""Hosts and pages of this machine are told from those that only look like it."""

from __future__ import annotations

import pytest

from toolstub_ext.addresses import is_loopback
from toolstub_ext.errors import SettingsError
from toolstub_ext.settings import load_settings
from toolstub_proxy.loopback import is_foreign


@pytest.mark.parametrize(("host", "loopback"), [
    ("localhost", True), ("app.localhost", True), ("127.0.0.1", True), ("127.1.2.3", True), ("::1", True),
    ("0.0.0.0", False), ("127.0.0.1.evil.example", False), ("localhost.evil.example", False), ("10.0.0.1", False),
    ("", False),
])
def test_a_host_of_this_machine(host: str, loopback: bool) -> None:
    """Names that only begin like one do not count."""
    assert is_loopback(host) is loopback


def test_a_proxy_for_one_person_listens_on_no_host_that_only_looks_like_this_machine() -> None:
    """The name of a server elsewhere may begin like an address of this one."""
    with pytest.raises(SettingsError, match="per-credential"):
        load_settings(listen="127.0.0.1.evil.example:8788")


@pytest.mark.parametrize(("origin", "foreign"), [
    (None, False), ("http://localhost:3000", False), ("https://127.0.0.1", False), ("http://[::1]:80", False),
    ("vscode-webview://abc", False), ("tauri://localhost", False), ("https://evil.example", True), ("null", True),
    ("http://[bad", True), ("http://", True),
])
def test_a_page_of_another_site(origin: str | None, foreign: bool) -> None:
    """Anybody's page can have the origin `null`."""
    assert is_foreign(origin) is foreign
