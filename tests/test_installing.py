"""What is said when a library is missing."""

from __future__ import annotations

import json

import pytest

from toolstub_ext import open_store
from toolstub_ext.cli import main


@pytest.mark.parametrize(
    ("installed_from", "command"),
    [
        (None, 'pip install "toolstub[gateway]"'),
        ({"url": "https://host/toolstub.whl"}, 'pip install "toolstub[gateway]"'),
        ({"url": "file:///a%20b/toolstub", "dir_info": {}}, 'pip install "/a b/toolstub[gateway]"'),
        ({"url": "file:///src/ts", "dir_info": {"editable": True}}, 'pip install -e "/src/ts[gateway]"'),
    ],
)
def test_a_missing_extra_is_named_with_the_command_that_installs_it(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
        installed_from: dict[str, object] | None, command: str) -> None:
    """One line, no traceback; from a clone the command names the clone."""
    open_store().close()

    class Installed:
        def read_text(self, _name: str) -> str | None:
            return None if installed_from is None else json.dumps(installed_from)

    def missing(*_: object) -> None:
        raise ModuleNotFoundError("No module named 'aiohttp'", name="aiohttp")

    monkeypatch.setattr("toolstub_ext.installing.distribution", lambda _name: Installed())
    monkeypatch.setattr("toolstub_ext.store.open_store", missing)
    assert main(["list"]) == 1
    assert capsys.readouterr().err == f"toolstub: this needs aiohttp: {command}\n"
