"""A graph is written so that the engine reads back what was there."""

from __future__ import annotations

from typing import Any

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.graph import entities, entity_iri, pointer_of, write
from toolstub_ext.graph.triples import key_iri

texts = st.text(st.characters(codec=None, categories=None), max_size=8)
members = st.dictionaries(texts, st.booleans() | st.integers() | st.floats() | texts, max_size=5)


def read(value: Any) -> pyoxigraph.Store:
    """The graph of a value, in the engine."""
    store = pyoxigraph.Store()
    store.load("".join(write(value)).encode(), pyoxigraph.RdfFormat.N_TRIPLES)
    return store


@given(st.lists(members, max_size=4))
def test_the_engine_reads_what_is_written(items: list[dict[str, Any]]) -> None:
    """Whatever keys and texts hold: quotes, line ends, control characters, lone surrogates."""
    store = read({"all": items})
    for place, item in enumerate(items):
        found = {(quad.predicate.value, quad.object.value)
                 for quad in store.quads_for_pattern(pyoxigraph.NamedNode(entity_iri(f"/all/{place}")), None, None)
                 if not quad.predicate.value.endswith(("#type", "refersTo"))}
        assert {predicate for predicate, _ in found} == {key_iri(key) for key in item}
        for key, scalar in item.items():
            if isinstance(scalar, str):
                assert (key_iri(key), scalar.encode("utf-8", "replace").decode()) in found


@pytest.mark.parametrize(("value", "datatype", "written"), [
    (True, "boolean", "true"), (3, "integer", "3"), (10**40, "integer", "1" + "0" * 40), (1.5, "double", "1.5"),
    (float("nan"), "double", "NaN"), (float("-inf"), "double", "-INF"), ("3", "string", "3"),
])
def test_a_scalar_keeps_its_type(value: Any, datatype: str, written: str) -> None:
    """A number compares as a number, a text as a text."""
    (quad,) = read({"v": value}).quads_for_pattern(None, pyoxigraph.NamedNode(key_iri("v")), None)
    assert isinstance(quad.object, pyoxigraph.Literal)
    assert (quad.object.datatype.value.rpartition("#")[2], quad.object.value) == (datatype, written)


@given(st.recursive(st.none(), lambda parts: st.dictionaries(texts, parts, max_size=3) | st.lists(parts, max_size=3)))
def test_an_entity_is_named_by_its_pointer(value: Any) -> None:
    """And the name leads back to it, but for lone surrogates, which no IRI can hold."""
    for entity in entities(value):
        assert pointer_of(entity_iri(entity.pointer)) == entity.pointer.encode("utf-8", "replace").decode()
    assert pointer_of(key_iri("x")) is None
