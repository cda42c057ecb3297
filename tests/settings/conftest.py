"""A home and a project without any settings."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty configuration directory of the user's, and a project to stand in."""
    monkeypatch.setattr("platformdirs.user_config_dir", lambda *_, **__: str(tmp_path / "config"))
    monkeypatch.delenv("TOOLSTUB_STORE", raising=False)
    project = tmp_path / "project" / "inner"
    project.mkdir(parents=True)
    monkeypatch.chdir(project)
    return tmp_path
