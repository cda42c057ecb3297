"""CSV and TSV."""

from __future__ import annotations

import csv as reader
import io

from .facts import Facts
from .model import KindName, Source, Synopsis


class DelimitedKind:
    """A table of values between delimiters."""

    def __init__(self, name: KindName, delimiter: str) -> None:
        self.name: KindName = name
        self.delimiter = delimiter

    def score(self, source: Source) -> float:
        """By the regularity of the first rows."""
        counts = [line.count(self.delimiter) for line in source.probe]
        regular = len(counts) > 1 and counts[0] > 0 and len(set(counts)) == 1
        return 0.7 if regular else 0.0

    def describe(self, source: Source) -> Synopsis:
        """Columns and rows."""
        rows = [row for row in reader.reader(io.StringIO(source.head), delimiter=self.delimiter) if row]
        facts = Facts(source)
        facts.say(f"{len(rows) - 1} rows, {len(rows[0])} columns: " + ", ".join(rows[0]))
        facts.sample(source.clean)
        return facts.build(self.name)


csv = DelimitedKind("csv", ",")
tsv = DelimitedKind("tsv", "\t")
