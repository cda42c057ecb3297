"""The `toolstub` command.

    toolstub synopsize FILE|-            what a stub would say about a text
    toolstub list | read REF | search QUERY | query REF EXPR | export REF DIR
    toolstub gc | pin REF | unpin REF | verify | stats
    toolstub replay PATH ...             what stubs would have saved in recorded sessions
    toolstub proxy | run | demo          from the entry points of the group `toolstub.commands`

Exit status 0, 1 for a finding or a failure, 2 for wrong usage; an error is one line on stderr that says what to do.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; `argv` is without the program's name and defaults to the process's. The exit status."""
    try:
        from .commandline import run  # here, so that Ctrl-C is quiet while the rest is being imported, too

        return run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return 130
