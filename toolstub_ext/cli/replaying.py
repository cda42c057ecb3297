"""`toolstub replay`: what stubs would have saved in recorded conversations, and what would have been missed."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ..phrases import printable
from .arguments import UsageError
from .console import note

if TYPE_CHECKING:
    import argparse

    from ..replay import Policy, Progress, Report
    from .arguments import Parser

_PAUSE_SECONDS = 0.1
_NOTHING = ("no recorded conversation was found; name sessions of agents or request bodies (.jsonl, .json, .traj),"
            " HTTP archives (.har), flow files of mitmproxy, or a folder of them")


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser("replay", help="count what stubs would have saved in recorded conversations")
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a recorded conversation, or a folder of them")
    parser.add_argument("--preset", metavar="NAME", action="append", default=[],
                        help="a preset as it is; more than one are compared (default: the settings in force)")
    parser.add_argument("--config", metavar="FILE", action="append", default=[],
                        help="the settings of a file; more than one are compared")
    parser.add_argument("--format", choices=("table", "json", "html"), default="table", help="default table")
    parser.add_argument("--output", metavar="FILE", help="write the report to a file")
    parser.set_defaults(run=_replay)


def _replay(args: argparse.Namespace) -> int:
    from ..replay import replay

    policies = _policies(args.preset, args.config)
    if args.output and (Path(args.output).is_dir() or not Path(args.output).parent.is_dir()):
        raise UsageError(f"toolstub replay: --output {args.output} is a folder, or lies in none; name a file in one")
    line = _Line()
    try:
        report = replay(args.paths, policies, line.show)
    finally:
        line.end()
    text = _written(report, args.format)
    if args.output:
        Path(args.output).write_text(text, encoding="utf-8", newline="\n")
    else:
        print(text, end="")
    failures = [*report.failures()]
    for failure in failures or ([] if report.conversations else [_NOTHING]):
        note(failure)
    return 1 if failures else 0


def _policies(presets: list[str], files: list[str]) -> list[Policy]:
    """Presets as they are, with no file's settings over them; settings of files; else the settings in force."""
    from ..replay import Policy
    from ..settings import load_settings

    chosen = [Policy(name, load_settings(os.devnull, preset=name)) for name in dict.fromkeys(presets)]
    chosen += [Policy(file, load_settings(file)) for file in dict.fromkeys(files)]
    if chosen:
        return chosen
    settings = load_settings()
    return [Policy(settings.preset, settings)]


def _written(report: Report, form: str) -> str:
    from ..replay.page import page
    from ..replay.table import table

    if form == "json":
        return json.dumps(report.data(), indent=2) + "\n"
    return page(report) if form == "html" else table(report)


class _Line:
    """Shows how far it is in one line of a terminal, ten times a second; elsewhere nothing."""

    def __init__(self) -> None:
        self._next = 0.0 if sys.stderr.isatty() else float("inf")
        self._shown = 0

    def show(self, progress: Progress) -> None:
        """As often as one likes."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PAUSE_SECONDS
            self._print(f"conversations {progress.conversations:,}, requests {progress.requests:,},"
                        f" {progress.percent} % of {printable(progress.file)}")

    def end(self) -> None:
        """Leave the line empty for what follows."""
        if self._shown:
            self._print("")
            self._print("")

    def _print(self, text: str) -> None:
        """Over what stands in the line, and no further than it goes."""
        line = text[:shutil.get_terminal_size().columns - 1]
        print(f"\r{line.ljust(self._shown)}", end="", file=sys.stderr, flush=True)
        self._shown = len(line)
