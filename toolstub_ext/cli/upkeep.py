"""`toolstub gc`, `pin`, `unpin`, `verify` and `stats`: the care of the store."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..phrases import counted, in_columns
from .arguments import UsageError, add_store, open_chosen_store, size
from .console import print_json

if TYPE_CHECKING:
    from .arguments import Parser


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the five commands."""
    gc = commands.add_parser("gc", help="drop the originals unused for longest")
    gc.add_argument("--older-than", metavar="DAYS", type=_days, help="those unused for so many days")
    gc.add_argument("--max-bytes", metavar="SIZE", type=size, help="until the rest fits, for example 500M")
    gc.set_defaults(run=_gc)
    pin = commands.add_parser("pin", help="keep an original whatever `gc` may drop")
    pin.set_defaults(run=_pin, pinned=True)
    unpin = commands.add_parser("unpin", help="give a pinned original free again")
    unpin.set_defaults(run=_pin, pinned=False)
    for parser in (pin, unpin):
        parser.add_argument("ref", metavar="REF", help="as a stub or `toolstub list` names it")
    verify = commands.add_parser("verify", help="check every original against its digest")
    verify.set_defaults(run=_verify)
    stats = commands.add_parser("stats", help="how much is stored")
    stats.add_argument("--json", action="store_true", help="as data")
    stats.set_defaults(run=_stats)
    for parser in (gc, pin, unpin, verify, stats):
        add_store(parser)


def _days(text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not 0 <= days < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number of days")
    return days


def _gc(args: argparse.Namespace) -> int:
    if args.older_than is None and args.max_bytes is None:
        raise UsageError("toolstub gc: say what may go: --older-than DAYS, --max-bytes SIZE or both")
    with open_chosen_store(args) as store:
        dropped = store.gc(older_than_days=args.older_than, max_bytes=args.max_bytes)
    print(f"{counted(dropped, 'original')} dropped")
    return 0


def _pin(args: argparse.Namespace) -> int:
    with open_chosen_store(args) as store:
        store.pin(args.ref, pinned=args.pinned)
    return 0


def _verify(args: argparse.Namespace) -> int:
    with open_chosen_store(args) as store:
        if damaged := store.verify():
            print("\n".join(damaged))
            return 1
        stored = store.stats()["originals"]
    print(f"{counted(stored, 'original')}, {'all ' if stored > 1 else ''}intact")
    return 0


def _stats(args: argparse.Namespace) -> int:
    with open_chosen_store(args) as store:
        stats = store.stats()
    if args.json:
        print_json(stats)
    else:
        print("\n".join(in_columns(stats.items())))
    return 0
