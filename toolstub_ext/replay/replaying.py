"""From paths to a report."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from ..store import open_store
from .known import english
from .measuring import Measure, Policy
from .report import Report
from .traces import Found, conversations


@dataclass
class Progress:
    """How far a replay is: what has been measured, the requests sent so far under all policies, the file being read."""

    conversations: int = 0
    requests: int = 0
    file: str = ""
    percent: int = 0


def replay(paths: Sequence[str | Path], policies: Sequence[Policy],
           show: Callable[[Progress], None] = lambda _: None) -> Report:
    """Every conversation under `paths`, under every policy; `show` is called often: as files pass, after each request.

    The originals go to a store of its own, which is deleted. At most one conversation is in memory at a time, and what
    waits to grow in a log of requests. Nothing leaves this machine. Without the extra `[replay]` it raises
    ModuleNotFoundError before anything is read.
    """
    english()
    report = Report([policy.name for policy in policies])
    progress = Progress()

    def watch(file: str, passed: int, size: int) -> None:
        progress.file, progress.percent = file, 100 * min(passed, size) // max(size, 1)
        show(progress)

    def sent() -> None:
        progress.requests += 1
        show(progress)

    found = Found(watch=watch)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="toolstub-replay-"))
        store = stack.enter_context(open_store(Path(folder, "store.db")))
        for conversation in conversations(paths, found):
            measure = Measure(conversation, sent)
            runs = [measure.run(policy.settings, store) for policy in policies]
            report.add(conversation, measure.baseline(), runs)
            store.gc(max_bytes=0)
            progress.conversations += 1
    report.files, report.others, report.faults = found.files, found.others, tuple(found.faults)
    return report
