"""`toolstub gc`, `verify` and `stats`."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from toolstub_ext import Ref
from toolstub_ext.cli import main


def test_upkeep(stored: Callable[..., Ref], capsys: pytest.CaptureFixture[str]) -> None:
    """`stats` counts, `verify` checks, `gc` drops what is asked for and nothing else."""
    stored("kept" * 1000)
    assert main(["stats", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["originals"] == 1
    assert main(["verify"]) == 0
    assert capsys.readouterr().out == "1 original, intact\n"
    assert main(["gc", "--older-than", "1"]) == 0
    assert capsys.readouterr().out == "0 originals dropped\n"
    assert main(["gc", "--max-bytes", "0"]) == 0
    assert capsys.readouterr().out == "1 original dropped\n"
