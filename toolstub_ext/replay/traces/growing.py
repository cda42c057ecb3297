"""The longest of conversations that grow: a client sends the whole history again with every request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..conversation import Conversation, Item
from .base import NothingToReplayError

MOST = 64
"""Conversations that may grow at the same time; of more, the one that has not grown for longest is taken as ended."""
MOST_CHARS = 64_000_000
"""Characters that may wait in them."""


def longest(conversations: Iterable[Conversation], *, expected: str = "") -> Iterator[Conversation]:
    """Each conversation that no later one begins with, as soon as that is clear.

    Raises NothingToReplayError if there is none, with what was `expected` and where, unless that is empty.
    """
    waiting: list[tuple[int, Conversation]] = []
    chars = 0
    for conversation in conversations:
        beginning = _beginning(conversation)
        alike = [other for begun, other in waiting if begun == beginning]
        if any(_continues(other, conversation) for other in alike):
            continue
        grown = [other for other in alike if _continues(conversation, other)]
        waiting = [(begun, other) for begun, other in waiting if not any(other is one for one in grown)]
        waiting.append((beginning, conversation))
        chars += _chars(conversation) - sum(map(_chars, grown))
        while len(waiting) > MOST or (chars > MOST_CHARS and len(waiting) > 1):
            _, ended = waiting.pop(0)
            chars -= _chars(ended)
            yield ended
    if expected and not waiting:
        raise NothingToReplayError(f"{expected} expected")
    for _, ended in waiting:
        yield ended


def _continues(longer: Conversation, shorter: Conversation) -> bool:
    """Whether the longer one begins with the shorter one, of which a last answer may be lacking or other than sent."""
    sent = shorter.items[:-1] if shorter.items[-1].kind == "assistant" else shorter.items
    return len(longer.items) >= len(shorter.items) and tuple(map(_said, longer.items[:len(sent)])) == tuple(
        map(_said, sent))


def _said(item: Item) -> tuple[str, str]:
    return item.kind, item.spoken


def _beginning(conversation: Conversation) -> int:
    """What a conversation has in common with what it grows into: all up to the first thing a user said."""
    said: list[tuple[str, str]] = []
    for item in conversation.items:
        said.append(_said(item))
        if item.kind == "user":
            break
    return hash(tuple(said))


def _chars(conversation: Conversation) -> int:
    return sum(len(item.text) for item in conversation.items)
