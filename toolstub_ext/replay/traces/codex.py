"""Sessions ("rollouts") of the Codex CLI: one record a line, the items of the Responses API among them.

Newer ones wrap each item (`{"type": "response_item", "payload": {...}}`); in older ones the items stand bare behind a
first line that describes the session.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...wire.conversation import string
from ..conversation import Builder, Conversation
from . import responses
from .base import Trace, objects, text_of

suffixes = (".jsonl",)

_WRAPPED = ("session_meta", "response_item", "turn_context", "event_msg", "compacted")


def reads(trace: Trace) -> bool:
    """If a line is wrapped as Codex does, or the first describes a session and items follow."""
    records = [record for record in trace.first if isinstance(record, dict)]
    if not trace.is_lines or not records:
        return False
    if any(record.get("type") in _WRAPPED and "payload" in record for record in records):
        return True
    return "instructions" in records[0] and "timestamp" in records[0] and any(map(_is_bare, records[1:]))


def read(trace: Trace) -> Iterator[Conversation]:
    """The conversation, and one more after each compaction."""
    builder = Builder(trace.name)
    for record in trace.records():
        if not isinstance(record, dict):
            continue
        payload = record.get("payload")
        inner = payload if isinstance(payload, dict) else record
        if record.get("type") == "compacted":
            yield from builder.finished()
            for item in objects(inner.get("replacement_history")) or [_summary(inner)]:
                responses.add(item, builder)
        elif record.get("type") == "session_meta" or (payload is None and "instructions" in record):
            _begin(inner, builder)
        elif record.get("type") == "response_item" or (payload is None and _is_bare(record)):
            yield from builder.overfull()
            responses.add(inner, builder)
    yield from builder.finished()


def _begin(meta: dict[str, Any], builder: Builder) -> None:
    base = meta.get("base_instructions")
    text = text_of(base.get("text") if isinstance(base, dict) else meta.get("instructions"))
    if text:
        builder.system(text)


def _summary(compacted: dict[str, Any]) -> dict[str, Any]:
    return {"type": "message", "role": "user", "content": string(compacted.get("message"))}


def _is_bare(record: dict[str, Any]) -> bool:
    return record.get("type") == "message" or responses.is_item(record)
