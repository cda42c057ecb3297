"""Trajectories of OpenHands: a list of events, alone in a file or as the `history` of a line of an evaluation's output.

An action of the agent is a call, the observation that names it as its cause is the result. Older evaluations hold
pairs of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..conversation import Builder, Conversation
from .base import Trace, json_of, objects, string, text_of

suffixes = (".json", ".jsonl")

_SAID = ("message", "finish", "think")
_NOT_SENT = ("null", "agent_state_changed", "change_agent_state", "recall", "condensation")
_NOT_ARGUMENTS = ("thought", "hidden", "confirmation_state", "security_risk", "blocking", "is_static", "cwd")


def reads(trace: Trace) -> bool:
    """If the first value has events."""
    return bool(trace.first) and any(_is_event(event) for event in _events(trace.first[0])[:20])


def read(trace: Trace) -> Iterator[Conversation]:
    """One conversation for each value."""
    for number, value in enumerate(trace.values(), 1):
        builder = Builder(f"{trace.name}:{number}" if trace.is_lines else trace.name)
        for event in _events(value):
            _add(event, builder)
        yield from builder.finished()


def _events(value: Any) -> list[dict[str, Any]]:
    events = value.get("history") if isinstance(value, dict) else value
    if not isinstance(events, list):
        return []
    flat: list[Any] = []
    for event in events:
        flat += event if isinstance(event, list) else [event]
    return objects(flat)


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
