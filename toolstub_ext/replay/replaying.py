"""From paths to a report."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from ..store import open_store
from .known import english
from .measuring import Measure, Policy
from .report import Report
from .traces import Found, conversations


def replay(paths: Sequence[str | Path], policies: Sequence[Policy],
           progress: Callable[[Report], None] = lambda _: None) -> Report:
    """Every conversation under `paths`, under every policy; `progress` is called first, and after each.

    The originals go to a store of its own, which is deleted. At most one conversation is in memory at a time, and what
    waits to grow in a log of requests. Nothing leaves this machine. Without the extra `[replay]` it raises
    ModuleNotFoundError before anything is read.
    """
    english()
    found = Found()
    report = Report([policy.name for policy in policies])
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="toolstub-replay-"))
        store = stack.enter_context(open_store(Path(folder, "store.db")))
        progress(report)
        for conversation in conversations(paths, found):
            measure = Measure(conversation)
            runs = [measure.run(policy.settings, store) for policy in policies]
            report.add(conversation, measure.baseline(), runs)
            store.gc(max_bytes=0)
            progress(report)
    report.files, report.others, report.faults = found.files, found.others, tuple(found.faults)
    return report
