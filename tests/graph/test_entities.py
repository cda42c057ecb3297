"""Every object of a value is an entity once, in order, under the JSON pointer at which it stands."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolstub_ext.graph import entities

USERS = {"ann": {"age": 1, "at": "x"}, "bob": {"age": 2, "at": "y"}, "cy~/": {"age": 3}}
texts = st.text(st.characters(codec=None, categories=None), max_size=4)
scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | texts
keys = st.text("ab/~", max_size=3)
values = st.recursive(
    scalars, lambda parts: st.lists(parts, max_size=4) | st.dictionaries(keys, parts, max_size=4),
    max_leaves=25)


@pytest.mark.parametrize(("value", "expected"), [
    ({}, [("", "root")]),
    (7, [("", "root")]),
    ([{"a": 1}, 2, [{"b": 3}]], [("", "root"), ("/0", "item"), ("/2/0", "item")]),
    ({"orders": [{"id": 1, "buyer": {"id": 2}}, {"id": 3}]},
     [("", "root"), ("/orders/0", "orders"), ("/orders/0/buyer", "buyer"), ("/orders/1", "orders")]),
    ({"a/b": {"~": {}}}, [("", "root"), ("/a~1b", "a/b"), ("/a~1b/~0", "~")]),
    ({"users": USERS}, [("", "root"), ("/users/ann", "users"), ("/users/bob", "users"), ("/users/cy~0~1", "users")]),
    (USERS, [("", "root"), ("/ann", "item"), ("/bob", "item"), ("/cy~0~1", "item")]),
])
def test_entities_have_a_pointer_and_a_class(value: Any, expected: list[tuple[str, str]]) -> None:
    """The class is the key they stand under; `item` at the root. What files alike objects under names is no entity."""
    assert [(entity.pointer, entity.name) for entity in entities(value)] == expected


def test_an_entity_of_a_map_knows_its_key() -> None:
    """The key is data there, not a predicate."""
    assert [entity.filed for entity in entities({"users": USERS})] == [None, "ann", "bob", "cy~/"]


def test_an_object_of_unlike_objects_is_no_map() -> None:
    """Their keys are a vocabulary."""
    value = {"head": {"a": 1}, "body": {"b": 2, "c": 3}, "foot": {"d": 4}}
    assert [entity.name for entity in entities(value)] == ["root", "head", "body", "foot"]


def test_arrays_are_taken_apart_and_null_says_nothing() -> None:
    """A key of an array stands for each of its items, however often they are nested."""
    (root, inner) = entities({"a": [1, [2, [3, None]], {"b": None}], "c": None})
    assert list(root.scalars()) == [("a", 1), ("a", 2), ("a", 3)]
    assert list(inner.scalars()) == []


@given(values)
def test_nothing_is_lost_and_nothing_is_told_twice(value: Any) -> None:
    """Each pointer leads to the members of its entity, and all scalars of the value are scalars of entities."""
    found = list(entities(value))
    assert len({entity.pointer for entity in found}) == len(found)
    for entity in found[1:]:
        assert at(value, entity.pointer) is entity.members
        assert at(value, entity.within or "") is not None
    told = [scalar for entity in found for _, scalar in entity.scalars()]
    assert sorted(map(repr, leaves(value))) == sorted(map(repr, told))


def at(value: Any, pointer: str) -> Any:
    """The part of a value at a JSON pointer."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


def leaves(value: Any) -> list[Any]:
    """All scalars of a value but null."""
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in leaves(part)]
    if isinstance(value, list):
        return [leaf for part in value for leaf in leaves(part)]
    return [] if value is None else [value]


def test_depth_has_no_limit() -> None:
    """Nothing recurses."""
    value: Any = {}
    for _ in range(2_000):
        value = {"a": [value]}
    assert list(entities(value))[-1].pointer == "/a/0" * 2_000
