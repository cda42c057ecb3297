"""A value and where its parts stand in the text it was read from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Tree:
    """`places` are the offsets at which objects and arrays begin, as far as they are known, by identity.

    The parts stay alive as long as the tree does, so an identity is theirs alone.
    """

    value: Any
    what: str
    places: dict[int, int] = field(default_factory=dict)

    def place_of(self, part: Any) -> int | None:
        """Where an object or array of the tree begins; None if it is not known."""
        return self.places.get(id(part)) if isinstance(part, dict | list) else None
