"""What the wheel holds."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest

from toolstub_ext import __version__

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Built from this tree, with the build backend of this environment."""
    directory = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(directory)],
                   cwd=ROOT, check=True, capture_output=True)
    (path,) = directory.glob("*.whl")
    return zipfile.ZipFile(path)


def test_it_installs_exactly_two_packages(wheel: zipfile.ZipFile) -> None:
    """A top-level `proxy`, `tests` or `examples` would collide with those of others."""
    info = f"toolstub-{__version__}.dist-info"
    assert {name.partition("/")[0] for name in wheel.namelist()} == {"toolstub_ext", "toolstub_proxy", info}


@pytest.mark.parametrize("package", ["toolstub_ext", "proxy/toolstub_proxy"])
def test_it_holds_every_file_of_the_packages(wheel: zipfile.ZipFile, package: str) -> None:
    """Data files too: the widget's script, the type marker."""
    source = ROOT / package
    wanted = {f"{source.name}/{path.relative_to(source).as_posix()}" for path in source.rglob("*")
              if path.is_file() and "__pycache__" not in path.parts}
    assert wanted <= set(wheel.namelist())
    assert f"{source.name}/py.typed" in wanted


def test_it_installs_the_command_and_its_plug_in(wheel: zipfile.ZipFile) -> None:
    """`toolstub`, and `proxy`, `run` and `demo` below it."""
    points = ConfigParser()
    points.read_string(wheel.read(f"toolstub-{__version__}.dist-info/entry_points.txt").decode())
    assert dict(points["console_scripts"]) == {"toolstub": "toolstub_ext.cli:main"}
    assert dict(points["toolstub.commands"]) == {"proxy": "toolstub_proxy.commands:register"}
    assert dict(points["toolstub.traces"]) == {"mitmproxy": "toolstub_proxy.flows"}


def test_it_carries_its_licence(wheel: zipfile.ZipFile) -> None:
    """As the licence asks for."""
    text = wheel.read(f"toolstub-{__version__}.dist-info/licenses/LICENSE")
    assert text == (ROOT / "LICENSE").read_bytes()
