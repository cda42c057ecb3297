"""Where a path goes, and through which proxy."""

from __future__ import annotations

import pytest
from yarl import URL

from toolstub_ext.errors import SettingsError
from toolstub_ext.settings import load_settings
from toolstub_proxy.upstreams import Upstreams, is_anthropic, joined, proxy_for


@pytest.mark.parametrize(("upstream", "path", "address"), [
    ("https://host", "/v1/chat/completions", "https://host/v1/chat/completions"),
    ("https://host", "/chat/completions", "https://host/chat/completions"),
    ("https://host/v1", "/v1/chat/completions", "https://host/v1/chat/completions"),
    ("https://host/v1", "/chat/completions", "https://host/v1/chat/completions"),
    ("https://host/api/v1", "/v1/chat/completions?a=b%2Fc", "https://host/api/v1/chat/completions?a=b%2Fc"),
    ("https://host/api/v1", "/chat/completions", "https://host/api/v1/chat/completions"),
    ("https://host/api/v1", "/v1", "https://host/api/v1"),
    ("https://host/api/v1", "/v10/x", "https://host/api/v1/v10/x"),
    ("https://host/openai", "/v1/models", "https://host/openai/v1/models"),
    ("https://api.openai.com", "/v1/models", "https://api.openai.com/v1/models"),
    ("https://api.openai.com", "/models", "https://api.openai.com/v1/models"),
    ("https://host", "http://other/v1/models", "https://host/v1/models"),
])
def test_a_path_is_appended_to_the_upstream(upstream: str, path: str, address: str) -> None:
    """As a client would append it to its base URL; `/v1` is never doubled."""
    assert joined(upstream, path) == address


@pytest.mark.parametrize(("path", "anthropic"), [
    ("/v1/messages", True), ("/v1/messages?beta=true", True), ("/v1/messages/count_tokens", True), ("/messages", True),
    ("/v1/chat/completions", False), ("/v1/threads/t/messages", False), ("/v1/completions", False), ("/", False),
])
def test_the_messages_api_is_told_by_its_path(path: str, anthropic: bool) -> None:
    """Everything else is OpenAI's."""
    assert is_anthropic(path) is anthropic


@pytest.mark.parametrize("upstream", ["ftp://host", "host:80", "http://", "http://host/v1?key=1"])
def test_an_upstream_is_a_url(upstream: str) -> None:
    """One that is none is refused at the start, in one line."""
    with pytest.raises(SettingsError, match="http"):
        Upstreams(load_settings(upstream=upstream))


def test_a_proxy_of_the_environment_is_used_but_not_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """As other clients of the environment would."""
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("http_proxy", "http://proxy:3128")
    monkeypatch.setenv("no_proxy", "inside.example")
    assert proxy_for(URL("https://api.example/v1")) == "http://proxy:3128"
    assert proxy_for(URL("https://inside.example/v1")) is None
    assert proxy_for(URL("http://127.0.0.1:9000/v1")) is None
