"""The stub of a graph: its classes, keys and relations, counted exactly, and a query that works on it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.graph import synopsize
from toolstub_ext.graph.summary import DEEPEST, MOST_CHARS, MOST_MEMBERS
from toolstub_ext.synopsis import render
from toolstub_ext.synopsis import synopsize as plainly

ORDERS = {
    "orders": [
        {"id": n, "customer_id": 1 + n % 3, "status": "ok" if n % 9 else "failed",
         "lines": [{"sku": f"s{n}"}] * (n % 3)}
        for n in range(90)],
    "customers": [{"id": n, "name": f"name {n}"} for n in range(1, 4)],
    "ok": True,
}


def nested(depth: int) -> str:
    """JSON with so many objects inside each other."""
    return '{"a":' * depth + "1" + "}" * depth


def test_classes_keys_and_relations_are_told() -> None:
    """With the values of a key that has few, and the class to which a key refers."""
    synopsis = synopsize(json.dumps(ORDERS), budget=2_000)
    assert (synopsis.kind, synopsis.variant) == ("json", "graph")
    assert synopsis.summary == ("graph of 183 entities in 3 classes, 273 relations",)
    assert synopsis.structure == (
        'SPARQL: toolstub_query(ref, "SELECT ?x ?v WHERE { ?x a :orders ; :status ?v } LIMIT 20")',
        "orders (90): id int · customer_id int -> customers · status str (ok 80, failed 10)",
        "lines (90): sku str",
        "customers (3): id int · name str",
        "root: ok bool",
        "relations: root -orders-> orders 90 · orders -lines-> lines 90 · orders -customer_id-> customers 90"
        " · root -customers-> customers 3",
    )


@pytest.mark.parametrize("budget", [500, 1_000])
def test_classes_are_told_before_single_items(budget: int) -> None:
    """Also in the few characters that the stub of a route has."""
    told = synopsize(json.dumps(ORDERS), budget=budget).structure
    assert [line.partition(":")[0] for line in told[:2]] == ["SPARQL", "orders (90)"]


@pytest.mark.parametrize(("value", "is_graph"), [
    ([{"a": 1}], True), ([[1]], True), ([1, {"a": 1}], False), ([], False), ({"a": {}}, True), ({"a": []}, True),
    (dict.fromkeys("abcdef", 1), True), (dict.fromkeys("abcde", 1), False), ("text", False),
])
def test_gliding_horse_what_is_nested_becomes_a_graph(value: Any, *, is_graph: bool) -> None:
    """An array whose first item is an object or array; an object that holds one, or has more than five keys."""
    assert (synopsize(json.dumps(value)).variant == "graph") is is_graph


@pytest.mark.parametrize("text", ["", "plain text", "a,b\n1,2\n", '{"a": [1, 2', nested(DEEPEST + 2), nested(5_000),
                                  '{"a": "' + "x" * MOST_CHARS + '"}'])
def test_anything_else_is_told_as_ever(text: str) -> None:
    """Text of any kind, JSON that is cut off, too deep or too long."""
    assert synopsize(text) == plainly(text)


def test_what_was_not_looked_at_is_said() -> None:
    """All counts are of the part that was, and marked."""
    many = json.dumps([{"n": n} for n in range(MOST_MEMBERS)])
    summary = synopsize(many).summary
    assert summary[0].startswith("graph of >=")
    assert summary[1] == f"all counts from the first {MOST_MEMBERS} members"


texts = st.text(st.characters(codec=None, categories=None), max_size=30)


@given(st.recursive(st.none() | st.integers() | texts,
                    lambda parts: st.lists(parts, max_size=6) | st.dictionaries(texts, parts, max_size=8),
                    max_leaves=60), st.sampled_from([200, 500, 2_000]))
def test_it_stays_within_its_budget(value: Any, budget: int) -> None:
    """Whatever keys and texts hold, and the same each time."""
    text = json.dumps(value)
    synopsis = synopsize(text, budget=budget)
    assert synopsis == synopsize(text, budget=budget)
    assert len(render(synopsis, sha256="0" * 64, ref="ts_" + "0" * 16)) <= 300 + max(200, budget) + 20
