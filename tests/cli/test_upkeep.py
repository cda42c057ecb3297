"""`toolstub gc`, `verify` and `stats`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

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


@pytest.mark.parametrize("left", [100, 4096, -4096])
@pytest.mark.parametrize("command", ["verify", "stats", "list"])
def test_a_store_that_is_cut_off(stored: Callable[..., Ref], capsys: pytest.CaptureFixture[str], left: int,
                                 command: str) -> None:
    """It cannot be opened, so there is nothing to verify: what helps is said, and nothing is touched."""
    store_path = Path(os.environ["TOOLSTUB_STORE"])
    stored("kept" * 1000)
    rest = store_path.read_bytes()[:left]
    store_path.write_bytes(rest)
    assert main([command]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "put a backup in its place, or move it away" in said.err
    assert "toolstub verify" not in said.err
    assert store_path.read_bytes() == rest
    store_path.rename(store_path.with_name("away"))
    stored("new")
    assert main(["verify"]) == 0
