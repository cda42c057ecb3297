"""`toolstub demo`: both faces at work on real input, offline, with every figure measured in this run."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("demo", help="both faces at work on real input: offline, in under two minutes")
    parser.add_argument("--output", metavar="DIR", type=Path, default=Path("demo-output"),
                        help="where the notebook and the demo's own store go (demo-output)")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    for library in ("openai", "nbclient", "ipykernel"):
        if find_spec(library) is None:
            raise ModuleNotFoundError(f"No module named {library!r}", name=library)
    from .failure import DemoFailed
    from .show import show

    try:
        return show(args.output)
    except DemoFailed as failure:
        print(f"\ntoolstub demo: {failure}", file=sys.stderr)
        return 1
