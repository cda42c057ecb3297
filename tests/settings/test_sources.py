"""Where settings come from, and which source wins."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from settings_support import write

from toolstub_ext.presets import KINDS
from toolstub_ext.settings import Externalize, KindRule, Settings, ToolRule, load_settings


def test_without_any_source_the_defaults_hold() -> None:
    """Nothing given: the dataclass as it is declared."""
    assert load_settings() == Settings()


def test_a_file_is_found_from_the_working_directory_upwards(home: Path) -> None:
    """The nearest file above counts, the rest of its section keeps its defaults."""
    write(home / "project" / "toolstub.yaml", "externalize: {threshold_chars: 7}")
    assert load_settings().externalize == Externalize(threshold_chars=7)


def test_the_project_goes_over_the_users_own_file(home: Path) -> None:
    """Both files count; where both speak, the project's does."""
    write(home / "config" / "toolstub.yaml", "store: /own.db\nreply_chars: 1000\ninject: when_stubbed")
    write(home / "project" / "toolstub.yaml", "reply_chars: 2000")
    settings = load_settings()
    assert (settings.store, settings.reply_chars, settings.inject) == ("/own.db", 2000, "when_stubbed")


def test_each_source_goes_over_the_one_before(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Preset, file, environment, argument: each sets what the next leaves alone."""
    path = write(home / "named.yaml", "preset: openviking\nreply_chars: 1001\nexternalize: {preview_chars: 1500}")
    monkeypatch.setenv("TOOLSTUB_REPLY_CHARS", "1002")
    monkeypatch.setenv("TOOLSTUB_EXTERNALIZE__MIN_PREVIEW_CHARS", "900")
    settings = load_settings(path, externalize={"min_preview_chars": 800})
    assert (settings.preset, settings.reply_chars) == ("openviking", 1002)
    assert (settings.externalize.preview_chars, settings.externalize.min_preview_chars) == (1500, 800)


@pytest.mark.parametrize("overrides", [
    {"externalize": {"threshold_chars": 5}},
    {"externalize__threshold_chars": 5},
    {"externalize.threshold_chars": "5"},
])
def test_an_override_is_a_nested_mapping_or_a_full_name(overrides: dict[str, object]) -> None:
    """All three ways to say one thing."""
    assert load_settings(**overrides).externalize.threshold_chars == 5


def test_an_override_that_is_none_is_not_given() -> None:
    """So that a command can hand on the options it was not given."""
    assert load_settings(preset=None, owners=None) == Settings()


def test_rules_for_tools_come_from_every_source(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool's name keeps its case and may itself hold the separator."""
    path = write(home / "named.yaml", "tools:\n  Read: {threshold_chars: 60000}\n  'mcp__db__*': {exclude: true}\n")
    monkeypatch.setenv("TOOLSTUB_TOOLS__mcp__git__log__THRESHOLD_CHARS", "9")
    settings = load_settings(path, tools={"Bash": {"exclude": True}})
    assert dict(settings.tools) == {
        "Read": ToolRule(threshold_chars=60_000),
        "mcp__db__*": ToolRule(exclude=True),
        "mcp__git__log": ToolRule(threshold_chars=9),
        "Bash": ToolRule(exclude=True),
    }


@pytest.mark.parametrize(("text", "setting", "value"), [
    ("preset: off", "preset", "off"),
    ("store: ~", "store", None),
    ("store:", "store", None),
    ("externalize:", "externalize", Externalize()),
    ("exclude_tools: [get_status, 'web_*']", "exclude_tools", ("get_status", "web_*")),
    ("exclude_tools: get_status, other", "exclude_tools", ("get_status", "other")),
    ("reply_chars: 10_000", "reply_chars", 10_000),
    ("externalize: {enabled: no}", "externalize", Externalize(enabled=False)),
    ("\ufeffreply_chars: 700", "reply_chars", 700),
    ("", "reply_chars", 6000),
])
def test_a_file_means_what_a_person_meant(home: Path, text: str, setting: str, value: object) -> None:
    """`off` is a preset and no boolean, an empty section is empty, a byte order mark is nothing."""
    assert getattr(load_settings(write(home / "named.yaml", text)), setting) == value


@pytest.mark.parametrize(("given", "meant"), [
    ("9000", (9_000, 9_000)), ("[1, 2]", (1, 2)), ("'1, 2'", (1, 2)), ("[7]", (7, 7)),
])
def test_a_kind_has_one_threshold_or_two(home: Path, given: str, meant: tuple[int, int]) -> None:
    """What is not said about it stays as the preset has it, and so does every other kind."""
    path = write(home / "named.yaml", f"preset: saver\nby_kind: {{log: {{threshold_chars: {given}}}}}")
    settings = load_settings(path)
    assert settings.by_kind["log"] == KindRule(meant, 1_700)
    assert settings.by_kind["grep"] == KindRule((2_500, 2_500), 1_700)
    assert set(settings.by_kind) == set(KINDS)


@pytest.mark.parametrize("kind", ["code", "CODE", "Code"])
def test_a_kind_in_a_variable(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two numbers are separated by a comma; capitals do not matter, as in the rest of the name."""
    monkeypatch.setenv(f"TOOLSTUB_BY_KIND__{kind}__THRESHOLD_CHARS", "5000, 9000")
    assert load_settings().by_kind["code"] == KindRule((5_000, 9_000), 1_700)


def test_toolstub_store_is_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable that every command reads is this very setting."""
    monkeypatch.setenv("TOOLSTUB_STORE", "sqlite:///elsewhere.db")
    assert load_settings().store == "sqlite:///elsewhere.db"


def test_the_users_own_file_is_no_projects_wherever_one_stands(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found upwards from inside the configuration directory, it is no project's."""
    write(home / "config" / "toolstub.yaml", "store: /own.db")
    monkeypatch.chdir(home / "config")
    assert load_settings().store == "/own.db"


def test_yaml_is_imported_only_for_a_file() -> None:
    """The defaults and the environment need nothing third-party."""
    done = subprocess.run(
        [sys.executable, "-c", "import sys, toolstub_ext.settings; print('yaml' in sys.modules)"],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
    )
    assert done.stdout.strip() == "False"
