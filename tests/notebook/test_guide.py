"""docs/notebook.md shows what really comes out."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

from toolstub_ext.notebook.commands import COMMANDS
from toolstub_ext.notebook.desk import Desk
from toolstub_ext.notebook.magics import ToolStub
from toolstub_ext.notebook.originals import Originals

GUIDE = (Path(__file__).parents[2] / "docs" / "notebook.md").read_text(encoding="utf-8")


def test_the_stub_in_the_guide_is_the_stub_of_its_cell(tmp_path: Path) -> None:
    """Running the cell of the guide gives the text below it."""
    (cell,) = re.findall(r"```python\n(import json\n.*?)```", GUIDE, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)\n```", GUIDE, re.DOTALL)
    printed = StringIO()
    with redirect_stdout(printed):
        exec(cell, {})
    text = printed.getvalue()
    originals = Originals(lambda: str(tmp_path / "store.db"))
    limits = SimpleNamespace(enabled=True, threshold_chars=4000, cell_budget_chars=8000, stub_chars=800)
    made = Desk(limits, originals).stub(text, tool="stdout", reason=f"{len(text):,} > 4,000 chars")
    originals.close()
    assert made.plain == shown


def test_the_guide_names_every_command_and_trait() -> None:
    """What can be done stands there."""
    assert all(f"%toolstub {command}" in GUIDE for command in COMMANDS)
    assert all(f"`{name}`" in GUIDE for name in ToolStub.class_own_traits(config=True))
