"""Every client, in each format it speaks, streamed and not, behind the proxy: `make clients CLIENTS="openai aider"`.

    python -m clients.matrix [NAME ...]

A client that cannot be installed is a failure like any other. The exit status is 1 if there was one.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from . import trial
from .catalogue import CLIENTS, Client, Trial
from .environments import NotInstalledError, made, mitmdumps, version_of

_ROW = "{:18} {:18} {:9} {:16} {:>5} {:>6} {:>5}  {}"
_REST = 3


def main(names: Sequence[str]) -> int:
    """Try the clients of these names, or all; the exit status."""
    known = {client.name: client for client in CLIENTS}
    if unknown := [name for name in names if name not in known]:
        print(f"no such client: {', '.join(unknown)}; there are {', '.join(known)}")
        return 2
    clients = [known[name] for name in names] or [*CLIENTS]
    print(_ROW.format("client", "format", "streamed", "through", "turns", "hidden", "s", "result"), flush=True)
    failed = sum([_tried(client) for client in clients])
    print(f"{failed} failed" if failed else "all ok")
    return 1 if failed else 0


def _tried(client: Client) -> int:
    """Try a client; how many trials failed."""
    try:
        place = made(client)
    except NotInstalledError as error:
        print(_ROW.format(client.name, "-", "-", "-", 0, 0, 0, f"NOT INSTALLED: {error}"), flush=True)
        return 1
    trials = [*client.trials, *(one for program in mitmdumps() for one in client.behind(program))]
    return sum([_row(one, place) for one in trials])


def _row(one: Trial, place: Path) -> bool:
    """Make one trial and print its row; whether it failed."""
    began = time.monotonic()
    outcome = asyncio.run(trial.run(one, place))
    through = one.mode or ("run" if one.client.commands and one.client.tools else "proxy")
    if one.mitmdump:
        through += f" {version_of(one.mitmdump)}"
    form = f"{one.format} {one.variant}".strip()
    result = "ok" if not outcome.faults else "FAILED: " + "\n    ".join([
        *outcome.faults[:_REST], *(f"and {len(outcome.faults) - _REST} more" for _ in outcome.faults[_REST:_REST + 1])])
    print(_ROW.format(one.client.name, form, "yes" if one.streamed else "no", through, outcome.turns,
                      outcome.hidden, round(time.monotonic() - began), result), flush=True)
    return bool(outcome.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
