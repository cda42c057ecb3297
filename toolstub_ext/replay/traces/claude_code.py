"""Sessions of Claude Code: one record a line, as it keeps them under its `projects` folder.

The answer of one request is spread over several lines with one message id. Sub-agents have conversations of their own,
in the same file (`isSidechain`) or in another one. After a compaction the model is sent the summary and what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...wire.conversation import string
from ..conversation import Builder, Conversation
from . import messages
from .base import Trace
from .growing import MOST_CHARS

suffixes = (".jsonl",)

_SYNTHETIC = "<synthetic>"
"""The model of answers that the program wrote itself, and never sends."""
_MOST_RECORDS = 10_000
"""Records of sub-agents without a name that another one may still hang on: the latest."""


def reads(trace: Trace) -> bool:
    """If a line holds a message of a session."""
    return trace.is_lines and any(_is_message(record) for record in trace.first)


def read(trace: Trace) -> Iterator[Conversation]:
    """The main conversation, one more after each compaction, and those of the sub-agents.

    Of more sub-agents than may wait, the one that began first is taken as ended.
    """
    threads: dict[str, Builder] = {}
    agents: dict[str, str] = {}
    begun = waiting = 0
    for record in filter(_is_message, trace.records()):
        thread = _thread(record, agents)
        if thread not in threads:
            begun += bool(thread)
            threads[thread] = Builder(f"{trace.name} (agent {begun})" if thread else trace.name)
        builder = threads[thread]
        waiting -= builder.chars
        if record.get("isCompactSummary"):
            yield from builder.finished()
        yield from builder.overfull()
        messages.add(record["message"], builder)
        waiting += builder.chars
        while waiting > MOST_CHARS and (oldest := next(filter(None, threads), "")):
            ended = threads.pop(oldest)
            waiting -= ended.chars
            yield from ended.finished()
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
    if named := string(record.get("agentId")):
        return named
    agent = agents[uuid] = agents.get(parent) or uuid
    if len(agents) > _MOST_RECORDS:
        del agents[next(iter(agents))]
    return agent
