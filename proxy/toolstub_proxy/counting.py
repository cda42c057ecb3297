"""What a gateway has done since its start, in plain numbers. `metrics` writes them for Prometheus."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from typing import Any

from .record import Record
from .savings import Bill, Densities, bill_of, decided_now

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds, in seconds, of the classes into which added latencies fall."""


class Counts:
    """Counters, fed with the record of every request when its answer has ended. For one event loop."""

    def __init__(self, faults: Counter[str]) -> None:
        self.started = time.time()
        self.running = 0
        self.requests: Counter[tuple[str, int]] = Counter()
        """By wire format and status."""
        self.results: Counter[str] = Counter()
        """Tool results by what became of them, each counted with the first request that carries it."""
        self.retrievals: Counter[str] = Counter()
        """By tool."""
        self.failures: Counter[str] = Counter()
        """By reason."""
        self.faults = faults
        """Faults of our own that left something as it came, by type; a rewriter counts them."""
        self.rounds = 0
        self.without_tools = 0
        """Requests of a known format that offer the model no tools, so that nothing could be read from a stub."""
        self.bill = Bill()
        self._densities = Densities()
        self.added = [0] * (len(BOUNDS) + 1)
        self.added_seconds = 0.0
        self.last: float | None = None

    def note(self, record: Record) -> None:
        """Count one request. What a dry run would have saved was not saved, and its results come with the request."""
        self.last = record.at
        self.requests[record.format, record.status] += 1
        if record.failure:
            self.failures[record.failure] += 1
        self.retrievals.update(record.retrievals)
        if record.rewritten is None or record.dry_run:
            return
        self.added[bisect_left(BOUNDS, record.added)] += 1
        self.added_seconds += record.added
        self.rounds += max(0, len(record.asked) - 1)
        self.results.update(decided_now(record.rewritten))
        self._densities.note(record.rewritten)
        self.bill += bill_of(record.rewritten, record.asked, self._densities)
        understood = record.rewritten.understood
        self.without_tools += understood is not None and not understood.tool_names

    def all_failures(self) -> dict[str, int]:
        """How much went wrong, by reason."""
        return {**self.failures, **{f"fault of toolstub: {kind}": number for kind, number in self.faults.items()}}

    def told(self) -> dict[str, Any]:
        """The numbers in short, for people and for `toolstub doctor`."""
        bill = self.bill
        return {
            "seconds": round(time.time() - self.started),
            "last_request_seconds_ago": None if self.last is None else round(time.time() - self.last),
            "requests": sum(self.requests.values()),
            "of_a_known_format": sum(n for (spoken, _), n in self.requests.items() if spoken != "other"),
            "without_tools": self.without_tools,
            "results": dict(self.results),
            "retrievals": sum(self.retrievals.values()),
            "failures": self.all_failures(),
            "tokens_saved": round(bill.tokens_saved, 4),
            "cost_saved": round(bill.cost_saved, 4),
        }
