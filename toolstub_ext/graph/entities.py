"""Finds the entities of a nested value, in the order in which they stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

ROOT = "root"
"""The class of an object at the root, and of the array that holds the items of class ITEM."""
ITEM = "item"

_LEAST_OF_MAP = 3
_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Entity:
    """One object. `pointer` says where it stands, `name` is its class.

    `within` is the pointer of the entity that has it and `relation` the key it has it under, both None at the root.
    `filed` is its own key where what holds it is a map, such as users by their names; a map is no entity.
    """

    pointer: str
    name: str
    within: str | None
    relation: str | None
    filed: str | None
    members: dict[str, Any]

    def scalars(self) -> Iterator[tuple[str, Any]]:
        """Its keys with their values, arrays taken apart; without null, and without what is an entity of its own."""
        for key, value in self.members.items():
            for scalar in _scalars_in(value):
                yield key, scalar


def entities(value: Any) -> Iterator[Entity]:
    """All objects of a value of dicts, lists and scalars, each before those inside it."""
    listed = not isinstance(value, dict) or _is_map(value)
    waiting = [Entity("", ROOT, None, None, None, {ITEM: value} if listed else value)]
    while waiting:
        entity = waiting.pop()
        yield entity
        at_root = listed and entity.within is None
        inside = [Entity(pointer, key, entity.pointer, key, filed, part)
                  for key, member in entity.members.items()
                  for pointer, filed, part in _objects("" if at_root else f"{entity.pointer}/{_step(key)}", member)]
        waiting.extend(reversed(inside))


def _objects(pointer: str, value: Any) -> Iterator[tuple[str, str | None, dict[str, Any]]]:
    """The objects that a member is, or holds in arrays and maps however often nested: pointer, key in a map, object."""
    waiting: list[tuple[str, str | None, Any]] = [(pointer, None, value)]
    while waiting:
        at, filed, part = waiting.pop()
        if isinstance(part, list):
            waiting.extend((f"{at}/{place}", None, part[place]) for place in range(len(part) - 1, -1, -1))
        elif isinstance(part, dict) and _is_map(part):
            waiting.extend([(f"{at}/{_step(key)}", key, member) for key, member in part.items()][::-1])
        elif isinstance(part, dict):
            yield at, filed, part


def _scalars_in(value: Any) -> Iterator[Any]:
    if not isinstance(value, dict | list):
        if value is not None:
            yield value
        return
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting.extend(reversed(part))
        elif part is not None and not isinstance(part, dict):
            yield part


def _is_map(members: dict[str, Any]) -> bool:
    """Whether an object files others of one make under names: its keys are data, not a vocabulary."""
    if len(members) < _LEAST_OF_MAP or not all(isinstance(member, dict) for member in members.values()):
        return False
    makes = [member.keys() for member in members.values()]
    first = makes[0]
    return bool(first) and all(len(first & make) >= _ALIKE * len(first | make) for make in makes[1:])


def _step(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
