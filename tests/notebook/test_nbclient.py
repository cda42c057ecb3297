"""Notebooks that a program runs: valid, small, and stopped by errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient", reason="pip install nbclient")

SOURCES = (
    "%load_ext toolstub_ext",
    "for i in range(2000): print('flush' * 10, i, flush=True)",
    "print('x' * 2_000_000)\ndisplay({'text/plain': 'between'}, raw=True)\nprint('y' * 9000)",
    "list(range(900)) + ['r' * 90] * 100",
    "raise ValueError('e' * 9000)",
    "print('never reached')",
)


def run(directory: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, *, allow_errors: bool) -> Any:
    """The notebook after a run."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in SOURCES])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    client = nbclient.NotebookClient(notebook, allow_errors=allow_errors, timeout=60,
                                     resources={"metadata": {"path": str(directory)}})
    try:
        client.execute()
    except nbclient.exceptions.CellExecutionError as fault:
        notebook.metadata["stopped_by"] = fault.ename
    return notebook


def test_a_run_is_valid_and_small(tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two megabytes and two thousand lines are a few kilobytes, without a trace of a widget."""
    notebook = run(tmp_path, environment, monkeypatch, allow_errors=True)
    nbformat.validate(notebook)
    assert max(len(json.dumps(cell.outputs)) for cell in notebook.cells) < 12_000
    assert "widgets" not in notebook.metadata
    refs = [output.metadata.toolstub.ref for cell in notebook.cells for output in cell.outputs
            if "toolstub" in output.get("metadata", {})]
    assert len(refs) == 4
    assert all(ref.startswith("ts_") for ref in refs)
    assert "".join(output.text for output in notebook.cells[5].outputs) == "never reached\n"  # kernels may flush in it


def test_a_run_stops_at_an_error(tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A shortened error is an error all the same, of the same type."""
    notebook = run(tmp_path, environment, monkeypatch, allow_errors=False)
    assert notebook.metadata["stopped_by"] == "ValueError"
    (error,) = notebook.cells[4].outputs
    assert error.output_type == "error"
    assert len(json.dumps(error)) < 4000
    assert notebook.cells[5].outputs == []
