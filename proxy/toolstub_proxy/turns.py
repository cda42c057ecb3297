"""One turn of the model as a format's module hands it to the loop."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

NOTHING: Mapping[str, Any] = MappingProxyType({})

Mine = Callable[[str], bool]
"""Whether a tool name is one of ours, which the client must never see."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of our tools. `json` is the tool call as it goes back to the model."""

    id: str
    name: str
    arguments: str
    json: str


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an answer, in formats where answers have parts: its JSON, and what tells it from the others.

    The client saw it unless it is `ours`, or `first_only` and of a later round than the first: then it goes back to
    the model alone. `reference` is the identity of what a client may send in its place, where the
    provider keeps it.
    """

    json: str
    identity: str
    ours: bool = False
    reference: str = ""
    first_only: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """What the model said and called in one answer.

    `id` is the answer's, if the provider keeps answers to be continued; `owes` says that each call needs a reply later
    on, though it was cut off: the answer is kept, or a thought in it has to be followed by something. `theirs` are the
    ids of the client's calls. `fields` are further members of the message that the model wants to see again, `parts`
    all that the message consists of, in formats where it has parts. `whole` is False if the answer was cut off, by the
    model's token limit for example, so that its calls must not be run. `ours_last` says, where there are no parts, that
    the last call is ours.
    """

    text: str
    ours: tuple[Call, ...] = ()
    theirs: tuple[str, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    whole: bool = True
    ours_last: bool = False
    id: str = ""
    owes: bool = False


def arguments_in(value: Any) -> str:
    """The arguments of a call as the text that they should be; some providers hand over the object."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)


def repeated(arguments: str) -> str:
    """The arguments of a call as they go back to the model: many servers read those of a conversation, and refuse one
    in which they are no object."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"
