"""An environment for each client, with the versions that were run; made once, and again when those change."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from .catalogue import Client

FOLDER = Path(os.environ.get("TOOLSTUB_CLIENTS", Path(__file__).parents[2] / ".venv" / "clients"))
_STAMP = ".made-of"
_OLDEST_NODE = 20


class NotInstalledError(Exception):
    """A client that cannot be tried, and why."""


def made(client: Client) -> Path:
    """The client's environment, ready. Raises NotInstalledError."""
    folder = FOLDER / client.name
    packages = "\n".join(client.packages)
    stamp = folder / _STAMP
    if not (stamp.exists() and stamp.read_text() == packages):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (_with_npm if client.node else _with_pip)(client, folder)
        stamp.write_text(packages)
    return folder


def command_of(client: Client, place: Path) -> list[str]:
    """What runs the client's script. Node finds packages beside a script alone, so it is put there."""
    scripts = Path(__file__).parent / ("node" if client.node else "python")
    if not client.node:
        return [str(place / "bin" / "python"), str(scripts / client.script)]
    for name in ("common.mjs", client.script):
        shutil.copy(scripts / name, place / name)
    return ["node", str(place / client.script)]


def mitmdumps() -> list[Path]:
    """The mitmdumps to try clients with: those that TOOLSTUB_MITMDUMPS names, from the folder of this process."""
    found = [Path(name).absolute() for name in os.environ.get("TOOLSTUB_MITMDUMPS", "").split(os.pathsep) if name]
    return [path for path in dict.fromkeys(found) if path.exists()]


@cache
def version_of(mitmdump: Path) -> str:
    """Its version."""
    said = subprocess.run([mitmdump, "--version"], check=True, capture_output=True, text=True).stdout
    return said.split()[1]


def _with_pip(client: Client, folder: Path) -> None:
    python = _interpreter(client.python)
    _run([python, "-m", "venv", str(folder)], folder)
    _run([str(folder / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check",
          *client.packages], folder)


def _interpreter(newest: tuple[int, int] | None) -> str:
    """Our own Python, or one that the client can be installed for."""
    if newest is None or sys.version_info[:2] <= newest:
        return sys.executable
    for minor in range(newest[1], 10, -1):
        found = shutil.which(f"python3.{minor}")
        if found and subprocess.run([found, "-c", ""], check=False, capture_output=True).returncode == 0:
            return found
    raise NotInstalledError(f"needs a Python of at most {newest[0]}.{newest[1]}")


def _with_npm(client: Client, folder: Path) -> None:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise NotInstalledError("needs node and npm")
    version = subprocess.run([node, "--version"], check=False, capture_output=True, text=True).stdout
    found = re.match(r"v(\d+)", version)
    if found is None or int(found[1]) < _OLDEST_NODE:
        raise NotInstalledError(f"needs node {_OLDEST_NODE} or newer, not {version.strip()}")
    (folder / "package.json").write_text('{"private": true}\n')
    _run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", *client.packages], folder)


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise NotInstalledError(" ".join((done.stderr or done.stdout).split())[-300:])
