"""What an expression selects from a stored original, by its kind.

    query(store, ref, "items[?status=='failed'].id")            JSON, NDJSON, YAML: JMESPath
    query(store, ref, "id, amount where country == 'DE'")       a table: columns, rows and a condition
    query(store, ref, "Runner.start")                           code: that definition; * lists all
    query(store, ref, "# Installation")                         Markdown: that section; * lists the headings
    query(store, ref, "SELECT ?x WHERE { ?x :status 'failed' }")    JSON, YAML and tables as a graph: SPARQL

The answer says exactly what it covers. The work is bounded by the size of the original, of the expression and of what
it builds, never by a clock, so the same call has the same answer everywhere.
"""

from __future__ import annotations

from .answer import Answer, Listing, Passage
from .dispatch import EXPRESSION_CHARS, MOST_CHARS, query

__all__ = ["EXPRESSION_CHARS", "MOST_CHARS", "Answer", "Listing", "Passage", "query"]
