"""What policies save in recorded sessions, against figures found by another program on the same ones.

Needs a folder of recorded sessions, which is no part of the repository: `TOOLSTUB_TRACES` names it, or it is
`../shared/corpus/traces` beside the repository. Without one there are no figures.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from toolstub_ext.replay import Policy, Report, replay
from toolstub_ext.settings import load_settings

from .measuring import Figure

ROOT = Path(__file__).parent.parent
FOUND = {20_000: (24.3, 2.6, 16.9), 4_000: (47.5, 7.1, 31.8)}
"""By threshold: percent saved, turns with a miss, percent saved net of re-reads, on 81 sessions with 2,647 turns.

The stubs of that program were longer than ours, so what is saved may be up to two points more.
"""
_TURNS = 2_647
_NO_SESSION = "cass-"
"""How the recordings of a library's own tests are named; they were not among the sessions."""
_NOTICEABLE = {"saved": 2.0, "miss turns": 1.0, "net saved": 1.1}


def figures(*, full: bool) -> Iterator[Figure]:
    """The known figures and how far ours are from them; and those of the default preset."""
    del full
    folder = Path(os.environ.get("TOOLSTUB_TRACES", ROOT.parent / "shared" / "corpus" / "traces"))
    paths = [path for path in sorted(folder.glob("*.json")) if not path.name.startswith(_NO_SESSION)]
    if not paths:
        return
    rules = [
        Policy(f"{chars:,} chars", load_settings(
            os.devnull, preset="openviking", externalize={"threshold_chars": chars})) for chars in FOUND
    ]
    report = replay(paths, [*rules, Policy("default", load_settings(os.devnull, preset="default"))])
    for place, policy in enumerate(report.policies):
        known = (*FOUND.values(), (None, None, None))[place] if _is_the_known(report) else (None, None, None)
        measured = report.saved(policy), policy.miss_share, report.net(policy)
        for (what, noticeable), share, before in zip(_NOTICEABLE.items(), measured, known, strict=True):
            yield Figure(f"{policy.name}: {what}", 100 * share, "%", None)
            if before is not None:
                away = abs(100 * share - before)
                yield Figure(f"{policy.name}: {what}, from what is known", away, "points", noticeable)
        yield Figure(f"{policy.name}: the worst session, before re-reads", policy.worst.value, "x", 1.0)


def _is_the_known(report: Report) -> bool:
    return report.baseline.spent.turns == _TURNS
