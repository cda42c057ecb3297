"""The longest of conversations that grow: a client sends the whole history again with every request."""

from __future__ import annotations

from collections import OrderedDict
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
    waiting: OrderedDict[int, list[Conversation]] = OrderedDict()
    chars = 0
    for conversation in conversations:
        beginning = _beginning(conversation)
        alike = waiting.pop(beginning, [])
        apart = [other for other in alike if not _continues(conversation, other)]
        known = any(_continues(other, conversation) for other in apart)
        waiting[beginning] = alike if known else [*apart, conversation]
        chars = sum(_chars(other) for others in waiting.values() for other in others)
        while len(waiting) > MOST or (chars > MOST_CHARS and len(waiting) > 1):
            _, ended = waiting.popitem(last=False)
            chars -= sum(map(_chars, ended))
            yield from ended
    if expected and not waiting:
        raise NothingToReplayError(f"{expected} expected")
    for ended in waiting.values():
        yield from ended


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
