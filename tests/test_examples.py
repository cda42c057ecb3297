"""What is shown to readers is what the code prints today."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_examples_and_readme_are_what_the_code_prints() -> None:
    """The notebook runs in a real kernel; its saved outputs and the stubs in README.md are as they come now."""
    done = subprocess.run([sys.executable, ROOT / "scripts/examples.py", "--check"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_example_notebook_is_small_and_has_no_errors() -> None:
    """It shows on any site that shows notebooks: no widget state, nothing large."""
    path = ROOT / "examples/notebook.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert path.stat().st_size < 10_000
    assert "widgets" not in notebook["metadata"]
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    assert {output["output_type"] for output in outputs} == {"display_data", "stream"}


def test_orders_are_the_same_everywhere() -> None:
    """One line of JSON with 500 elements, of which one is an error."""
    done = subprocess.run([sys.executable, ROOT / "examples/orders.py"], capture_output=True, check=True)
    orders = json.loads(done.stdout)
    assert len(orders) == 500
    assert [order for order in orders if "error" in order] == [{"error": "quota exceeded", "code": 429}]
