"""SPARQL over the graph of an original, in a process of its own.

No bound on a query's work follows from its length, and the engine has none to set. So it runs in a process that is
ended after a while: the only limit of a query that is a clock. SERVICE is refused, and where the platform can see to it
the process cannot open a connection.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

from ..phrases import clipped, counted
from .answer import Answer, Listing

SECONDS = 10.0
"""How long a query may take, from reading the original to the last row."""
MOST_ROWS = 10_000
"""So many solutions or triples are taken."""

_FORM = re.compile(
    r"(?:\s|#[^\n]*\n)*(?:(?:PREFIX|BASE)\b|(?:SELECT|ASK|CONSTRUCT|DESCRIBE)\b(?=[^{]*[{<:]))", re.IGNORECASE)
_PLAIN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\r\n]|\\.)*"'
    r"|'''(?:[^'\\]|\\.|'(?!''))*'''|'(?:[^'\\\r\n]|\\.)*'"
    r'|<[^<>"{}|^`\\\x00-\x20]*>|#[^\r\n]*|\\.|[?$:][A-Za-z0-9_]+', re.DOTALL)
"""What may hold any word: a text, an IRI, a comment, an escaped sign of a name, a variable, a name behind its colon."""
_MISREAD = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)
_WHY = re.compile(r"\b[A-Z]\w+(?: \w+)+")
"""Among the signs that the parser would have taken next, what it says in words: `Prefix not found`."""
_NEAR = 20
_EXCEPTION = re.compile(r"[A-Za-z_.]*(?:Error|Exception)\b[^\n]*\Z")
_SERVICE = re.compile("service", re.IGNORECASE)  # the parser asks for no blank around a keyword: `1SERVICE<http:...>`


def is_sparql(expression: str) -> bool:
    """Whether an expression is meant as SPARQL: how it begins, and a pattern in braces or a term to describe."""
    return _FORM.match(expression) is not None


def select(ref: str, text: str, expression: str) -> Answer:
    """What SPARQL selects from the graph of the JSON, YAML or table that `text` is.

    Raises ValueError, in one line, if it does not parse, takes too long, or the engine is not installed.
    """
    if find_spec("pyoxigraph") is None:
        raise ValueError("SPARQL needs pyoxigraph where the tools run (pip install pyoxigraph); JMESPath works "
                         "without: items[?status=='failed'].id")
    if _SERVICE.search(_PLAIN.sub(" ", expression)):
        raise ValueError("SERVICE would ask another server; only the graph of this original can be queried")
    found = _run(json.dumps({"text": text, "query": expression, "most": MOST_ROWS}))
    if "misread" in found:
        raise ValueError(_misread(found["misread"], expression))
    if "error" in found:
        raise ValueError(clipped(found["error"], 300))
    rows: list[list[str]] = found["rows"]
    what = f"{counted(len(rows), found['what'])} from the graph of {found['of']}, {counted(found['triples'], 'triple')}"
    if found["more"]:
        what += f", the first {MOST_ROWS:,}"
    heading = "\t".join(f"?{name}" for name in found["names"]) if found["names"] else None
    value = [dict(zip(found["names"], row, strict=True)) for row in rows] if found["names"] else rows
    return Listing(ref, what, tuple("\t".join(row) for row in rows), value, _onward, heading)


def _run(request: str) -> dict[str, Any]:
    """What the process answers."""
    command = [sys.executable, "-I", "-c", _PROGRAM, *(path for path in sys.path if path)]
    try:
        ended = subprocess.run(command, input=request.encode(), capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(f"the query took over {SECONDS:.0f} s; give it fewer joins, or a narrower pattern") from None
    if ended.returncode:
        said = _EXCEPTION.search(ended.stderr.decode(errors="replace").strip())
        why = clipped(said[0]) if said else "it is nested too deeply or builds too much; make it shorter"
        raise ValueError(f"the query could not be evaluated: {why}")
    answer: dict[str, Any] = json.loads(ended.stdout)
    return answer


_PROGRAM = "import sys; sys.path[:0] = sys.argv[1:]; from toolstub_ext.querying.sparql_process import main; main()"
"""The process sees the packages of this one, however they were found, and nothing of where it is started."""


def _misread(said: str, expression: str) -> str:
    """Where the parser stopped, and why if it says so, without the many signs that it would have taken."""
    found = _MISREAD.match(said)
    if found is None:
        return f"no SPARQL for this graph: {clipped(said, 200)}"
    line, column = int(found[1]), int(found[2])
    text = "".join(expression.split("\n")[line - 1:line])
    start = max(0, column - 1 - _NEAR)
    near = text[start:column - 1 + _NEAR].strip()
    near = near.partition(" ")[2] or near if start else near
    why = _WHY.search(found[3])
    return (f"no SPARQL for this graph: {why[0] if why else 'it cannot be read on'} at line {line}, column {column}"
            + (f", near {near}" if near else ""))


def _onward(count: int) -> str:
    return f"OFFSET {count} in the query"
