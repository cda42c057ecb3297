"""The process in which SPARQL is evaluated: a request as JSON on standard input, the answer on standard output."""

from __future__ import annotations

import itertools
import json
import sys
from contextlib import suppress
from io import BytesIO
from typing import Any

import pyoxigraph

from ..graph import KEYS, TERMS, pointer_of, write
from .trees import tree_of

_MEMORY_BYTES = 4 << 30
_PREFIXES = {"": KEYS, "ts": TERMS, "xsd": "http://www.w3.org/2001/XMLSchema#",
             "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#"}


def main() -> None:
    """Answers one request; what is wrong with it is an answer too."""
    _limit_memory()
    request = json.loads(sys.stdin.buffer.read())
    try:
        answer = _answer(request["text"], request["query"], request["most"])
    except SyntaxError as error:
        answer = {"misread": str(error)}
    except ValueError as error:
        answer = {"error": str(error)}
    except MemoryError:
        answer = {"error": "the query builds too much; give it fewer joins, or a narrower pattern"}
    sys.stdout.buffer.write(json.dumps(answer).encode())


def _answer(text: str, query: str, most: int) -> dict[str, Any]:
    tree, store = tree_of(text), pyoxigraph.Store()
    store.bulk_load(BytesIO("".join(write(tree.value)).encode()), pyoxigraph.RdfFormat.N_TRIPLES)
    _open_nothing_more()
    found = store.query(query, prefixes=_PREFIXES)
    answer: dict[str, Any] = {"of": tree.what, "triples": len(store), "names": [], "what": "triple", "more": False}
    if isinstance(found, pyoxigraph.QueryBoolean):
        return answer | {"what": "answer", "rows": [["true" if found else "false"]]}
    if isinstance(found, pyoxigraph.QuerySolutions):
        answer |= {"what": "solution", "names": [variable.value for variable in found.variables]}
    taken = list(itertools.islice(found, most + 1))
    rows = [[_shown(term) for term in row] for row in taken[:most]]
    return answer | {"rows": rows, "more": len(taken) > most}


def _shown(term: Any) -> str:
    """An entity by its JSON pointer, a key by its name, a number as it is, a text in quotes."""
    if term is None:
        return ""
    if isinstance(term, pyoxigraph.Literal):
        plain = term.datatype.value.endswith(("#integer", "#double", "#decimal", "#boolean"))
        return term.value if plain else json.dumps(term.value, ensure_ascii=False)
    if isinstance(term, pyoxigraph.NamedNode):
        pointer = pointer_of(term.value)
        if pointer is not None:
            return pointer or "(root)"
        prefix = next((name for name in ("", "ts", "rdf") if term.value.startswith(_PREFIXES[name])), None)
        return str(term) if prefix is None else f"{prefix}:{term.value.removeprefix(_PREFIXES[prefix])}"
    return str(term)


def _open_nothing_more() -> None:
    """From here on the process can open neither a file nor a connection, whatever a query asks for."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


def _limit_memory() -> None:
    """A query that builds without end ends by itself, where the platform can see to that."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _, allowed = resource.getrlimit(resource.RLIMIT_AS)
    most = _MEMORY_BYTES if allowed == resource.RLIM_INFINITY else min(_MEMORY_BYTES, allowed)
    with suppress(ValueError):  # macOS has the limit by name alone
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
