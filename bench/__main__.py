"""`python -m bench [GROUP ...]`: one table of what is measured, and the goals."""

from __future__ import annotations

import argparse
import json
import logging
import math
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from typing import Protocol

from .measuring import Figure, slowdown

log = logging.getLogger(__name__)

BUSY = 1.3


class Measure(Protocol):
    """What every module of a group has as `figures`."""

    def __call__(self, *, full: bool) -> Iterator[Figure]:
        """The figures, each when it is measured; `full` takes longer and is surer."""
        ...


GROUPS: Mapping[str, str] = {
    "synopsis": "synopses",
    "hostile": "hostile",
    "store": "storing",
    "history": "history",
    "loading": "loading",
    "proxy": "proxying",
    "replay": "replaying",
}
"""The module of each group."""

_VERDICT = {True: "yes", False: "NO", None: ""}


def measured(groups: Sequence[str], *, full: bool, show: Callable[[str, Figure], None]) -> Iterator[tuple[str, Figure]]:
    """The figures of the groups, each shown as soon as it is there."""
    for group in groups:
        figures: Measure = import_module(f".{GROUPS[group]}", __package__).figures
        try:
            for figure in figures(full=full):
                show(group, figure)
                yield group, figure
        except Exception as error:
            log.exception("%s could not be measured to its end", group)
            failed = Figure(f"not measured: {type(error).__name__}: {error}", math.nan, "", 0)
            show(group, failed)
            yield group, failed


def line(group: str, figure: Figure) -> str:
    """A row of the table."""
    goal = "" if figure.goal is None else f"{'>=' if figure.at_least else '<='} {figure.goal:,g}"
    value = f"{figure.measured:,.{_places(figure.measured)}f} {figure.unit}"
    return f"{group:9}{figure.what:66}{value:>14}  {goal:>9}  {_VERDICT[figure.ok]:4}{figure.note}".rstrip()


def _places(value: float) -> int:
    return 0 if not value % 1 or value >= 100 else 2


def main(argv: list[str] | None = None) -> int:
    """Prints the table; the status is 1 if a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("groups", metavar="GROUP", nargs="*",
                        help=f"what to measure, of {', '.join(GROUPS)}; all by default")
    parser.add_argument("--full", action="store_true", help="more rounds, and the search through a whole gigabyte")
    parser.add_argument("--json", action="store_true", help="a list of objects instead of the table")
    given = parser.parse_args(argv)
    if unknown := set(given.groups) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))} (there are {', '.join(GROUPS)})")

    def show(group: str, figure: Figure) -> None:
        print(line(group, figure), file=sys.stderr if given.json else sys.stdout, flush=True)

    start = time.monotonic()
    found = list(measured(given.groups or list(GROUPS), full=given.full, show=show))
    if given.json:
        print(json.dumps([{"group": group, **asdict(figure), "ok": figure.ok} for group, figure in found], indent=1))
    judged = [figure.ok for _, figure in found if figure.ok is not None]
    missed = judged.count(False)
    print(f"{len(judged) - missed} of {len(judged)} goals reached on {platform.python_implementation()} "
          f"{platform.python_version()} in {time.monotonic() - start:.0f} s", file=sys.stderr)
    if (busy := slowdown()) > BUSY:
        print(f"this machine was {busy:.1f} times slower than at its best: trust the ratios alone", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
