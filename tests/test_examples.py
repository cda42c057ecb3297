"""What is shown to readers is what the code prints today."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from toolstub_proxy.demo.agent import read_file
from toolstub_proxy.demo.conversation import SOURCE
from toolstub_proxy.demo.model import answer_from, question_about, reply_to
from toolstub_proxy.demo.upstream import UpstreamApp

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


async def test_the_example_agent_runs_behind_toolstub_run() -> None:
    """As the README has it: the agent knows nothing, and the model answers from an original it never got whole."""
    async with UpstreamApp(script=reply_to) as upstream:
        command = [sys.executable, "-m", "toolstub_ext", "run", "--upstream", f"{upstream.url}/v1", "--",
                   sys.executable, str(ROOT / "examples/agent.py"), question_about(SOURCE)]
        process = await asyncio.create_subprocess_exec(
            *command, env=os.environ | {"OPENAI_API_KEY": "any"}, stdout=asyncio.subprocess.PIPE)
        shown, _ = await process.communicate()
    assert process.returncode == 0
    assert shown.decode().strip() == answer_from(read_file(SOURCE))
    assert len(upstream.requests) == 4
    assert max(map(len, upstream.requests)) < 20_000


def test_orders_are_the_same_everywhere() -> None:
    """One line of JSON with 500 elements, of which one is an error."""
    done = subprocess.run([sys.executable, ROOT / "examples/orders.py"], capture_output=True, check=True)
    orders = json.loads(done.stdout)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"\noriginal_chars: {len(done.stdout)}\n" in readme
    assert f"\nsha256: {hashlib.sha256(done.stdout).hexdigest()[:16]}\n" in readme
    assert len(orders) == 500
    assert [order for order in orders if "error" in order] == [{"error": "quota exceeded", "code": 429}]
