"""The settings in force, from all places where some may be given."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..configuration import Given, Keys, build, from_arguments, from_environment, from_file
from ..errors import SettingsError
from ..presets import PRESETS
from .contradictions import contradictions
from .values import Settings

FILE_NAME = "toolstub.yaml"
PREFIX = "TOOLSTUB_"
NOT_IN_A_PROJECT = (
    "store", "owners", "listen", "upstream", "openai_upstream", "anthropic_upstream", "clear.token_counter",
)
"""What a file found in a project folder may not set: a cloned repository must not redirect originals or run code."""


def load_settings(path: str | Path | None = None, *, preset: str | None = None, **overrides: Any) -> Settings:
    """The settings in force: arguments over environment over files over preset.

    Without `path`, `toolstub.yaml` is looked for from the working directory upwards, and its settings go over those of
    the user's own `toolstub.yaml` in the platform's configuration directory; one that is not the user's own may not
    set what `NOT_IN_A_PROJECT` names. Overrides are nested mappings (`externalize={...}`) or full names
    (`externalize__threshold_chars`, `**{"externalize.threshold_chars": ...}`); one that is None is not given.

    Raises SettingsError, in one line, for a file that cannot be read, for a name that does not exist (with the nearest
    that does), for a value of the wrong type or out of range, and for two settings that contradict each other.
    """
    given: dict[Keys, Given] = {}
    for source in (
        _files(path),
        from_environment(os.environ, PREFIX, Settings),
        from_arguments({"preset": preset, **overrides}, Settings),
    ):
        given.update(source)
    named = given.get(("preset",), Given("default", "preset"))
    settings = build(Settings, from_arguments(PRESETS[named.value], Settings) | given)
    for one, other, why in contradictions(settings):
        raise SettingsError(f"{_where(one, given)} and {_where(other, given)} contradict each other: {why}")
    return settings


def user_file() -> Path:
    """The user's own file, whether it exists or not."""
    import platformdirs

    return Path(platformdirs.user_config_dir("toolstub", appauthor=False)) / FILE_NAME


def _files(path: str | Path | None) -> dict[Keys, Given]:
    if path is not None:
        return from_file(Path(path).expanduser(), Settings)
    own, found = user_file(), _found()
    given = from_file(own, Settings) if own.is_file() else {}
    if found is None or (own.is_file() and found.samefile(own)):
        return given
    project = from_file(found, Settings)
    for keys, one in project.items():
        if ".".join(keys) in NOT_IN_A_PROJECT:
            raise SettingsError(f"{one.where}: not for a project's file to set; set it in {own}, or name the file")
    return given | project


def _found() -> Path | None:
    """The nearest file from the working directory upwards."""
    here = Path.cwd()
    return next((file for folder in (here, *here.parents) if (file := folder / FILE_NAME).is_file()), None)


def _where(setting: str, given: Mapping[Keys, Given]) -> str:
    """Where a setting was given; one that was not is named with the value it has by default."""
    one = given.get(tuple(setting.split(".")))
    return f"{one.where} ({one.value})" if one else setting
