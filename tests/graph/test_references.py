"""Which key refers to which entity: by the word for identity it ends in, and only if there is such an entity."""

from __future__ import annotations

from typing import Any

import pytest

from toolstub_ext.graph.entities import entities
from toolstub_ext.graph.references import References

CUSTOMERS = [{"id": 7, "name": "Ann"}, {"id": 8, "name": "Bob"}]


def references(value: Any) -> list[tuple[str, str, str]]:
    """The references in a value: from where, by which key, to where."""
    return [(found.subject.pointer, found.key, found.target.pointer) for found in References(list(entities(value)))]


@pytest.mark.parametrize("key", [
    "customer_id", "customerId", "customer_ids", "customer-ref", "customer", "customers_key", "customerUuid"])
def test_a_key_that_names_a_class_refers_to_it(key: str) -> None:
    """In the spellings that people use, and the id as a number or as a text."""
    for written in (8, "8", [8]):
        value = {"customers": CUSTOMERS, "orders": [{"nr": 1, key: written}]}
        assert references(value) == [("/orders/0", key, "/customers/1")]


@pytest.mark.parametrize("order", [
    {"customer_id": 9}, {"customer_id": None}, {"customer_id": True}, {"amount": 7}, {"supplier_id": 7}, {"id": 7},
])
def test_what_names_no_class_or_no_entity_refers_to_nothing(order: dict[str, Any]) -> None:
    """A number that happens to be somebody's id is none."""
    assert references({"customers": CUSTOMERS, "orders": [order]}) == []


def test_a_parent_is_of_the_same_class() -> None:
    """So are the previous, the next, the source and the target."""
    nodes = [{"id": "a"}, {"id": "b", "parent_id": "a"}, {"id": "c", "parentId": "b", "next_id": "a"}]
    assert references({"nodes": nodes}) == [
        ("/nodes/1", "parent_id", "/nodes/0"),
        ("/nodes/2", "parentId", "/nodes/1"),
        ("/nodes/2", "next_id", "/nodes/0")]


def test_an_id_that_two_have_names_neither() -> None:
    """A guess would be worse than nothing. One entity that says the same twice still has it."""
    twice = [{"id": 7}, {"id": 7}]
    assert references({"customers": twice, "orders": [{"customer_id": 7}]}) == []
    assert references({"customers": [{"id": "x", "slug": "x"}], "orders": [{"customer_id": "x"}]}) != []


def test_the_key_in_a_map_is_an_id() -> None:
    """Where users are filed under their names, the name refers to them."""
    users = {name: {"age": 1} for name in ("ann", "bob", "cy")}
    assert references({"users": users, "posts": [{"user": "bob"}]}) == [("/posts/0", "user", "/users/bob")]


@pytest.mark.parametrize(("class_name", "key"), [
    ("categories", "category_id"), ("boxes", "box_id"), ("branches", "branch_id"), ("addresses", "address_id"),
    ("staff", "staff_id"),
])
def test_a_class_is_named_in_the_plural(class_name: str, key: str) -> None:
    """Or not."""
    assert references({class_name: [{"id": 1}], "x": {key: 1}}) == [("/x", key, f"/{class_name}/0")]
