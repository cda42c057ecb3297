"""IPython in a terminal, where what is printed cannot be taken back."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("IPython")


def terminal(directory: Path, environment: dict[str, str], *lines: str) -> str:
    """What a terminal IPython writes for these cells."""
    script = directory / "cells.ipy"
    code = ("from IPython.terminal.interactiveshell import TerminalInteractiveShell\n"
            "shell = TerminalInteractiveShell.instance()\n"
            f"for cell in {lines!r}: shell.run_cell(cell, store_history=True)\n")
    script.write_text(code)
    variables = {**environment, "TOOLSTUB_STORE": str(directory / "store.db"), "TERM": "dumb"}
    run = subprocess.run([sys.executable, str(script)], env=variables, capture_output=True, text=True, check=True,
                         encoding="utf-8", stdin=subprocess.DEVNULL)
    assert run.stderr == "" or os.name == "nt", run.stderr
    return run.stdout


def test_a_large_value_is_a_stub_and_can_be_read_back(tmp_path: Path, environment: dict[str, str]) -> None:
    """The value of a cell is described; `get` has it whole; prints pass."""
    out = terminal(tmp_path, environment, "%load_ext toolstub_ext", "'v' * 5000", "print('p' * 5000)",
                   "import re\nentry = get_ipython().run_line_magic('toolstub', 'search vvvv')",
                   "'small'")
    assert "[toolstub] cell output externalized" in out
    assert "v" * 5000 not in out
    assert "p" * 5000 in out
    assert "'small'" in out


def test_off_for_one_cell_and_unload(tmp_path: Path, environment: dict[str, str]) -> None:
    """The line above a cell, and unloading, show values whole."""
    out = terminal(tmp_path, environment, "%load_ext toolstub_ext", "%%toolstub off\n'a' * 5000", "'b' * 5000",
                   "%unload_ext toolstub_ext", "'c' * 5000")
    assert "a" * 5000 in out
    assert "b" * 5000 not in out
    assert "c" * 5000 in out
