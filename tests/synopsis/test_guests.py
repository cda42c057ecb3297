"""Kinds of other packages, installed for real into a folder of their own and found in another process."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

MODULE = '''\
from toolstub_ext.synopsis.facts import Facts


class Recipe:
    """A recipe; scores, and does what `harm` names, by its first line."""

    def __init__(self, name, harm=""):
        self.name = name
        self.harm = harm

    def score(self, source):
        if self.harm == "score":
            raise RuntimeError("no scale")
        return 0.95 if source.text.startswith("RECIPE") else 0.0

    def describe(self, source):
        if self.harm == "describe":
            raise KeyError("salt")
        if self.harm == "refuse":
            raise ValueError("not a recipe after all")
        if self.harm == "return":
            return "soup"
        facts = Facts(source)
        facts.say(f"a recipe of {len(source.lines) - 1} steps")
        return facts.build("recipe")


good = Recipe("recipe")
scoring = Recipe("scoring", "score")
describing = Recipe("describing", "describe")
refusing = Recipe("refusing", "refuse")
returning = Recipe("returning", "return")
'''

DESCRIBE = """\
from toolstub_ext.synopsis import render, synopsize
for _ in range(3):
    synopsis = synopsize("RECIPE soup\\n" + "stir well\\n" * 40)
print(synopsis.kind, *synopsis.summary, sep="|")
print(render(synopsis, sha256="0" * 64).splitlines()[2])
"""


BROKEN = {
    "lost = toolstub_nowhere:kind": "lost (toolstub_nowhere:kind)",
    "nameless = toolstub_recipes:Facts": "nameless (toolstub_recipes:Facts)",
    "scoring = toolstub_recipes:scoring": "no scale",
    "describing = toolstub_recipes:describing": "salt",
    "returning = toolstub_recipes:returning": "returned str",
}
KINDS = [*BROKEN, "refusing = toolstub_recipes:refusing", "whole = toolstub_recipes:good"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed a package with good and broken kinds, those that come first broken."""
    folder = tmp_path_factory.mktemp("recipes")
    info = "toolstub_recipes-1.0.dist-info"
    wheel = folder / "toolstub_recipes-1.0-py3-none-any.whl"
    files = {
        "toolstub_recipes.py": MODULE,
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: toolstub-recipes\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "\n".join(["[toolstub.kinds]", *KINDS, ""]),
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in [*files.items(), (f"{info}/RECORD", record)]:
            archive.writestr(name, text)
    target = folder / "site"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", str(target), str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    return target


def run(site: Path, code: str) -> tuple[list[str], str]:
    """The lines that a process prints which has the folder on its path, and what it says on stderr."""
    path = os.pathsep.join([str(ROOT), str(site)])
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines(), done.stderr


def test_a_kind_of_another_package_describes_its_texts(site: Path) -> None:
    """It stands in the stub like one of our own, whatever is wrong with those asked before it."""
    assert run(site, DESCRIBE)[0] == ["recipe|a recipe of 40 steps", "kind: recipe"]


def test_a_broken_kind_is_named_once_and_left_out(site: Path) -> None:
    """Three texts make one complaint of each; one that refuses a text after all has done nothing wrong."""
    complaints = run(site, DESCRIBE)[1]
    assert complaints.count("is left out") == len(BROKEN)
    assert [said for said in BROKEN.values() if complaints.count(said) != 1] == []


def test_nothing_is_loaded_before_a_text_is_described(site: Path) -> None:
    """Importing the synopsis does not import what others have installed."""
    code = "import sys, toolstub_ext.synopsis; print('toolstub_recipes' in sys.modules)"
    assert run(site, code)[0] == ["False"]
