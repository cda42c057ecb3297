"""What leads a command to the proxy: its variables, and an option for Codex; nothing of the user's is overridden."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolstub_ext.settings import Settings
from toolstub_proxy.leading import command_of, environment_of, upstreams_of

BASE = "http://127.0.0.1:5"
OPENCODE = "OPENCODE_CONFIG_CONTENT"


def test_every_api_is_at_the_proxy() -> None:
    """By the variables that SDKs and agents read; others stay as they are."""
    environment = environment_of({"A": "b", "OPENAI_BASE_URL": "https://other"}, BASE, Settings())
    assert environment.pop(OPENCODE)
    assert environment == {"A": "b", "OPENAI_BASE_URL": BASE + "/v1", "OPENAI_API_BASE": BASE + "/v1",
                           "ANTHROPIC_BASE_URL": BASE, "ANTHROPIC_API_BASE": BASE}


@pytest.mark.parametrize(("given", "providers"), [
    ("", {"openai": {"options": {"baseURL": BASE + "/v1"}}, "anthropic": {"options": {"baseURL": BASE + "/v1"}}}),
    ('{"provider": {"openai": {"options": {"baseURL": "https://other"}}, "x": {"npm": "y"}}}',
     {"openai": {"options": {"baseURL": "https://other"}}, "x": {"npm": "y"},
      "anthropic": {"options": {"baseURL": BASE + "/v1"}}}),
])
def test_opencode_reads_a_configuration(given: str, providers: dict[str, Any]) -> None:
    """Ours is added to the user's where that says nothing."""
    environment = environment_of({OPENCODE: given, "B": ""}, BASE, Settings())
    assert json.loads(environment[OPENCODE])["provider"] == providers


@pytest.mark.parametrize("given", ["{", "[]", '{"provider": 1}', '{"provider": {"openai": []}}'])
def test_what_is_no_configuration_is_left_to_opencode(given: str) -> None:
    """It has its own words for that."""
    assert environment_of({OPENCODE: given}, BASE, Settings())[OPENCODE] == given


@pytest.mark.parametrize(("command", "started"), [
    (["codex", "exec", "-c", "x=1"], ["codex", "-c", 'openai_base_url="http://h/v1"', "exec", "-c", "x=1"]),
    (["/usr/bin/codex"], ["/usr/bin/codex", "-c", 'openai_base_url="http://h/v1"']),
    (["codex.cmd", "x"], ["codex.cmd", "-c", 'openai_base_url="http://h/v1"', "x"]),
    (["python", "codex"], ["python", "codex"]),
])
def test_codex_gets_an_option(command: list[str], started: list[str]) -> None:
    """In front of the user's own, of which the last one counts."""
    assert command_of(command, "http://h/v1") == started


def test_what_was_set_becomes_the_upstream() -> None:
    """By either name."""
    assert upstreams_of({"OPENAI_API_BASE": "a", "ANTHROPIC_API_BASE": "b"}) == {
        "openai_upstream": "a", "anthropic_upstream": "b"}
    assert upstreams_of({"OPENAI_BASE_URL": "c", "OPENAI_API_BASE": "a", "ANTHROPIC_BASE_URL": ""}) == {
        "openai_upstream": "c", "anthropic_upstream": None}
