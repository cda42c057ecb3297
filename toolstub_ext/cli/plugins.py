"""Commands of other packages: each entry point of the group is a function that adds its parsers."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from .arguments import Parser

GROUP = "toolstub.commands"
_OWN = EntryPoint("proxy", "toolstub_proxy.commands:register", GROUP)


def register(commands: _SubParsersAction[Parser]) -> None:
    """Add all of them. One that does not load costs a line on stderr, never the other commands."""
    for point in _found():
        try:
            point.load()(commands)
        except Exception as error:  # noqa: BLE001 - whatever a stranger's module does at import
            print(f"toolstub: the commands of {point.value} are missing: {error!r}", file=sys.stderr)


def _found() -> tuple[EntryPoint, ...]:
    """Those of installed packages; our own also from a clone that is only on the path."""
    installed = tuple(sorted(entry_points(group=GROUP), key=lambda point: point.name))
    try:
        distribution("toolstub")
    except PackageNotFoundError:
        return (*installed, _OWN) if find_spec("toolstub_proxy") else installed
    return installed
