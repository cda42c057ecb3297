"""Tells a graph in a stub: its classes with how many there are of each, their keys, and what they are related to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..synopsis import Synopsis
from ..synopsis import synopsize as plainly
from ..synopsis.facts import Facts
from ..synopsis.model import Rules, Source
from ..synopsis.wording import count, names_secret, one_line
from .entities import ROOT, Entity, entities
from .references import References

MOST_CHARS = 4 << 20
"""The longest JSON text that is told as a graph."""
MOST_MEMBERS = 50_000
"""So many members of objects are looked at; what is counted of them alone is marked so."""
DEEPEST = 64
"""JSON that nests deeper is not told as a graph."""

_MANY_KEYS = 5
_FEW_VALUES = 3
_OFTEN = 10
_FIRST_CLASSES = 3
_EXAMPLE_CHARS = 60


def synopsize(text: str, mime: str | None = None, *, tool: str | None = None, budget: int = 1000,
              rules: Rules = "default") -> Synopsis:
    """As `toolstub_ext.synopsis.synopsize`; nested JSON is told as a graph. What counts as nested is Gliding Horse's
    rule: an array whose first item is an object or array, an object that holds one or has more than five keys."""
    plain = plainly(text, mime, tool=tool, budget=budget, rules=rules)
    value = _read(text) if plain.kind == "json" and len(text) <= MOST_CHARS else None
    if value is None or not is_nested(value) or _depth(value) > DEEPEST:
        return plain
    return _told(Source(text, mime, tool, budget, rules), value, plain)


def is_nested(value: Any) -> bool:
    """Whether a value is worth a graph."""
    if isinstance(value, list):
        return bool(value) and isinstance(value[0], dict | list)
    if isinstance(value, dict):
        return len(value) > _MANY_KEYS or any(isinstance(member, dict | list) for member in value.values())
    return False


def _read(text: str) -> Any:
    try:
        return json.loads(text.removeprefix("\ufeff"), strict=False)
    except (ValueError, RecursionError):
        return None


def _depth(value: Any) -> int:
    """How deeply a value nests, as far as it matters."""
    level, depth = [value], 0
    while level and depth <= DEEPEST:
        depth += 1
        level = [part for outer in level if isinstance(outer, dict | list)
                 for part in (outer.values() if isinstance(outer, dict) else outer) if isinstance(part, dict | list)]
    return depth


@dataclass(slots=True)
class _Key:
    """What is known of one key of a class: the types and the first few texts that it holds."""

    types: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)

    def note(self, value: Any) -> None:
        self.types[type(value).__name__] += 1
        if isinstance(value, str) and (len(self.texts) <= _FEW_VALUES or value in self.texts):
            self.texts[value] += 1

    def told(self, name: str, targets: Iterable[str]) -> str:
        """`status str (ok 480, failed 20)`, `customer_id int -> customers`."""
        told = " ".join([one_line(name, 40), "|".join(self.types)])
        towards = [one_line(target, 40) for target in targets]
        if towards:
            return f"{told} -> {', '.join(towards)}"
        if names_secret(name):
            return told
        seldom = len(self.texts) <= _FEW_VALUES and sum(self.texts.values()) >= _OFTEN
        values = ", ".join(f"{one_line(text, 24)} {times}" for text, times in self.texts.most_common())
        return f"{told} ({values})" if values and seldom else told


class _Census:
    """What the entities of a graph have in common."""

    def __init__(self, value: Any) -> None:
        self.classes: Counter[str] = Counter()
        self.relations: Counter[tuple[str, str, str]] = Counter()
        self._keys: dict[str, dict[str, _Key]] = {}
        self._targets: dict[tuple[str, str], Counter[str]] = {}
        self.partial = False
        """Whether there is more than was looked at."""
        found = list(self._bounded(entities(value)))
        names = {entity.pointer: entity.name for entity in found}
        for entity in found:
            self._note(entity, names)
        for reference in References(found):
            self._targets.setdefault((reference.subject.name, reference.key), Counter())[reference.target.name] += 1
            self.relations[reference.subject.name, reference.key, reference.target.name] += 1

    def _bounded(self, found: Iterator[Entity]) -> Iterator[Entity]:
        """The entities, up to the one with which too many members have been looked at."""
        left = MOST_MEMBERS
        for entity in found:
            yield entity
            left -= 1 + sum(1 for _ in entity.scalars())
            if left < 0:
                self.partial = True
                return

    def _note(self, entity: Entity, names: dict[str, str]) -> None:
        if entity.within is not None:
            self.classes[entity.name] += 1
            self.relations[names[entity.within], entity.relation or "", entity.name] += 1
        keys = self._keys.setdefault(entity.name, {})
        for key, value in entity.scalars():
            keys.setdefault(key, _Key()).note(value)

    def keys(self, name: str) -> list[str]:
        """What is told of the keys of a class."""
        return [key.told(word, self._targets.get((name, word), ())) for word, key in self._keys.get(name, {}).items()]

    def telling_key(self, name: str) -> str | None:
        """The key of a class by which one would select: one with few values, else the first."""
        keys = self._keys.get(name, {})
        few = (word for word, key in keys.items() if 1 < len(key.texts) <= _FEW_VALUES)
        return next(few, next(iter(keys), None))


def _told(source: Source, value: Any, plain: Synopsis) -> Synopsis:
    census, facts = _Census(value), Facts(source)
    at_least = ">=" if census.partial else ""
    many = sum(census.classes.values())
    relations = sum(census.relations.values())
    facts.say(f"graph of {at_least}{count(many, 'entity', 'entities')} in "
              f"{count(len(census.classes), 'class', 'classes')}, {at_least}{count(relations, 'relation')}")
    if census.partial:
        facts.say(f"all counts from the first {MOST_MEMBERS} members", rank=1)
    for line in plain.notable_items[:4]:
        if " more items with such a value" not in line:
            facts.notable(line, rank=10)
    facts.structure(f'SPARQL: toolstub_query(ref, "{_example(census)}")', rank=3)
    for place, (name, number) in enumerate(census.classes.most_common()):
        facts.dense("structure", census.keys(name) or ["no scalars"], rank=4 if place < _FIRST_CLASSES else 20 + place,
                    lead=f"{one_line(name, 40)} ({at_least}{number}): ", share=0.5)
    if census.keys(ROOT):
        facts.dense("structure", census.keys(ROOT), rank=15, lead="root: ")
    facts.dense("structure", [f"{one_line(of, 40)} -{one_line(key, 40)}-> {one_line(to, 40)} {number}"
                              for (of, key, to), number in census.relations.most_common()], rank=18, lead="relations: ",
                share=0.4)
    for anchor in plain.anchors:
        facts.anchor(anchor.label, anchor.offset, anchor.length)
    return facts.build("json", "graph")


def _example(census: _Census) -> str:
    """A query that works on this graph."""
    for name, _ in census.classes.most_common():
        key = census.telling_key(name)
        if key and key.isidentifier() and name.isidentifier() and len(name) + len(key) < _EXAMPLE_CHARS:
            return f"SELECT ?x ?v WHERE {{ ?x a :{name} ; :{key} ?v }} LIMIT 20"
    return "SELECT ?s ?p ?o WHERE { ?s ?p ?o } LIMIT 20"
