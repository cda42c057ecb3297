"""The counters as Prometheus reads them: `GET /metrics`.

The library is imported with the first scrape, since most proxies are never scraped.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from toolstub_ext import __version__

from .counting import BOUNDS, Counts

if TYPE_CHECKING:
    from prometheus_client import Metric

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def exposition(counts: Counts) -> bytes:
    """All counters, and what the process takes of memory, time and files where the platform tells."""
    from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest

    registry = CollectorRegistry()
    registry.register(_Collector(counts))
    ProcessCollector(registry=registry)
    return generate_latest(registry)


class _Collector:
    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        """Every family of metrics."""
        from prometheus_client.core import (
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
            InfoMetricFamily,
        )

        counts, bill = self._counts, self._counts.bill
        yield InfoMetricFamily("toolstub", "Of what version this proxy is.", {"version": __version__})
        yield GaugeMetricFamily("toolstub_requests_running", "Requests whose answer has not ended.", counts.running)
        family = CounterMetricFamily("toolstub_requests", "Requests by wire format and status of the answer.",
                                     labels=("format", "status"))
        for (spoken, status), number in sorted(counts.requests.items()):
            family.add_metric((spoken, str(status)), number)
        yield family
        for name, says, label, counter in (
            ("toolstub_results", "Tool results by what became of them, when they first came.", "action",
             counts.results),
            ("toolstub_retrievals", "Calls of retrieval tools that were answered.", "tool", counts.retrievals),
            ("toolstub_failures", "Requests that failed, or went without our work, by reason.", "reason",
             counts.all_failures()),
        ):
            family = CounterMetricFamily(name, says, labels=(label,))
            for value, number in sorted(counter.items()):
                family.add_metric((value,), number)
            yield family
        yield CounterMetricFamily("toolstub_hidden_rounds", "Upstream requests that clients know nothing of.",
                                  counts.rounds)
        yield CounterMetricFamily("toolstub_requests_without_tools", "Requests in which nothing can be stubbed.",
                                  counts.without_tools)
        for name, says, before, after, share in (
            ("tokens", "Tokens of requests", bill.tokens_before, bill.tokens_after, bill.tokens_saved),
            ("cost", "Cost of requests in new tokens, one read from a cache at 0.1", bill.cost_before, bill.cost_after,
             bill.cost_saved),
        ):
            family = CounterMetricFamily(f"toolstub_{name}", f"{says}, estimated: as clients sent them, and as they "
                                         "went upstream, hidden rounds included.", labels=("side",))
            family.add_metric(("client",), before)
            family.add_metric(("upstream",), after)
            yield family
            yield GaugeMetricFamily(f"toolstub_{name}_saved_ratio", "The share of that saved since the start.", share)
        buckets = [(str(bound), total) for bound, total in zip((*BOUNDS, "+Inf"), accumulate(counts.added))]
        yield HistogramMetricFamily("toolstub_added_seconds", "Latency that the proxy adds to a request it reads.",
                                    buckets=buckets, sum_value=counts.added_seconds)
