"""Dependencies point one way."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from grimp import build_graph

ROOT = Path(__file__).parent.parent
SOURCES = [*ROOT.glob("toolstub_ext/**/*.py"), *ROOT.glob("proxy/toolstub_proxy/**/*.py")]
MAY_IMPORT_MITMPROXY = {"addon.py", "contentview.py", "flows.py"}


def test_the_layers_hold() -> None:
    """The contracts in pyproject.toml; an import inside a function counts as well."""
    done = subprocess.run([sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"],
                          cwd=ROOT, capture_output=True, text=True, check=False,
                          env=os.environ | {"PYTHONPATH": str(ROOT / "proxy")})
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_module_needs_itself() -> None:
    """Neither at once nor later nor for its types: each can be read before those that use it. Raises CycleError."""
    graph = build_graph("toolstub_ext", "toolstub_proxy", cache_dir=None)
    TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()


def test_every_module_has_a_layer() -> None:
    """A module that no contract names could import anything."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    named = {name.strip(" ()") for layer in layers for name in layer.split("|")}
    modules = {f"toolstub_ext.{path.stem}" for path in (ROOT / "toolstub_ext").iterdir()
               if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert modules - named == {"toolstub_ext.__init__", "toolstub_ext.__main__"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_mitmproxy_is_imported_by_its_adapter_alone(path: Path) -> None:
    """Everything else runs where mitmproxy is not installed."""
    imports = re.search(r"^\s*(?:from|import) mitmproxy\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert imports is None or path.name in MAY_IMPORT_MITMPROXY
