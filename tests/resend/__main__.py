# ruff: noqa: T201
"""Sends what was recorded once more, through the real gateway, and checks what arrives: `make resend`.

    python -m resend [--preset NAME ...] FILE|FOLDER ...

Every request of every conversation goes over HTTP to an upstream that notes what it receives:

- nothing differs from what the client wrote but texts of tool results, our tools, rounds that the client did not see,
  and, where the settings have a window, messages that became a history;
- every text that was replaced is in the store, and became shorter;
- each request begins with the one before it, up to its newest turn, but where a policy for what is old moved on.

Every stream is played behind the request that it answered and behind one with a stubbed result, event by event, and in
pieces that are cut anywhere: it arrives in the same bytes, each event before the next one is sent. The status is 1 if
anything differs. Under `rounds`, the model reads originals with our tools in every third answer.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from toolstub_ext.presets import PRESETS

from .conversations import resent
from .recordings import Conversation, Stream, found
from .streams import replayed

_ROW = "{:14} {:>13} {:>9} {:>9} {:>9} {:>6} {:>7} {:>7} {:>9}"
_HEAD = ("preset", "conversations", "requests", "replaced", "rounds", "moves", "streams", "events", "findings")


def main(arguments: list[str]) -> int:
    """Send all under each preset; the exit status."""
    parser = argparse.ArgumentParser(prog="resend", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE|FOLDER")
    parser.add_argument("--preset", action="append", choices=PRESETS, help="one of these alone; default: all")
    given = parser.parse_args(arguments)
    conversations, streams = found(given.paths)
    if not conversations and not streams:
        parser.error("nothing is recorded there")
    print(_ROW.format(*_HEAD), flush=True)
    findings = [finding for preset in given.preset or PRESETS for finding in _under(preset, conversations, streams)]
    print("\n".join([*findings, f"{len(findings)} findings"]))
    return 1 if findings else 0


def _under(preset: str, conversations: list[Conversation], streams: list[Stream]) -> list[str]:
    """Send all under one preset, and print its row."""
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        findings = asyncio.run(_all(preset, Path(folder, "store.db"), conversations, streams, counts))
    print(_ROW.format(preset, *(counts[name] for name in _HEAD[1:-1]), len(findings)), flush=True)
    return [f"{preset}: {finding}" for finding in findings]


async def _all(preset: str, store: Path, conversations: list[Conversation], streams: list[Stream],
               counts: Counter[str]) -> list[str]:
    return [*await resent(preset, store, conversations, counts), *await replayed(preset, store, streams, counts)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
