"""One conversation as every kind of trace has it, and what is read of such files."""

from __future__ import annotations

from pathlib import Path

from toolstub_ext.replay import Conversation
from toolstub_ext.replay.traces import Found, conversations

RECORDED = Path(__file__).parent / "replay" / "recorded"


def read(*paths: Path) -> tuple[list[Conversation], Found]:
    """What is found, and what became of the files."""
    found = Found()
    return [*conversations(paths, found)], found
