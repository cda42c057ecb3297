"""A nested value as a graph: which entities it holds, of what classes, with which keys, and how they are related.

    entity      an object. Its name is the JSON pointer at which it stands: `/orders/3/customer`
    class       what it is called by: the key it stands under, `orders`; the items of a root array are `item`
    key         a predicate; a scalar is its value, and an array stands for each of its items
    relation    a key whose value is an entity; and `refersTo`, where a key such as `customer_id` holds the id of one

The graph is a function of the original alone, which is what is stored; it is derived whenever it is asked for.
`summary` tells a graph in a stub, `triples` writes it as N-Triples, over which SPARQL is evaluated.
"""

from __future__ import annotations

from .entities import Entity, entities
from .summary import synopsize
from .triples import KEYS, TERMS, entity_iri, pointer_of, write

__all__ = ["KEYS", "TERMS", "Entity", "entities", "entity_iri", "pointer_of", "synopsize", "write"]
