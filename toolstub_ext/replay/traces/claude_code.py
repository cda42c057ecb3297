"""Sessions of Claude Code: one record a line, as it keeps them under its `projects` folder.

The answer of one request is spread over several lines with one message id. Sub-agents have conversations of their own,
in the same file (`isSidechain`) or in another one. After a compaction the model is sent the summary and what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..conversation import Builder, Conversation
from . import messages
from .base import Trace, string

suffixes = (".jsonl",)

_SYNTHETIC = "<synthetic>"
"""The model of answers that the program wrote itself, and never sends."""


def reads(trace: Trace) -> bool:
    """If a line holds a message of a session."""
    return trace.is_lines and any(_is_message(record) for record in trace.first)


def read(trace: Trace) -> Iterator[Conversation]:
    """The main conversation, one more after each compaction, and those of the sub-agents."""
    threads: dict[str, Builder] = {}
    agents: dict[str, str] = {}
    for record in trace.records():
        if not _is_message(record):
            continue
        thread = _thread(record, agents)
        if thread not in threads:
            threads[thread] = Builder(f"{trace.name} (agent {len(threads)})" if thread else trace.name)
        builder = threads[thread]
        if record.get("isCompactSummary"):
            yield from builder.finished()
        yield from builder.overfull()
        messages.add(record["message"], builder)
    for builder in threads.values():
        yield from builder.finished()


def _is_message(record: Any) -> bool:
    if not isinstance(record, dict) or record.get("type") not in ("user", "assistant") or "uuid" not in record:
        return False
    message = record.get("message")
    return isinstance(message, dict) and "content" in message and message.get("model") != _SYNTHETIC


def _thread(record: dict[str, Any], agents: dict[str, str]) -> str:
    """The conversation a record belongs to: empty for the main one. `agents` maps the records of sub-agents to theirs.

    Older versions name no agent: there, what a sub-agent says hangs on what it said before.
    """
    if not record.get("isSidechain"):
        return ""
    uuid, parent = string(record.get("uuid")), string(record.get("parentUuid"))
    agent = string(record.get("agentId")) or agents.get(parent) or uuid
    agents[uuid] = agent
    return agent
