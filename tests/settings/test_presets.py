"""What the presets set."""

from __future__ import annotations

from pathlib import Path

from toolstub_ext.presets import KINDS, PRESETS
from toolstub_ext.settings import load_settings

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


def test_the_preset_off_switches_off() -> None:
    """Nothing is externalized under it."""
    assert load_settings(preset="off").externalize.enabled is False


def test_the_preset_openviking_has_its_numbers_and_its_rules() -> None:
    """20,000 for one result, 100,000 for a turn, its exact caps in the synopsis."""
    settings = load_settings(preset="openviking")
    limits = settings.externalize
    assert (limits.threshold_chars, limits.turn_inline_budget_chars, settings.rules) == (20_000, 100_000, "openviking")
    assert load_settings().rules == "default"


def test_careful_stubs_less_and_saver_more_than_default() -> None:
    """By their thresholds only, of every kind."""
    careful, default, saver = (load_settings(preset=preset).by_kind for preset in ("careful", "default", "saver"))
    for kind in KINDS:
        early, later = zip(*(preset[kind].threshold_chars for preset in (careful, default, saver)))
        assert early[0] > early[1] > early[2]
        assert later[0] >= later[1] > later[2]
        assert careful[kind].budget == default[kind].budget == saver[kind].budget


def test_every_preset_is_documented() -> None:
    """Each by its name, in code."""
    assert all(f"`{preset}`" in DOCS.read_text(encoding="utf-8") for preset in PRESETS)
