"""Commands of other packages."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from toolstub_ext.cli import main


def test_a_plug_in_that_does_not_load_costs_one_line(monkeypatch: pytest.MonkeyPatch,
                                                     capsys: pytest.CaptureFixture[str]) -> None:
    """The other commands stay."""
    broken = EntryPoint("broken", "no_such_module:register", "toolstub.commands")
    monkeypatch.setattr("toolstub_ext.cli.plugins.entry_points", lambda group: (broken,))
    assert main(["list"]) == 0
    assert "the commands of no_such_module:register are missing" in capsys.readouterr().err
