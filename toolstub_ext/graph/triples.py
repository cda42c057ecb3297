"""Writes a graph as N-Triples.

    <urn:toolstub:entity:/orders/3>  <urn:toolstub:key:status>  "failed" .

An entity is named by its JSON pointer, a class and a predicate by the key. What is the graph's own stands under
`urn:toolstub:` with a name that no key can have.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, unquote

from .entities import Entity, entities
from .references import References

TERMS = "urn:toolstub:"
KEYS = TERMS + "key:"
_ENTITY = TERMS + "entity:"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_SCHEMA = "http://www.w3.org/2001/XMLSchema#"
_ESCAPES = {code: f"\\u{code:04X}" for code in (*range(0x20), 0x7F)} | {
    0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t"}


def write(value: Any) -> Iterator[str]:
    """The triples of a nested value, a line each, with the line end. Lone surrogates become U+FFFD."""
    found = list(entities(value))
    for entity in found:
        subject = f"<{entity_iri(entity.pointer)}>"
        yield f"{subject} {_TYPE} <{key_iri(entity.name)}> .\n"
        if entity.within is not None:
            yield f"<{entity_iri(entity.within)}> <{key_iri(entity.relation or entity.name)}> {subject} .\n"
        if entity.filed is not None:
            yield f"{subject} <{TERMS}filed> {_literal(entity.filed)} .\n"
        for key, scalar in entity.scalars():
            yield f"{subject} <{key_iri(key)}> {_literal(scalar)} .\n"
    yield from _references(found)


def _references(found: list[Entity]) -> Iterator[str]:
    for reference in References(found):
        yield (f"<{entity_iri(reference.subject.pointer)}> <{TERMS}refersTo> "
               f"<{entity_iri(reference.target.pointer)}> .\n")


def entity_iri(pointer: str) -> str:
    """The name of the entity that stands at a JSON pointer."""
    return _ENTITY + "/".join(_named(step) for step in pointer.split("/"))


def key_iri(key: str) -> str:
    """The name of a key, as a predicate and as a class."""
    return KEYS + _named(key)


def pointer_of(iri: str) -> str | None:
    """The JSON pointer in the name of an entity; None for the name of something else."""
    return unquote(iri.removeprefix(_ENTITY)) if iri.startswith(_ENTITY) else None


def _named(key: str) -> str:
    """A key as a part of an IRI: letters and digits of any language stay, all else is percent-encoded."""
    if key.isascii():
        return quote(key, safe="")
    return "".join(c if c.isalnum() else quote(c, safe="", errors="replace") for c in key)


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return f'"{str(value).lower()}"^^<{_SCHEMA}boolean>'
    if isinstance(value, int):
        return f'"{value}"^^<{_SCHEMA}integer>'
    if isinstance(value, float):
        shown = repr(value) if math.isfinite(value) else {"inf": "INF", "-inf": "-INF"}.get(str(value), "NaN")
        return f'"{shown}"^^<{_SCHEMA}double>'
    return f'"{str(value).encode("utf-8", "replace").decode().translate(_ESCAPES)}"'
