"""Finds which entities refer to others: `customer_id: 7` to the customer whose `id` is 7.

Taken for a reference is a key that ends in a word for identity, if what stands in front of it names a class, and if
that class has an entity with just that id. `parent_id` and the like, which name no class, refer within their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .entities import Entity

_IDS = ("id", "_id", "uuid", "guid", "key", "name", "slug", "code", "sha")
_KEY = re.compile(
    r"(?P<stem>.+?)(?:[_-]?(?:ids?|uuids?|guids?|refs?|keys?|codes?|names?)|I[dD]s?|U[uU]ids?|Refs?|Keys?)", re.DOTALL)
_WITHIN = frozenset({"parent", "previous", "prev", "next", "child", "root", "origin", "source", "target", "from", "to"})


@dataclass(frozen=True, slots=True)
class Reference:
    """That `subject` refers to `target`, by the value of its `key`."""

    subject: Entity
    key: str
    target: Entity


class References:
    """The references among some entities."""

    def __init__(self, entities: list[Entity]) -> None:
        self._entities = entities
        self._known: dict[str, dict[Any, Entity | None]] = {}
        for entity in entities:
            known = self._known.setdefault(_singular(entity.name), {})
            for value in _identities(entity):
                known[value] = entity if known.get(value, entity) is entity else None

    def __iter__(self) -> Iterator[Reference]:
        stems: dict[tuple[str, str], str | None] = {}
        for entity in self._entities:
            for key, value in entity.scalars():
                if (entity.name, key) not in stems:
                    stems[entity.name, key] = self._class(entity.name, key)
                name = stems[entity.name, key]
                target = self._known[name].get(_comparable(value)) if name is not None else None
                if target is not None and target is not entity:
                    yield Reference(entity, key, target)

    def _class(self, of: str, key: str) -> str | None:
        """The class, in the singular, to which a key of another refers."""
        match = _KEY.fullmatch(key)
        stem = _singular(match["stem"] if match else key)
        if stem in self._known:
            return stem if match or stem != _singular(of) else None
        return _singular(of) if match and stem in _WITHIN else None


def _identities(entity: Entity) -> Iterator[Any]:
    """What an entity may be referred to by."""
    if entity.filed is not None:
        yield entity.filed
    for key in _IDS:
        value = entity.members.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool):
            yield _comparable(value)


def _comparable(value: Any) -> Any:
    """A number and the same number written as a text are one id."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _singular(name: str) -> str:
    name = name.lower()
    for plural, one in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if name.endswith(plural):
            return name[: -len(plural)] + one
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name
