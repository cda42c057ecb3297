"""Trajectories of OpenHands: a list of events, alone in a file or as the `history` of a line of an evaluation's output.

An action of the agent is a call, the observation that names it as its cause is the result. Older evaluations hold
pairs of the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from ...wire.conversation import string
from ..conversation import Builder, Conversation
from .base import Trace, json_of, objects, text_of

suffixes = (".json", ".jsonl")

_SAID = ("message", "finish", "think")
_NOT_SENT = ("null", "agent_state_changed", "change_agent_state", "recall", "condensation")
_NOT_ARGUMENTS = ("thought", "hidden", "confirmation_state", "security_risk", "blocking", "is_static", "cwd")


def reads(trace: Trace) -> bool:
    """If the first value has events."""
    (first, *_) = trace.first or (None,)
    events = first.get("history") if isinstance(first, dict) else first
    return isinstance(events, list) and any(_is_event(event) for event in islice(_flat(events), 20))


def read(trace: Trace) -> Iterator[Conversation]:
    """One conversation for each value."""
    for name, _, events in trace.arrays(_path):
        builder = Builder(name)
        for event in _flat(events or ()):
            yield from builder.overfull()
            _add(event, builder)
        yield from builder.finished()


def _path(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, list):
        return ()
    return ("history",) if isinstance(value, dict) and isinstance(value.get("history"), list) else None


def _flat(events: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """The events, also those in pairs."""
    for event in events:
        yield from objects(event if isinstance(event, list) else [event])


def _is_event(event: dict[str, Any]) -> bool:
    return "source" in event and ("action" in event or "observation" in event)


def _add(event: dict[str, Any], builder: Builder) -> None:
    action, observation = string(event.get("action")), string(event.get("observation"))
    if action in _NOT_SENT or observation in _NOT_SENT:
        return
    if observation:
        cause = event.get("cause")
        builder.result(text_of(event.get("content")), "" if cause is None else str(cause), observation)
    elif action == "system":
        builder.system(string(_arguments(event).get("content")))
    elif action and event.get("source") == "agent":
        _add_action(event, action, builder)
    elif action == "message":
        builder.user(string(_arguments(event).get("content")) or string(event.get("message")))


def _add_action(event: dict[str, Any], action: str, builder: Builder) -> None:
    arguments = _arguments(event)
    thought = string(arguments.get("thought"))
    if action in _SAID:
        said = (string(arguments.get(key)) for key in ("content", "final_thought"))
        builder.assistant("\n".join(filter(None, (thought, *said))) or string(event.get("message")))
        return
    given = {key: value for key, value in arguments.items() if key not in _NOT_ARGUMENTS}
    builder.assistant(thought, [(str(event.get("id", "")), action, json_of(given))])


def _arguments(event: dict[str, Any]) -> dict[str, Any]:
    arguments = event.get("args")
    return arguments if isinstance(arguments, dict) else {}
