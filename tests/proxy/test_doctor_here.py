"""`toolstub doctor` on what is here: settings under which nothing happens, and a store that cannot be used."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from proxy_support import wrong_in

from toolstub_ext.presets import STAGES
from toolstub_ext.settings import load_settings
from toolstub_proxy.doctor import here


@pytest.mark.parametrize(("settings", "says"), [
    ({"preset": "off"}, "settings: every policy is off (preset: off) -> choose another"),
    ({"externalize__threshold_chars": 500_000}, "no result up to 500,000 characters is stubbed -> lower"),
])
def test_settings_under_which_nothing_happens(settings: dict[str, Any], says: str) -> None:
    """They are somebody's wish, and often forgotten."""
    (line,) = wrong_in(here.settings_of(load_settings(**settings)))
    assert says in line


@pytest.mark.parametrize(("settings", "says"), [
    ({}, "preset default; a result of more than 3,000 to 60,000 characters, by its kind, becomes a stub; a repeated "
         "one becomes a pointer; padding is removed"),
    ({"preset": "openviking"}, "preset openviking; a result of more than 20,000 characters becomes a stub"),
    ({"preset": "eino"}, "preset eino; a result of more than 80,000 characters becomes a stub; above 20,000 tokens of "
                         "results those older than the latest 40,000 are cleared"),
    ({"preset": "gliding-horse"}, "preset gliding-horse; of more than 16,384 bytes it is truncated or summarized; of "
                                  "more than 10 results the older keep 3 lines; above 16,000 tokens results of 500 "
                                  "bytes become references; above 30 messages or 16,000 tokens the older become a "
                                  "history"),
])
def test_sizes_are_those_of_the_policies_that_are_on(settings: dict[str, Any], says: str) -> None:
    """Each in its own unit; of one that is off nothing is said."""
    (finding,) = here.settings_of(load_settings(**settings))
    assert finding.says == says


@pytest.mark.parametrize("stage", STAGES)
def test_every_policy_has_a_line(stage: str) -> None:
    """Also one that is off in all presets."""
    only = {other: {"enabled": other == stage} for other in STAGES}
    (finding,) = here.settings_of(load_settings(**only))
    assert re.fullmatch("preset default; [^;]+", finding.says)


def test_a_token_counter_that_is_none_is_found() -> None:
    """The proxy would not start with it."""
    (line,) = wrong_in(here.settings_of(load_settings(clear__token_counter="no.such:count")))
    assert "clear.token_counter: no.such:count cannot be imported" in line


def test_tools_that_are_excluded_are_named() -> None:
    """That is no fault, and may be the reason."""
    findings = list(here.settings_of(load_settings(exclude_tools=["b"], tools={"a": {"exclude": True}})))
    assert wrong_in(findings) == []
    assert findings[-1].says == "results of a, b are never stubbed"


def test_a_store_that_cannot_be_used(tmp_path: Path) -> None:
    """Nothing is stubbed whose original cannot be kept."""
    (tmp_path / "file").touch()
    (line,) = wrong_in(here.store_of(load_settings(store=str(tmp_path / "file" / "store.db"))))
    assert "-> choose another place" in line
    assert wrong_in(here.store_of(load_settings(store=str(tmp_path / "store.db")))) == []


def test_a_store_that_is_not_there_yet_is_not_made(tmp_path: Path) -> None:
    """The place may be mistyped; that one could be made there is tried and leaves nothing behind."""
    (finding,) = here.store_of(load_settings(store=str(tmp_path / "no" / "such" / "store.db")))
    assert (finding.ok, finding.says.partition(": ")[2]) == (True, "there is none yet, and one can be made")
    assert list(tmp_path.iterdir()) == []
